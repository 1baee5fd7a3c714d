// What can only be seen while a run is in the middle: many viewers, some who leave, a stop.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  assertWhole, calls, eventsOf, eventually, forgetCalls, framesOf, investigation, keptRecord,
  LAST_WORDS, numberOf, read, request, runOf, slowPair, startRun, stopRun, TOGETHER,
} from './support.mjs';

/** From the stop to the last event: one provider call here is 0.4 s, a whole run about 10 s. */
const STOP_LIMIT_MS = 2_000;

let pair = null;

before(async () => {
  pair = await slowPair();
});
after(() => pair?.stop());

const third = (event) => numberOf(event) === 3;

test('twenty viewers see the same bytes, whenever they come and go', async (t) => {
  const { base, example, sandbox } = pair;
  await forgetCalls(sandbox.listening);
  const run = await startRun(base, example);
  const whole = () => read(eventsOf(base, run));
  const fromTheStart = times(8, whole);
  const restless = times(6, (i) => comeAndGo(eventsOf(base, run), 1 + i));
  const left = await read(eventsOf(base, run), { enough: third });
  // These come when events are there already.
  const late = times(3, whole);
  const back = times(3, () => comeAndGo(eventsOf(base, run), Infinity, left));
  const streams = await Promise.all([...fromTheStart, ...late]);
  for (const stream of streams) {
    assertWhole(stream, run);
    assert.ok(stream.bytes.equals(streams[0].bytes), 'two viewers were told different things');
  }
  for (const viewer of await Promise.all([...restless, ...back])) {
    assertWhole(viewer, run);
    assert.ok(viewer.comings > 1, 'nobody has left');
    assert.deepEqual(viewer.frames, framesOf(streams[0]));
  }
  assert.equal(streams[0].events.at(-1).type, 'final');
  const { bytes } = streams[0];
  assert.ok(left.bytes.length < bytes.length, 'the one who left has seen all of it');
  assert.ok(left.bytes.equals(bytes.subarray(0, left.bytes.length)));
  // Told as it happens, and not all at once at the end.
  const arrivals = new Set(streams[0].events.map(({ at }) => Math.floor(at / 100)));
  assert.ok(arrivals.size > 5, `the events came in ${arrivals.size} heaps`);
  t.diagnostic(`the run took ${streams[0].events.at(-1).data.spent.runtimeMs} ms`);

  // However many look on, it is one run.
  const paid = (await calls(sandbox.listening)).filter(({ provider }) => provider !== 'image');
  const keys = paid.map(({ provider, key }) => `${provider} ${key}`);
  assert.ok(keys.length > 0);
  assert.equal(new Set(keys).size, keys.length, `paid twice: ${keys.sort().join('; ')}`);
});

const times = (count, work) => Array.from({ length: count }, (_, i) => work(i));

/** Leaves after each `count` events and comes back with the id of the last; goes on `after`. */
async function comeAndGo(address, count, after = null) {
  const events = [...(after?.events ?? [])];
  const frames = after ? framesOf(after) : [];
  let comings = after ? 1 : 0;
  while (!LAST_WORDS.includes(events.at(-1)?.type)) {
    const headers = events.length > 0 ? { 'last-event-id': events.at(-1).id } : {};
    let left = count;
    const stream = await read(address, { headers, enough: () => (left -= 1) <= 0 });
    events.push(...stream.events);
    frames.push(...framesOf(stream));
    comings += 1;
  }
  return { events, frames, comings };
}

test('a run goes on when everybody has left', async () => {
  const { base } = pair;
  const left = await read(investigation(base, TOGETHER), { enough: third });
  const run = runOf(left);
  const record = await keptRecord(base, run);
  assert.equal(record.meta.endedWith, 'final');
  const stream = await read(eventsOf(base, run));
  assertWhole(stream, run);
  assert.ok(left.bytes.length < stream.bytes.length, 'the one who left has seen all of it');
  assert.ok(stream.bytes.subarray(0, left.bytes.length).equals(left.bytes));
});

test('a stop ends the run at once, and its spending', async (t) => {
  const { base, example, sandbox } = pair;
  await forgetCalls(sandbox.listening);
  const run = await startRun(base, example);
  let stoppedAt = 0;
  const stop = async () => {
    stoppedAt = Date.now();
    const answer = await stopRun(base, run);
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
  assert.equal((await stopRun(base, run)).status, 202);
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
  await stopRun(base, run);
  await keptRecord(base, run);
});
