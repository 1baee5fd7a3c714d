// A server that plays recorded runs to the page of automata: what a browser makes of them does not hang on another
// browser that a real run would drive.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';
import {
  bodyOf, holder, json, servePlayed, streamPlayed,
} from './played-server.mjs';

export const recorded = JSON.parse(await readFile(join(root, 'tests', 'page', 'tea-run.json'), 'utf8'));
const picture = await readFile(join(root, 'src', 'nobody.png'));
const digest = createHash('sha256').update(picture).digest('hex');
const NAME = 'tea-shop';

/** Each look has the picture that there is, and each place lies within it, but for that of the log-in. */
const seen = (events) => events.map((event) => {
  const { payload } = event;
  if (payload.picture) return { ...event, payload: { ...payload, picture: digest } };
  return payload.point ? { ...event, payload: { ...payload, point: payload.line === 3 ? [9, 9_000] : [10, 10] } } : event;
});

/**
 * Serves `dist` and plays: 5 actions are refused at a state, one second fails, prompts are answered by models. Gives
 * `{base, asked, hold, close}`: `asked` are the bodies of `POST /runs`.
 */
export async function playAutomata({ everyMs }) {
  const [runs, asked] = [new Map(), []];
  const { hold, held } = holder();
  const routes = [
    [/^GET \/health$/, (_, res) => json(res, 200, { version: '1' })],
    [/^GET \/automata$/, (_, res) => json(res, 200, {
      automata: [{ name: NAME, states: 5, prompts: 0, parameters: ['USER', 'PASSWORD'] }],
      secrets: [{ name: 'PASSWORD', origins: ['https://tea.example'] }],
      hasBrowser: true,
      startedBy: 'stored',
    })],
    [/^GET \/automata\/tea-shop$/, (_, res) => json(res, 200, { automaton: recorded.automaton, parameters: { USER: 'ann' } })],
    [/^POST \/runs$/, async (req, res) => create(req, JSON.parse(await bodyOf(req)), res)],
    [/^POST \/runs\/([^/]+)\/stop$/, (_, res, run) => {
      runs.get(run).isStopped = true;
      json(res, 202, {});
    }],
    [/^GET \/runs\/([^/]+)\/events$/, (_, res, run) =>
      streamPlayed(res, run, runs.get(run), { everyMs, held, stopped: { spent: {}, eventsLeftOut: 0 } })],
    [/^GET \/runs\/[^/]+\/artifacts\/([0-9a-f]+)$/, (_, res, named) => {
      if (named !== digest) return json(res, 404, {});
      res.writeHead(200, { 'Content-Type': 'image/png' });
      return res.end(picture);
    }],
    [/^GET \/runs\/([^/]+)$/, (_, res, run) => {
      const { automaton, question } = runs.get(run) ?? {};
      if (!automaton) return json(res, 404, { detail: 'There is no such run.' });
      const { parameters = {}, secrets = {}, origins = [] } = question;
      return json(res, 200, {
        engine: 'automaton', automaton, parameters, secrets: Object.keys(secrets), origins, status: 'running',
      });
    }],
  ];

  function create(req, question, res) {
    const isStored = typeof question.automaton === 'string';
    if (!isStored && !req.headers.authorization) {
      return json(res, 403, { detail: 'Only stored automata can be started without the operator’s token.' });
    }
    asked.push(question);
    if (question.options.actions === 5) {
      return json(res, 409, { detail: 'The automaton cannot be executed: state 2: line 1: byte 6: a comma is expected here.' });
    }
    if (!question.parameters?.USER) {
      return json(res, 400, { detail: 'parameters.USER is missing: the automaton refers to it.', field: 'parameters.USER' });
    }
    const run = `s${runs.size + 1}.${'A'.repeat(22)}`;
    const played = question.prompts ? 'made' : question.options.runtimeMs === 1_000 ? 'failed' : 'completed';
    const automaton = isStored ? recorded.automaton : question.automaton;
    runs.set(run, { automaton, question, events: seen(recorded[played]), isStopped: false });
    return json(res, 202, { run, secret: 'of this run' });
  }

  /** Runs stand still after the first event that `is` is true of, until what is given back is called. */

  return { ...(await servePlayed('/automaton', routes)), asked, hold };
}
