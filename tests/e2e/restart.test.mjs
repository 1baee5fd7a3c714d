// A server that dies in the middle of a run: another one goes on where it was.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  assertWhole, eventsOf, keptRecord, numberOf, ownWorker, read, request, slowPair, startRun,
} from './support.mjs';

const started = [];
after(() => Promise.all(started.map((one) => one.stop())));

test('after a crash the run goes on, for all who come back', async () => {
  const { base, worker, settings, example, stop } = await slowPair();
  started.push({ stop });
  const run = await startRun(base, example);
  // To somewhere in the middle, where something has been proven.
  const seen = await read(eventsOf(base, run), { enough: ({ type }) => type === 'evidence' });
  process.kill(-worker.pid, 'SIGKILL');
  await worker.gone.catch(() => {});

  const { folder, port } = worker;
  const again = await ownWorker({ settings, port, folder });
  started.push(again);
  const count = numberOf(seen.events.at(-1));
  const headers = { 'last-event-id': `${run}.${count}` };
  // Several come back at once, and still the end is told once.
  const [rest, ...others] = await Promise.all([
    read(eventsOf(base, run), { headers }),
    read(eventsOf(base, run), { headers }),
    read(`${base}/investigate?lastEventId=${run}.${count}`),
  ]);
  assertWhole(rest, run, count + 1);
  for (const other of others) assert.ok(other.bytes.equals(rest.bytes));
  const { type, data } = rest.events.at(-1);
  assert.equal(type, 'final');
  assert.ok(data.spent.searchCalls > 0, JSON.stringify(data.spent));

  const whole = await read(eventsOf(base, run));
  assertWhole(whole, run);
  const before = seen.bytes.toString();
  assert.ok(whole.bytes.toString().startsWith(before), 'what was told before has changed');
  const end = { 'last-event-id': rest.events.at(-1).id };
  assert.equal((await request(eventsOf(base, run), { headers: end })).status, 204);
  const { meta } = await keptRecord(base, run);
  assert.deepEqual([meta.endedWith, meta.endedBecause], ['final', null]);
  // And the new server works.
  const next = await startRun(base, example, { searches: 1 });
  assertWhole(await read(eventsOf(base, next)), next);
});
