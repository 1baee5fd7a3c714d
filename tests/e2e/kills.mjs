// What the tests with real kills share: a server that is killed and comes back with what it has
// kept, viewers that reconnect as a browser does, and what must hold for a run after all of it.
import assert from 'node:assert/strict';
import {
  assertWhole, calls, eventsOf, eventually, forgetCalls, framesOf, keptRecord, LAST_WORDS,
  ownSandbox, ownWorker, pause, read, request, startRun,
} from './support.mjs';

export const PLANS = ['both-ends', 'one-sided'];

/**
 * Two people whom a plan connects with searches to spare, while nothing else is under way: what is at the end is told
 * as far as it has come by then.
 */
export const pairOf = (plan) => (plan === 'one-sided'
  ? { a: 'Phileas Fogg', b: 'Pierre Aronnax' }
  : { a: 'Abraham Van Helsing', b: 'Fantine' });

/** A lost search counts as spent: the story shall not end sooner for it. */
export const SPARE = { searches: 50 };

/** A call that is looked for must still be under way when it is found. */
const LOOK_EVERY_MS = 5;
/** So many calls are under way at the same time. */
export const UNDER_WAY_MAX = 5;
/** Where the last event tells how often each paid provider was called. */
const COUNTS = { google: 'searchCalls', rekognition: 'rekognitionCalls', gemini: 'llmCalls' };

/** A server that can be killed; another one comes back at its address with what it has kept. */
export class Server {
  /** How often it was killed. */
  kills = 0;
  #settings;
  #worker;
  #up = Promise.resolve();

  static async start(settings, port) {
    return new Server(settings, await ownWorker({ settings, port }));
  }

  constructor(settings, worker) {
    this.#settings = settings;
    this.#worker = worker;
    this.base = worker.base;
  }

  /** Kills it, and waits until the next one answers. */
  async killAndRestart() {
    this.kills += 1;
    const back = this.#killAndRestart();
    this.#up = back;
    await back;
  }

  async #killAndRestart() {
    const { folder, port } = this.#worker;
    await this.#worker.kill();
    this.#worker = await ownWorker({ settings: this.#settings, port, folder });
  }

  /** Waits until it answers, where it was killed before. */
  up() {
    return this.#up;
  }

  stop() {
    return this.#worker.stop();
  }
}

/**
 * Views a run to its last word. Cut off, the viewer comes back with the last id that it has, as a
 * browser's `EventSource` does. `address` gives where: `EventSource` sends a header, others cannot.
 */
export async function follow(server, address, onEvent = () => {}) {
  const [events, frames] = [[], []];
  while (!LAST_WORDS.includes(events.at(-1)?.type)) {
    const { kills } = server;
    await server.up();
    const stream = await connect(server, kills, address(events.at(-1)?.id), onEvent);
    events.push(...stream.events);
    frames.push(...framesOf(stream));
    const isEnded = LAST_WORDS.includes(events.at(-1)?.type);
    assert.ok(isEnded || server.kills > kills, 'a stream was cut although nobody was killed');
  }
  return { events, frames };
}

async function connect(server, kills, [url, headers], onEvent) {
  try {
    return await read(url, { headers, mayBreak: true, onEvent });
  } catch (error) {
    // While it dies it may refuse, or answer with anything.
    if (server.kills > kills) return { events: [], bytes: Buffer.alloc(0) };
    throw error;
  }
}

/** The ways in which a viewer may come back. */
export function addresses(base, run) {
  const events = eventsOf(base, run);
  const byHeader = (id) => (id === undefined ? {} : { 'last-event-id': id });
  return [
    (id) => [events, byHeader(id)],
    (id) => [id === undefined ? events : `${events}?lastEventId=${id}`, {}],
    (id) => (id === undefined ? [events, {}] : [`${base}/investigate`, byHeader(id)]),
  ];
}

/** A run that nobody interrupts: its story, and the paid calls that it makes. */
export async function uninterrupted(base, sandbox, pair, plan) {
  await forgetCalls(sandbox);
  const run = await startRun(base, pair, { plan, ...SPARE });
  const stream = await read(eventsOf(base, run));
  assertWhole(stream, run);
  assert.equal(stream.events.at(-1).type, 'final');
  const made = await calls(sandbox);
  const paid = paidCalls(made);
  for (const [key, count] of paid) assert.equal(count, 1, `${key} is asked ${count} times`);
  assert.deepEqual(await unanswered(base, run), [], 'calls under way at the end');
  return { plan, pair, story: storyOf(stream, sandbox), paid, calls: made };
}

