// The program traps while many runs are under way: each goes on, and tells the same story.
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { configIn } from './config.mjs';
import { addresses, follow, pairOf, PLANS, SPARE, storyOf, uninterrupted } from './kills.mjs';
import {
  assertWhole, eventually, ownSandbox, ownWorker, request, startRun, STATE,
} from './support.mjs';

const RUNS = 10;
/** As the runs: each takes some seconds. */
const LATENCY = 'google=300,image=400,rekognition=500,gemini=900';
/** By now a run has asked for photos. */
const EVENTS_BEFORE = 5;
const PASSED_OVER = 'reading it ended the program twice';

let sandbox = null;
let worker = null;
let expected = null;

before(async () => {
  sandbox = await ownSandbox(['--latency', LATENCY]);
  const folder = await mkdtemp(join(STATE, 'traps-'));
  const config = await configIn(folder, '', 'tests/e2e/trapping.mjs');
  const settings = {
    ...sandbox.settings, PUBLIC: '1', RUNS_PER_CLIENT_MAX: 'none', STARTS_PER_MINUTE_MAX: 'none',
  };
  worker = await ownWorker({ folder, settings, args: ['--config', config] });
  expected = [];
  for (const plan of PLANS) {
    // The first run has the photos drawn: ten runs at once would wait longer for that than a photo is waited for.
    await uninterrupted(worker.base, sandbox.listening, pairOf(plan), plan);
    expected.push(await uninterrupted(worker.base, sandbox.listening, pairOf(plan), plan));
  }
});
after(() => Promise.all([sandbox, worker].map((one) => one?.stop())));

const trap = async (kind, more = '') =>
  (await request(`${worker.base}/health?trap=${kind}${more}`)).json();

for (const kind of ['abort', 'memory']) {
  test(`${RUNS} runs go on after a trap (${kind})`, async (t) => {
    const { traps } = await trap('none');
    // `follow` lets streams be cut where its server was killed.
    const server = { kills: 0, up: () => Promise.resolve() };
    const runs = await Promise.all(Array.from({ length: RUNS }, (_, i) => begin(i, server)));
    const seen = () => runs.filter((run) => run.seen() >= EVENTS_BEFORE || run.isEnded());
    await eventually('events of all runs', () => seen().length === RUNS);
    server.kills += 1;
    const ended = runs.filter((run) => run.isEnded()).length;
    await trap(kind);
    const silences = await Promise.all(runs.map((run) => run.check()));
    assert.equal((await trap('none')).traps, traps + 1);
    assert.ok(ended < RUNS, 'no run was under way');
    t.diagnostic(`${RUNS} of ${RUNS} told the same story, ${RUNS - ended} of them were under way; ` +
      `longest silence ${(Math.max(...silences) / 1000).toFixed(1)} s`);
  });
}

test('an answer that traps whoever reads it is tried once more and then passed over', async (t) => {
  const { traps } = await trap('none');
  let kills = 0;
  // Its streams may be cut at any time.
  const server = { get kills() { return kills++; }, up: () => Promise.resolve() };
  const run = await begin(0, server);
  await eventually('events', () => run.seen() >= EVENTS_BEFORE);
  assert.ok(!run.isEnded(), 'no run was under way');
  await trap('abort', '&suspect=abort');
  const viewer = await run.viewer();
  assert.equal((await trap('none')).traps, traps + 2);
  const sealed = await (await request(`${worker.base}/runs/${run.token}/sealed`)).text();
  const { body } = JSON.parse(sealed);
  const passedOver = body.journal.filter(({ answer }) => JSON.stringify(answer)?.includes(PASSED_OVER));
  assert.equal(passedOver.length, 1);
  const [{ answer }] = passedOver;
  assert.equal(answer.attempts, 0, 'asked for a third time');
  const sent = body.journal.filter(({ intent }) =>
    intent?.command === answer.command && intent.attempt === 1);
  assert.equal(sent.length, 2);
  assert.notEqual(viewer.events.at(-1).type, 'error');
  t.diagnostic(`passed over: ${Object.keys(answer.asked)[0]}`);
});

/** Starts a run and follows it. */
async function begin(number, server) {
  const { plan, pair, story } = expected[number % expected.length];
  const run = await startRun(worker.base, pair, { plan, ...SPARE });
  const [way] = addresses(worker.base, run);
  const arrived = [Date.now()];
  const following = follow(server, way, () => arrived.push(Date.now()));
  let failure = null;
  let isEnded = false;
  following.then(() => (isEnded = true), (error) => (failure = error));
  return {
    seen: () => {
      if (failure) throw failure;
      return arrived.length - 1;
    },
    isEnded: () => isEnded,
    token: run,
    viewer: () => following,
    /** That it was told whole and as ever; the longest time without an event, in milliseconds. */
    check: async () => {
      const viewer = await following;
      assertWhole(viewer, run);
      assert.deepEqual(storyOf(viewer, sandbox.listening), story);
      return Math.max(...arrived.slice(1).map((at, i) => at - arrived[i]));
    },
  };
}
