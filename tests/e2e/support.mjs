// What the end-to-end tests share: where the services are, how to ask them, how to read a stream
// with a reader that is not ours, and how to start a second sandbox and Worker.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, open, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { freePorts } from '../../scripts/ports.mjs';
import { endAllOnSignals } from '../../scripts/processes.mjs';
import { startSandbox, startWorker } from '../../scripts/services.mjs';
import { startHosted } from './hosted.mjs';

export const BASE = setting('BASE_URL');
export const SANDBOX = setting('SANDBOX_URL');
export const STATE = setting('PROJECT_STATE_DIR');

/** Far more than anything here takes: a test that reaches it has found something that hangs. */
export const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** Two people of the sandbox's world in one photo: the shortest run there is. */
export const TOGETHER = { a: 'Elizabeth Bennet', b: 'Charlotte Lucas' };
export const LAST_WORDS = ['final', 'no_path', 'error'];

endAllOnSignals();

export function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests by npm test -- --only e2e`);
  return value;
}

/** Looks again and again until there is an answer that counts. */
export async function eventually(what, check, options = {}) {
  const { limitMs = LIMIT_MS, everyMs = LOOK_EVERY_MS } = options;
  for (const until = Date.now() + limitMs; Date.now() < until; ) {
    const answer = await check();
    if (answer) return answer;
    await pause(everyMs);
  }
  return assert.fail(`${what}: not within ${limitMs / 1000} s`);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A request that fails instead of hanging. */
export function request(address, options = {}) {
  return fetch(address, { signal: AbortSignal.timeout(LIMIT_MS), ...options });
}

/** Only an answer's status, with headers that `fetch` would set itself. */
export function statusOf(address, headers) {
  return new Promise((resolve, reject) => {
    const asked = plainRequest(address, { headers, timeout: LIMIT_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.once('error', reject);
    asked.end();
  });
}

export function post(address, body, headers = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = { 'content-type': 'application/json', ...headers };
  return request(address, { method: 'POST', headers: all, body: text });
}

export const investigation = (base, { a, b }, options = {}) =>
  `${base}/investigate?${new URLSearchParams({ a, b, ...options })}`;

export const inBody = ({ a, b }, options = {}) => ({ personA: a, personB: b, options });

export const eventsOf = (base, run) => `${base}/runs/${run}/events`;

/** The secrets of the runs that were started here, by their tokens. */
const secrets = new Map();

/** Starts a run and gives its token. */
export async function startRun(base, pair, options = {}) {
  return created(await post(`${base}/runs`, inBody(pair, options)));
}

/** The token of the run that an answer tells of; its secret is remembered. */
export async function created(answer) {
  assert.equal(answer.status, 202, await answer.clone().text());
  const { run, secret } = await answer.json();
  secrets.set(run, secret);
  return run;
}

/** The header of whoever has started the run. */
export const asCreator = (run) => ({ 'run-secret': secrets.get(run) });

export const stopRun = (base, run, headers = asCreator(run)) =>
  request(`${base}/runs/${run}/stop`, { method: 'POST', headers });

/**
 * Reads a stream to its end, or until `enough(event)` and then leaves. `onEvent` sees each event
 * when it has arrived. With `mayBreak` a broken connection is an end, too.
 */
export async function read(address, options = {}) {
  const { headers = {}, enough = () => false, onEvent, mayBreak = false } = options;
  const response = await request(address, { headers });
  assert.equal(response.status, 200, `${address}: ${response.status}`);
  const bytes = [];
  const stream = parsed({ onEvent });
  const pieces = mayBreak ? untilBroken(response.body) : response.body;
  for await (const piece of pieces) {
    bytes.push(piece);
    const known = stream.events.length;
    stream.feed(Buffer.from(piece));
    // Leaving the loop closes the connection.
    if (stream.events.slice(known).some(enough)) break;
  }
  return { response, ...stream, bytes: Buffer.concat(bytes) };
}

/** The data of a run's events, to the last one or to as many as are enough. */
export async function eventsOfRun(base, run, enough) {
  const { events } = await read(eventsOf(base, run), { enough, mayBreak: true });
  return events.map(({ data }) => data);
}

/** A body's pieces, as far as they come. */
async function* untilBroken(body) {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await pieces.next().catch(() => ({ done: true }));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await pieces.return?.().catch(() => {});
  }
}

/** A stream's events as they were sent, each whole; the advice and heartbeats are none. */
export function framesOf({ bytes }) {
  const text = bytes.toString();
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 2).split(/(?<=\n\n)/);
  return whole.filter((frame) => /^data: /m.test(frame));
}

/** Parses the stream's bytes with an independent reader, one piece after the other. */
function parsed({ onEvent = () => {} }) {
  const found = { events: [], retries: [], order: [] };
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = createParser({
    onRetry: (ms) => {
      found.retries.push(ms);
      found.order.push('retry');
    },
    onEvent: ({ id, event, data }) => {
      found.order.push('event');
      found.events.push({ id, type: event, data: JSON.parse(data), at: Date.now() });
      onEvent(found.events.at(-1));
    },
    onError: (error) => {
      throw error;
    },
  });
  return { ...found, feed: (piece) => parser.feed(decoder.decode(piece, { stream: true })) };
}

/** The events from `first` on: of this run, numbered without a gap, one last word at the end. */
export function assertWhole({ events }, run, first = 1) {
  const expected = events.map((_, i) => `${run}.${first + i}`);
  assert.deepEqual(events.map(({ id }) => id), expected);
  for (const { type, data } of events) {
    assert.equal(data.type, type);
    assert.equal(data.runId, run);
    assert.match(data.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  const last = events.filter(({ type }) => LAST_WORDS.includes(type));
  assert.equal(last.length, 1, `last words: ${last.map(({ type }) => type)}`);
  assert.equal(events.at(-1), last[0], 'something comes after the last word');
}

export const runOf = ({ events }) => events[0].data.runId;
export const numberOf = ({ id }) => Number(id.slice(id.lastIndexOf('.') + 1));

/** The calls that the sandbox has answered, of one provider or of all. */
export async function calls(sandbox, provider = null) {
  const list = await (await request(`${sandbox}/calls`)).json();
  return list.filter((call) => provider === null || call.provider === provider);
}

export async function forgetCalls(sandbox) {
  const answer = await request(`${sandbox}/calls`, { method: 'DELETE' });
  assert.ok(answer.ok);
}

/**
 * Names of nobody. Whether a run for them was ever started shows in the sandbox's calls: a run
 * begins by searching for both names.
 */
export function nobodies() {
  const mark = randomUUID().slice(0, 8);
  return { a: `Nobody ${mark}`, b: `Noone ${mark}` };
}

/** Fails where a run for this pair was started. */
export async function assertNeverSearched(base, sandbox, { a, b }) {
  // A whole run after it: had the other one been started, it would have searched by now.
  const answer = await request(investigation(base, TOGETHER), {
    headers: { accept: 'application/json' },
  });
  assert.equal((await answer.json()).type, 'final');
  const searches = (await calls(sandbox, 'google')).map(({ key }) => key);
  assert.ok(searches.length > 0, 'the list of calls is empty although a run was made');
  assert.deepEqual(searches.filter((key) => key.includes(a) || key.includes(b)), []);
}

/** The run's record, once its last documents are written. */
export function keptRecord(base, run) {
  return eventually(`the record of ${run}`, async () => {
    const headers = { accept: 'application/json' };
    const answer = await request(`${base}/runs/${run}`, { headers });
    const record = answer.ok ? await answer.json() : null;
    return record?.meta.endedWith ? record : null;
  });
}

/** A problem document (RFC 9457) with this status. */
export async function assertProblem(answer, status) {
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  const problem = await answer.json();
  assert.equal(problem.status, status);
  assert.ok(problem.title && problem.detail, JSON.stringify(problem));
  return problem;
}

const started = [];

/** What a file of tests starts for itself: it is ended by `endStarted`. */
export async function startedOne(starting) {
  const one = await starting;
  started.push(one);
  return one;
}

/** Ends all that this file has started. */
export const endStarted = () => Promise.all(started.map((one) => one.stop()));

/** A sandbox of one's own, with arguments like `['--latency', 'google=300,image=200']`. */
export async function ownSandbox(args) {
  const [[port], log] = await Promise.all([freePorts(1), servicesLog()]);
  return startSandbox({ program: setting('SANDBOX_PROGRAM'), port, args, stderr: log.fd });
}

/**
 * A Worker of one's own. The same `folder` again finds what an earlier one has kept; `kill` ends it as a machine that
 * fails would. With arguments of its own, or with the `.dev.vars` beside its configuration, it is `wrangler dev`,
 * and has no `kill`.
 */
export async function ownWorker(options) {
  const { settings, port, folder, mayLack = false, devVars = false, args = [] } = options;
  const { logLevel = 'info' } = options;
  const persist = folder ?? (await mkdtemp(join(STATE, 'worker-')));
  const noVars = join(persist, 'no.vars');
  const [[free], log] = await Promise.all([freePorts(1), servicesLog()]);
  // A named file keeps wrangler from reading .dev.vars, where real keys may be.
  await writeFile(noVars, '');
  const common = { port: port ?? free, persist, settings, mayLack, logLevel, output: log.fd };
  const isPlain = args.length === 0 && !devVars;
  const worker = isPlain
    ? await startHosted({ ...common, envFile: noVars })
    : await startWorker({ ...common, args: [...(devVars ? [] : ['--env-file', noVars]), ...args] });
  return { ...worker, folder: persist, port: common.port };
}

/** Both, with arguments for the sandbox, settings and other options for the Worker. */
export async function ownPair(args, more = {}, options = {}) {
  const sandbox = await ownSandbox(args);
  const settings = { ...sandbox.settings, PUBLIC: '1', ...more };
  const worker = await ownWorker({ settings, ...options });
  const stop = () => Promise.all([sandbox.stop(), worker.stop()]);
  return { base: worker.base, sandbox, worker, settings, example: sandbox.example, stop };
}

/**
 * Both, where runs take seconds and can be interrupted in the middle. No title names anybody, so that a run looks at many
 * photos.
 */
export const slowPair = (latency = 'google=300,image=200,rekognition=400,gemini=300') =>
  ownPair(['--latency', latency, '--captions', '0']);

// Open for the process's life: the services write to it for as long.
let log = null;
/** What all services of one's own have printed. */
export const servicesLogPath = process.env.SERVICES_LOG ?? join(STATE, 'own.log');
const servicesLog = () => (log ??= open(servicesLogPath, 'a'));
