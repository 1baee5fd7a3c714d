// What is the creator's: to stop, to fork and to delete a run. Whoever has its link may watch.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { whatIsKept } from './kept.mjs';
import {
  asCreator, assertProblem, assertWhole, created, eventsOf, eventually, inBody, investigation,
  keptRecord, post, read, request, runOf, slowPair, startRun, stopRun, TOGETHER,
} from './support.mjs';

let pair = null;

before(async () => {
  pair = await slowPair();
});
after(() => pair?.stop());

const remove = (run, headers = asCreator(run)) =>
  request(`${pair.base}/runs/${run}`, { method: 'DELETE', headers });
const evidence = ({ type }) => type === 'evidence';

test('whoever has the link alone may watch, and nothing else', async () => {
  const { base, example } = pair;
  const run = await startRun(base, example);
  const other = await startRun(base, TOGETHER);
  const strangers = [{}, { 'run-secret': '' }, { 'run-secret': 'x' }, asCreator(other)];
  for (const headers of strangers) {
    for (const answer of [
      await stopRun(base, run, headers),
      await post(`${base}/runs`, { fork: { run } }, headers),
      await remove(run, headers),
    ]) {
      assert.match((await assertProblem(answer, 403)).detail, /Run-Secret/);
    }
  }
  const stream = await read(eventsOf(base, run), { enough: evidence });
  assert.ok(stream.events.length > 0);
  assert.equal((await stopRun(base, run)).status, 202);
  const end = await read(eventsOf(base, run));
  assert.equal(end.events.at(-1).data.reason, 'stopped');
  await created(await post(`${base}/runs`, { fork: { run } }, asCreator(run)));
});

test('a stream that starts a run gives its secret, and a stream that goes on does not', async () => {
  const { base, example } = pair;
  const stream = await read(investigation(base, example), { enough: evidence });
  const run = runOf(stream);
  const secret = stream.response.headers.get('run-secret');
  assert.match(secret, /^[\w-]{43}$/);
  const again = await read(eventsOf(base, run), { enough: evidence });
  assert.equal(again.response.headers.get('run-secret'), null);
  for (const told of [stream, again]) assert.ok(!told.bytes.includes(secret));
  assert.equal((await stopRun(base, run, { 'run-secret': secret })).status, 202);
  const record = JSON.stringify(await keptRecord(base, run));
  const sealed = await (await request(`${base}/runs/${run}/sealed`)).text();
  for (const told of [record, sealed]) assert.ok(!told.includes(secret));
});

test('a key that is sent again gives the same run and the same secret', async () => {
  const key = { 'idempotency-key': crypto.randomUUID() };
  const [one, other] = await Promise.all(
    [0, 1].map(async () => (await post(`${pair.base}/runs`, inBody(TOGETHER), key)).json()),
  );
  assert.deepEqual(other, one);
  const headers = { 'run-secret': one.secret };
  assert.equal((await stopRun(pair.base, one.run, headers)).status, 202);
});

test('a run is deleted at once, also in the middle, and does not come back', async () => {
  const { base, example, worker } = pair;
  const key = { 'idempotency-key': crypto.randomUUID() };
  const run = await created(await post(`${base}/runs`, inBody(example), key));
  const watching = read(eventsOf(base, run));
  await read(eventsOf(base, run), { enough: evidence });
  await eventually('its first documents', async () => {
    const answer = await request(`${base}/runs/${run}`);
    return (await answer.json()).meta ? true : null;
  });
  assert.equal((await remove(run)).status, 204);

  // Whoever watched is told that it was stopped, and finds nothing.
  const watched = await watching;
  assertWhole(watched, run);
  assert.equal(watched.events.at(-1).data.reason, 'stopped');
  for (const gone of [
    await request(eventsOf(base, run)),
    await request(`${base}/runs/${run}`),
    await request(`${base}/runs/${run}/sealed`),
    await stopRun(base, run),
    await remove(run),
  ]) {
    assert.equal((await assertProblem(gone, 410)).reason, 'expired');
  }
  const page = await request(`${base}/runs/${run}`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 410);
  const headers = { 'last-event-id': `${run}.1` };
  assert.equal((await request(`${base}/investigate`, { headers })).status, 204);
  const again = await post(`${base}/runs`, inBody(example), key);
  assert.match((await assertProblem(again, 409)).detail, /was deleted/);

  const { documents } = await whatIsKept(worker.folder);
  assert.deepEqual(documents.filter(({ key: name }) => name.includes(run.split('.')[1])), []);
});

test('a run that has ended is deleted as well', async () => {
  const { base } = pair;
  const run = await startRun(base, TOGETHER);
  assertWhole(await read(eventsOf(base, run)), run);
  await keptRecord(base, run);
  assert.equal((await remove(run)).status, 204);
  await assertProblem(await request(`${base}/runs/${run}`), 410);
});
