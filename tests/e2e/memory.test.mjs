// What one run has recognised, another does not pay for: the real database of `wrangler dev`, on this machine.

import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { databaseOf, emptyMemory } from './memory-database.mjs';
import { eventsOf, eventually, ownSandbox, ownWorker, post, read, request, startRun, STATE } from './support.mjs';

let sandbox;
let worker;

before(async () => {
  sandbox = await ownSandbox([]);
  const folder = await mkdtemp(join(STATE, 'memory-'));
  await emptyMemory(folder);
  worker = await ownWorker({ settings: settings({ MEMORY: 'on' }), folder });
});
after(() => Promise.all([sandbox?.stop(), worker?.stop()]));

const settings = (more) => ({ ...sandbox.settings, PUBLIC: '1', REPLAY: 'open', PLANNER: 'none', ...more });

async function runOf(base, options = {}, pair = sandbox.example) {
  const run = await startRun(base, pair, options);
  const { events } = await read(eventsOf(base, run));
  return { run, events: events.map(({ data }) => data), end: events.at(-1).data };
}

const names = ({ path }) => path.map(({ name }) => name);

test('a chain between people who are known comes for nothing, by the photos of the first run', async () => {
  const first = await runOf(worker.base);
  assert.equal(first.end.type, 'final', JSON.stringify(first.end));
  assert.equal(first.end.spent.photos.remembered, undefined);
  // What a run keeps, it keeps beside its end.
  const again = await known(async () => runOf(worker.base));
  const { spent } = again.end;
  assert.deepEqual([spent.searchCalls, spent.rekognitionCalls, spent.usd], [0, 0, 0]);
  assert.ok(again.end.path.length <= first.end.path.length, names(again.end).join(' > '));
  assert.equal(spent.photos.remembered, spent.photos.looked);
  const photos = again.end.edges.flatMap(({ evidence }) => evidence);
  for (const photo of photos) {
    assert.equal(photo.remembered.recogniser, 'rekognition');
    assert.match(photo.remembered.at, /^\d{4}-\d\d-\d\dT/);
  }
  const file = await (await request(`${worker.base}/runs/${again.run}/sealed`)).text();
  const report = await (await post(`${worker.base}/replay`, file)).json();
  assert.equal(report.result, 'identical', report.says);
});

test('a run that is not to use it pays for everything', async () => {
  const { end } = await runOf(worker.base, { memory: false });
  assert.equal(end.type, 'final');
  assert.ok(end.spent.rekognitionCalls > 0 && end.spent.searchCalls > 0);
  assert.equal(end.spent.photos.remembered, undefined);
});

test('a database without tables costs nothing but what it would have saved, and is told once', async () => {
  const folder = await mkdtemp(join(STATE, 'memory-'));
  const without = await ownWorker({ settings: settings({ MEMORY: 'on' }), folder });
  const { events, end } = await runOf(without.base);
  await without.stop();
  assert.equal(end.type, 'final');
  const told = events.filter(({ message }) => message?.startsWith('What earlier runs'));
  assert.equal(told.length, 1, JSON.stringify(told));
});

test('what Wikimedia Commons has answered within a week is not asked again', async (t) => {
  const sqlite = await import('node:sqlite').catch(() => null);
  if (!sqlite) return t.skip('this Node has no database of its own');
  const folder = await mkdtemp(join(STATE, 'memory-'));
  await emptyMemory(folder);
  const commons = await ownWorker({ settings: settings({ MEMORY: 'on', IMAGE_SEARCH: 'commons' }), folder });
  t.after(() => commons.stop());
  const before = await runOf(commons.base);
  assert.ok(before.end.spent.searchCalls > 0, JSON.stringify(before.end));
  const database = await databaseOf(sqlite, folder);
  t.after(() => database.close());
  const sent = ({ end }) => end.spent.searchCalls;
  let again = before;
  await eventually('searches that are not made again', async () => {
    // Only the searches are known, unless the run before kept its photos only now.
    for (const table of ['photos', 'pairs', 'people']) database.exec(`DELETE FROM ${table}`);
    again = await runOf(commons.base);
    return sent(again) < sent(before) && again.end.spent.rekognitionCalls > 0;
  });
  assert.equal(again.end.type, 'final', JSON.stringify(again.end));
  assert.equal(again.end.path.length, before.end.path.length, names(again.end).join(' > '));
  const file = await (await request(`${commons.base}/runs/${again.run}/sealed`)).text();
  const report = await (await post(`${commons.base}/replay`, file)).json();
  assert.equal(report.result, 'identical', report.says);
  const answers = JSON.parse(file).body.journal.map(({ answer }) => answer).filter((answer) => answer?.asked.search);
  const given = answers.filter(({ givenMs }) => givenMs > 0);
  // A search that was under way at the end is sent, too.
  assert.ok(given.length > 0 && answers.length - given.length <= sent(again));
});

/** Runs until a run finds what the one before has kept, three times at most. */
async function known(next) {
  let last;
  for (let time = 0; time < 3; time += 1) {
    last = await next();
    if (last.end.spent.rekognitionCalls + last.end.spent.searchCalls === 0) break;
  }
  return last;
}
