// The statements of the memory, asked of a real database: it answers as the model does (tests/memory).
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const file = (path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** A database with the tables, or null where this Node has none. */
async function database() {
  const sqlite = await import('node:sqlite').catch(() => null);
  if (!sqlite) return null;
  const made = new sqlite.DatabaseSync(':memory:');
  made.exec(await file('src/memory/migrations/0001_photos.sql'));
  return made;
}

const ask = (made, { sql, parameters }) => made.prepare(sql).get(...parameters);

test('a real database answers as the model does, however often photos are kept', async (t) => {
  const made = await database();
  if (!made) return t.skip('this Node has no database of its own');
  const { keep, recalls, answers } = JSON.parse(await file('tests/memory/statements.json'));
  for (const time of [1, 2]) {
    for (const statement of keep.flat()) made.prepare(statement.sql).run(...statement.parameters);
    for (const { asked, found } of recalls) {
      const rows = JSON.parse(ask(made, asked).json);
      const urls = [...new Set(rows.map(([, { imageUrl }]) => imageUrl))];
      assert.deepEqual(urls, found, `time ${time}: ${asked.parameters.slice(4)}`);
    }
    for (const { asked, faces } of answers) {
      const row = ask(made, asked);
      assert.equal(row ? JSON.parse(row.json)[2].length : null, faces, asked.parameters[0]);
    }
  }
});

test('tables of a newer version are left alone', async (t) => {
  const made = await database();
  if (!made) return t.skip('this Node has no database of its own');
  made.exec('UPDATE memory SET version = 2');
  const { keep } = JSON.parse(await file('tests/memory/statements.json'));
  for (const statement of keep.flat()) made.prepare(statement.sql).run(...statement.parameters);
  for (const table of ['photos', 'people', 'pairs']) {
    assert.equal(made.prepare(`SELECT count(*) AS rows FROM ${table}`).get().rows, 0, table);
  }
});
