// A server that is killed in the middle of a run: the next one goes on where it was. And a run
// whose time is over leaves nothing behind, which takes a minute to see: the kills fill it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  evenlySlow, killedRun, pairOf, PLANS, Server, uninterrupted, UNDER_WAY_MAX,
} from './kills.mjs';
import { whatIsKept } from './kept.mjs';
import {
  assertProblem, assertWhole, BASE, endStarted, eventsOf, eventually, inBody, keptRecord, ownWorker, post, read,
  request, SANDBOX, startedOne, startRun, stopRun, TOGETHER,
} from './support.mjs';

const LATENCY_MS = 120;
/** By now the reply has come, and the next call has hardly begun. */
const ANSWERED_MS = LATENCY_MS + 5;
const KILLS_A_PLAN = 5;
/** The shortest that a run may be kept, plus its own shortest time. */
const KEPT = { settings: { RUN_TTL_SECONDS: '60' }, options: { runtimeMs: 1_000 } };
const EXPIRED_LIMIT_MS = 120_000;

let sandbox = null;
let server = null;
let expiring = null;

before(async () => {
  sandbox = await startedOne(evenlySlow(LATENCY_MS));
  const settings = { ...sandbox.settings, PUBLIC: '1' };
  [expiring, server] = await Promise.all([
    runThatExpires({ ...settings, ...KEPT.settings }),
    startedOne(Server.start(settings)),
  ]);
});
after(endStarted);

for (const [position, plan] of PLANS.entries()) {
  test(`killed ${KILLS_A_PLAN} times, a ${plan} run tells and costs the same`, async (t) => {
    const expected = await uninterrupted(BASE, SANDBOX, pairOf(plan), plan);
    // The last ones may not be needed any more.
    const places = spread(expected.calls.length - UNDER_WAY_MAX).map((n, i) => ({
      n,
      // Under way and answered in turn; the other way round in the other plan.
      afterMs: (i + position) % 2 === 0 ? 0 : ANSWERED_MS,
    }));
    const { again, unseen } = await killedRun(server, sandbox, expected, places);
    const at = places.map(({ n }) => n).join(', ');
    t.diagnostic(`killed at calls ${at}: ${again} paid calls sent again, ${unseen} never sent`);
  });
}

/** Numbers of calls from the first to the last. */
function spread(count) {
  const step = (count - 1) / (KILLS_A_PLAN - 1);
  return Array.from({ length: KILLS_A_PLAN }, (_, i) => 1 + Math.round(i * step));
}

test('what was promised just before a kill holds', async () => {
  const { base } = server;
  const key = { 'idempotency-key': crypto.randomUUID() };
  const stopped = await startRun(base, sandbox.example);
  await read(eventsOf(base, stopped), { enough: ({ type }) => type === 'evidence' });
  const promises = await Promise.all([
    stopRun(base, stopped),
    post(`${base}/runs`, inBody(TOGETHER), key),
  ]);
  assert.deepEqual(promises.map(({ status }) => status), [202, 202]);
  const { run } = await promises[1].json();
  await server.killAndRestart();

  const again = await post(`${base}/runs`, inBody(TOGETHER), key);
  assert.deepEqual([again.status, (await again.json()).run], [202, run]);
  const [created, end] = await Promise.all([run, stopped].map((one) => read(eventsOf(base, one))));
  assertWhole(created, run);
  assert.equal(created.events.at(-1).type, 'final');
  assertWhole(end, stopped);
  const { type, reason } = end.events.at(-1).data;
  assert.deepEqual([type, reason], ['no_path', 'stopped']);
});

test('after all that the server works for a new run', async () => {
  const run = await startRun(server.base, sandbox.example, { searches: 1 });
  assertWhole(await read(eventsOf(server.base, run)), run);
});

test('nothing is left of a run whose time is over', async () => {
  const { worker, run } = expiring;
  const { base, folder } = worker;
  const isGone = async () => {
    const answer = await request(`${base}/runs/${run}`);
    return answer.status === 410 ? answer : answer.body.cancel();
  };
  const answer = await eventually('the run expires', isGone, { limitMs: EXPIRED_LIMIT_MS });
  assert.equal((await assertProblem(answer, 410)).reason, 'expired');
  await assertProblem(await request(eventsOf(base, run)), 410);
  await assertProblem(await request(`${base}/runs/${run}/stop`, { method: 'POST' }), 410);
  const headers = { 'last-event-id': `${run}.1` };
  assert.equal((await request(`${base}/investigate`, { headers })).status, 204);

  await worker.stop();
  const { rows, documents } = await whatIsKept(folder);
  assert.deepEqual(rows, {}, 'the object still holds something');
  // wrangler's KV deletes what has expired only when it is asked for it; nobody can read it then.
  const readable = documents.filter(({ expiration }) => !(expiration <= Date.now()));
  // That it is over, and no word of it.
  const over = `over:${createHash('sha256').update(run).digest('hex')}`;
  assert.deepEqual(readable.map(({ key }) => key), [over]);
});

/** A run that has ended and is there, on a server that keeps runs for the shortest time. */
async function runThatExpires(settings) {
  const worker = await startedOne(ownWorker({ settings }));
  const run = await startRun(worker.base, sandbox.example, KEPT.options);
  assertWhole(await read(eventsOf(worker.base, run)), run);
  await keptRecord(worker.base, run);
  // What is looked for later is found now.
  const { rows, documents } = await whatIsKept(worker.folder);
  assert.ok(rows.journal > 0 && rows.events > 0, JSON.stringify(rows));
  assert.ok(documents.length > 0 && documents.every(({ expiration }) => expiration > Date.now()));
  return { worker, run };
}
