// What can only be seen while a run is in the middle: several viewers, one who leaves, a stop.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  assertWhole, calls, eventsOf, eventually, forgetCalls, investigation, keptRecord, numberOf,
  post, read, request, runOf, slowPair, startRun,
} from './support.mjs';

/** From the stop to the last event: one provider call here is 0.4 s, a whole run about 10 s. */
const STOP_LIMIT_MS = 2_000;

let pair = null;

before(async () => {
  pair = await slowPair();
});
after(() => pair?.stop());

const third = (event) => numberOf(event) === 3;

// Two whole runs, side by side to save time.
describe('viewers', { concurrency: true }, () => {
  test('all viewers see the same bytes, whenever they come and whoever leaves', async (t) => {
    const { base, example } = pair;
    const run = await startRun(base, example);
    const fromTheStart = [1, 2, 3].map(() => read(eventsOf(base, run)));
    const left = await read(eventsOf(base, run), { enough: third });
    // This one comes when events are there already.
    const late = read(eventsOf(base, run));
    const streams = await Promise.all([...fromTheStart, late]);
    for (const stream of streams) {
      assertWhole(stream, run);
      assert.ok(stream.bytes.equals(streams[0].bytes), 'two viewers were told different things');
    }
    assert.equal(streams[0].events.at(-1).type, 'final');
    const { bytes } = streams[0];
    assert.ok(left.bytes.length < bytes.length, 'the one who left has seen all of it');
    assert.ok(left.bytes.equals(bytes.subarray(0, left.bytes.length)));
    // Told as it happens, and not all at once at the end.
    const arrivals = new Set(streams[0].events.map(({ at }) => Math.floor(at / 100)));
    assert.ok(arrivals.size > 5, `the events came in ${arrivals.size} heaps`);
    t.diagnostic(`the run took ${streams[0].events.at(-1).data.spent.runtimeMs} ms`);
  });

  test('a run goes on when everybody has left', async () => {
    const { base, example } = pair;
    const left = await read(investigation(base, example), { enough: third });
    const run = runOf(left);
    const record = await keptRecord(base, run);
    assert.equal(record.meta.endedWith, 'final');
    const stream = await read(eventsOf(base, run));
    assertWhole(stream, run);
    assert.ok(stream.bytes.subarray(0, left.bytes.length).equals(left.bytes));
  });
});

test('a stop ends the run at once, and its spending', async (t) => {
  const { base, example, sandbox } = pair;
  await forgetCalls(sandbox.listening);
  const run = await startRun(base, example);
  let stoppedAt = 0;
  const stop = async () => {
    stoppedAt = Date.now();
    const answer = await post(`${base}/runs/${run}/stop`, '');
    assert.equal(answer.status, 202);
  };
  let stopping = null;
  const onEvent = ({ type }) => {
    // In the middle: the first proof is there, the chain is not.
    if (type === 'evidence') stopping ??= stop();
  };
  const stream = await read(eventsOf(base, run), { onEvent });
  await stopping;
  assertWhole(stream, run);
  const { type, data, at } = stream.events.at(-1);
  assert.deepEqual([type, data.reason], ['no_path', 'stopped']);
  const waited = at - stoppedAt;
  t.diagnostic(`the last event came ${waited} ms after the stop`);
  assert.ok(waited < STOP_LIMIT_MS, `it took ${waited} ms`);

  const atTheEnd = (await calls(sandbox.listening)).length;
  const record = await keptRecord(base, run);
  assert.deepEqual([record.meta.endedWith, record.meta.endedBecause], ['no_path', 'stopped']);
  assert.equal((await calls(sandbox.listening)).length, atTheEnd, 'calls after the end');

  // A second stop and a stop after the end change nothing.
  assert.equal((await post(`${base}/runs/${run}/stop`, '')).status, 202);
  assert.deepEqual((await read(eventsOf(base, run))).bytes, stream.bytes);
});

test('a record in the middle of a run tells that it has not ended', async () => {
  const { base, example } = pair;
  const run = await startRun(base, example);
  const record = await eventually('a first record', async () => {
    const answer = await request(`${base}/runs/${run}`);
    return answer.ok ? answer.json() : null;
  });
  assert.equal(record.meta.endedWith, null);
  assert.match(record.state, /^S[0-5]$/);
  await post(`${base}/runs/${run}/stop`, '');
  await keptRecord(base, run);
});