/** The numbers of the calls of a run that were sent and never answered. */
async function unanswered(base, run) {
  const { body } = await (await request(`${base}/runs/${run}/sealed`)).json();
  const answered = new Set(body.journal.map(({ answer }) => answer?.command));
  const sent = body.journal.map(({ intent }) => intent?.command);
  return sent.filter((command) => command !== undefined && !answered.has(command));
}

/** What is told, without what differs from run to run: times, tokens, spending, ports. */
export function storyOf({ events }, sandbox) {
  return events.map(({ data }) => {
    const { timestamp, runId, spent, ...rest } = data;
    return JSON.parse(JSON.stringify(rest).replaceAll(sandbox, 'sandbox:'));
  });
}

/** How often each paid call has reached its provider. */
function paidCalls(made) {
  const counts = new Map();
  for (const { provider, key } of made.filter((call) => call.provider in COUNTS)) {
    const name = `${provider} ${key}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** A sandbox in which every reply waits for so long. */
export function evenlySlow(ms) {
  const latency = ['google', 'image', 'rekognition', 'gemini'].map((name) => `${name}=${ms}`);
  return ownSandbox(['--latency', latency.join(',')]);
}

/**
 * Conducts the run of `expected` with a kill at each of `places`: `n` is the number of a call and
 * `afterMs` the time from when the sandbox has seen it; its reply waits for the sandbox's latency.
 * Several viewers come back each time. Gives what was paid for again, and for nothing.
 */
export async function killedRun(server, sandbox, expected, places) {
  const { base } = server;
  const before = server.kills;
  await forgetCalls(sandbox.listening);
  const run = await startRun(base, expected.pair, { plan: expected.plan, ...SPARE });
  const following = Promise.all(addresses(base, run).map((way) => follow(server, way)));
  let failure = null;
  following.catch((error) => (failure = error));
  for (const { n, afterMs } of places) {
    const isSeen = async () => {
      // Without its viewers nobody wakes the run, and the call never comes.
      if (failure) throw failure;
      return (await calls(sandbox.listening)).length >= n;
    };
    await eventually(`call ${n}`, isSeen, { everyMs: LOOK_EVERY_MS });
    await pause(afterMs);
    await server.killAndRestart();
  }
  const viewers = await following;
  const kills = server.kills - before;
  return assertSurvived(server, sandbox, { run, viewers, expected, kills });
}

async function assertSurvived({ base }, sandbox, { run, viewers, expected, kills }) {
  const whole = await read(eventsOf(base, run));
  assertWhole(whole, run);
  for (const viewer of viewers) {
    assertWhole(viewer, run);
    assert.deepEqual(viewer.frames, framesOf(whole), 'a viewer was told something else');
  }
  assert.deepEqual(storyOf(whole, sandbox.listening), expected.story);
  const { id, data } = whole.events.at(-1);
  const end = await request(eventsOf(base, run), { headers: { 'last-event-id': id } });
  assert.equal(end.status, 204);
  await assertRecord(base, run, data);
  return assertPaid(await calls(sandbox.listening), data.spent, expected.paid, kills);
}

/** What is kept tells the same end as the stream. */
async function assertRecord(base, run, { type, reason = null, path, spent }) {
  const record = await keptRecord(base, run);
  assert.deepEqual([record.meta.endedWith, record.meta.endedBecause], [type, reason]);
  for (const name of Object.values(COUNTS)) assert.equal(record.spent[name], spent[name], name);
  if (path) assert.deepEqual(record.path.map((one) => one.id), path.map((one) => one.id));
}

/** Bought twice is at most what was under way at a kill, and all that was bought is told. */
function assertPaid(made, spent, expected, kills) {
  const paid = paidCalls(made);
  // Which calls are under way when the end is found is a matter of time.
  const others = [...paid.keys()].filter((key) => !expected.has(key));
  const missing = [...expected.keys()].filter((key) => !paid.has(key));
  for (const keys of [others, missing]) {
    assert.ok(keys.length < UNDER_WAY_MAX, `other calls: ${keys.join('; ')}`);
  }
  const twice = [...paid].filter(([, count]) => count > 1);
  const again = twice.reduce((sum, [, count]) => sum + count - 1, 0);
  assert.ok(again <= kills * UNDER_WAY_MAX, `after ${kills} kills bought again: ${twice.join('; ')}`);
  let unseen = 0;
  for (const [provider, name] of Object.entries(COUNTS)) {
    const count = made.filter((call) => call.provider === provider).length;
    assert.ok(spent[name] >= count, `${count} calls of ${provider}, ${spent[name]} told`);
    unseen += spent[name] - count;
  }
  // Counted but never sent is at most what a kill came before, and what was sent and withdrawn.
  assert.ok(again + unseen <= (kills + 1) * UNDER_WAY_MAX, `${unseen} calls are told that nobody saw`);
  return { again, unseen };
}
