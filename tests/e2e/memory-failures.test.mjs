// The real database of `wrangler dev` fails in its own forms: each run ends as it does without a memory, and tells that
// once. The file of the database is changed by another program, as only an accident would.

import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { databaseOf, emptyMemory } from './memory-database.mjs';
import { eventsOf, eventually, ownSandbox, ownWorker, read, servicesLogPath, startRun, STATE } from './support.mjs';

const sqlite = await import('node:sqlite').catch(() => null);
/** Counts for so long, each time that it is asked, that the answer comes too late. */
const SLOW = `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 9000000)
  SELECT max(n) FROM counted`;

/** What happens to the database before a run, and whether its answers are missed, so that the run says so. */
const FORMS = [
  { name: 'its tables are of a newer version', sql: 'UPDATE memory SET version = 99', isTold: true },
  { name: 'a column has another name', sql: 'ALTER TABLE pairs RENAME COLUMN digest TO sha', isTold: true },
  { name: 'a table is gone', sql: 'DROP TABLE people', isTold: true },
  {
    name: 'it is full',
    sql: `CREATE TRIGGER full BEFORE INSERT ON photos BEGIN SELECT raise(ABORT, 'database or disk is full'); END`,
    isTold: false,
    logged: 'what runs recognise could not be kept: database or disk is full',
  },
  {
    name: 'it is slow',
    sql: `DROP TABLE people; CREATE VIEW people AS
      SELECT 'x' AS id, 'x' AS name, CAST((${SLOW}) AS TEXT) AS folded, NULL AS number, 0 AS photos`,
    isTold: true,
  },
];

let sandbox;
before(async () => {
  sandbox = await ownSandbox([]);
});
after(() => sandbox?.stop());

/** A Worker with a memory in which nothing is yet, and the folder of its database. */
async function withMemory(t, change) {
  const folder = await mkdtemp(join(STATE, 'memory-failures-'));
  await emptyMemory(folder);
  const database = await databaseOf(sqlite, folder);
  await change(database);
  const settings = { ...sandbox.settings, PUBLIC: '1', PLANNER: 'none', MEMORY: 'on' };
  const worker = await ownWorker({ settings, folder });
  t.after(() => worker.stop());
  return { database, base: worker.base };
}

async function ended(base) {
  const run = await startRun(base, sandbox.example);
  const { events } = await read(eventsOf(base, run));
  const told = events.filter(({ data }) => data.message?.startsWith('What earlier runs'));
  return { end: events.at(-1).data, told: told.map(({ data }) => data.message) };
}

function check({ end, told }, isTold) {
  assert.equal(end.type, 'final', JSON.stringify(end));
  assert.ok(end.spent.rekognitionCalls > 0 && end.spent.searchCalls > 0);
  assert.equal(told.length, isTold ? 1 : 0, told.join(' '));
}

for (const { name, sql, isTold, logged } of FORMS) {
  test(`a run ends as without a memory where ${name}`, async (t) => {
    if (!sqlite) return t.skip('this Node has no database of its own');
    const { database, base } = await withMemory(t, (made) => made.exec(sql));
    database.close();
    // What the first run could not keep, the second pays for as well.
    check(await ended(base), isTold);
    check(await ended(base), isTold);
    if (logged) await eventually('the log says so', async () => (await readFile(servicesLogPath, 'utf8')).includes(logged));
  });
}

test('a run ends as without a memory where another program has locked it', async (t) => {
  if (!sqlite) return t.skip('this Node has no database of its own');
  const { database, base } = await withMemory(t, () => {});
  database.exec('BEGIN EXCLUSIVE');
  const locked = await ended(base);
  database.exec('ROLLBACK');
  database.close();
  // It may be read, and nothing can be written into it.
  check(locked, false);
  const logged = 'what runs recognise could not be kept: database is locked';
  await eventually('the log says so', async () => (await readFile(servicesLogPath, 'utf8')).includes(logged));
  // Once it is free, runs keep what they pay for, and use it.
  await eventually('a run for nothing', async () => (await ended(base)).end.spent.rekognitionCalls === 0);
});
