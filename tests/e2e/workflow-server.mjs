// A server that plays a recorded run to the page of workflows, with the headers that the page is served with:
// what a browser makes of it does not hang on the tools that a real run would call.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';
import { tarOf } from '../page/tar.mjs';
import { bodyOf, holder, json, servePlayed, streamPlayed } from './played-server.mjs';

export const recorded = JSON.parse(await readFile(join(root, 'tests', 'page', 'orders-run.json'), 'utf8'));
/** The first tool that answers gives a picture, too. */
const picture = await readFile(join(root, 'src', 'nobody.png'));
const digest = createHash('sha256').update(picture).digest('hex');
recorded.completed.find(({ type }) => type === 'tool_result').payload.images = [digest];
const failing = [
  ...recorded.completed.slice(0, recorded.completed.findIndex(({ nodeName }) => nodeName === 'Send report') + 1),
  ...recorded.failed,
];

/**
 * Serves `dist` and plays: a limit of one step is refused at a node, one second fails. `everyMs` is
 * the time between two events. Gives `{base, asked, close}`: `asked` are the bodies of `POST /runs`.
 */
export async function playWorkflows({ everyMs }) {
  const [runs, asked] = [new Map(), []];
  const { hold, held } = holder();
  const routes = [
    [/^GET \/health$/, (_, res) => json(res, 200, { version: '1' })],
    [/^GET \/workflows$/, (_, res) => json(res, 200, {
      workflows: [{ name: 'orders', nodes: 10, description: 'Goes through the open orders.' }],
      servers: [{ name: 'desk' }, { name: 'calculator' }],
    })],
    [/^POST \/runs$/, async (req, res) => create(JSON.parse(await bodyOf(req)), res)],
    [/^POST \/runs\/([^/]+)\/stop$/, (_, res, run) => {
      runs.get(run).isStopped = true;
      json(res, 202, {});
    }],
    [/^GET \/runs\/([^/]+)\/events$/, (_, res, run) =>
      streamPlayed(res, run, runs.get(run), { everyMs, held, stopped: { spent: {}, events_left_out: 0 } })],
    [/^GET \/runs\/([^/]+)\/trace$/, (_, res) => {
      res.writeHead(200, { 'Content-Type': 'application/x-tar' });
      res.end(tarOf([[`orders/2026-11-23_10-00-00_AAAAAAAAAAAA/open_list/artifacts/${digest}.png`, picture]]));
    }],
    [/^GET \/runs\/([^/]+)$/, (_, res, run) => {
      const { workflow, question } = runs.get(run) ?? {};
      if (!workflow) return json(res, 404, { detail: 'There is no such run.' });
      return json(res, 200, { workflow, dialect: question.options.dialect, servers: question.servers, status: 'running' });
    }],
  ];

  function create(question, res) {
    asked.push(question);
    if (question.options.steps === 1) {
      const about = [recorded.workflow.nodes[3].name];
      const detail = `The workflow cannot be executed. If node '${about}' is missing one of its two edges.`;
      return json(res, 409, { detail, field: 'workflow', finding: { kind: 'MissingIfBranch', about } });
    }
    const run = `s${runs.size + 1}.${'A'.repeat(22)}`;
    const workflow = typeof question.workflow === 'string' ? recorded.workflow : question.workflow;
    const events = question.options.runtimeMs === 1_000 ? failing : recorded.completed;
    runs.set(run, { workflow, question, events, isStopped: false });
    return json(res, 202, { run, secret: 'of this run' });
  }

  return { ...(await servePlayed('/workflow', routes)), asked, hold };
}
