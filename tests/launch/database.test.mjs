// When the database's tables are made anew, and when they are there already.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { areTablesMade, DATABASES, noteTables } from '../../scripts/database.mjs';
import { tablesHash } from '../../scripts/stamp.mjs';

let persist = null;

beforeEach(async () => {
  persist = await mkdtemp(join(tmpdir(), 'database-'));
});
afterEach(() => rm(persist, { recursive: true }));

async function putDatabase(name) {
  const folder = join(persist, DATABASES);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), '');
}

test('tables are made once for the same migrations, and again for others', async () => {
  await putDatabase('a.sqlite');
  assert.equal(await areTablesMade(persist, 'one'), false);
  await noteTables(persist, 'one');
  assert.equal(await areTablesMade(persist, 'one'), true);
  assert.equal(await areTablesMade(persist, 'two'), false);
});

test('tables are made again where the database is gone, alone or with all that was kept', async () => {
  await putDatabase('a.sqlite');
  await noteTables(persist, 'one');
  await rm(join(persist, DATABASES, 'a.sqlite'));
  await putDatabase('other.sqlite');
  assert.equal(await areTablesMade(persist, 'one'), false);
  await rm(join(persist, 'v3'), { recursive: true });
  assert.equal(await areTablesMade(persist, 'one'), false);
});

test('without a database nothing is noted, and a note that no one can read counts for nothing', async () => {
  await noteTables(persist, 'one');
  assert.equal(await areTablesMade(persist, 'one'), false);
  await putDatabase('a.sqlite');
  for (const note of ['not json', '{}', '{"hash":"one"}', '{"hash":"one","databases":[]}', 'null']) {
    await writeFile(join(persist, 'v3', 'd1', 'tables.json'), note);
    assert.equal(await areTablesMade(persist, 'one'), false, note);
  }
});

test('a migration, a new one and the configuration count, and nothing else does', async () => {
  const migrations = join(persist, 'src', 'memory', 'migrations');
  await mkdir(migrations, { recursive: true });
  const seen = new Set();
  const put = async (path, text, isNew) => {
    await writeFile(path, text);
    const hash = await tablesHash(persist);
    assert.equal(seen.has(hash), !isNew, path);
    seen.add(hash);
  };
  await put(join(persist, 'wrangler.toml'), 'name = "one"', true);
  await put(join(migrations, '0001_a.sql'), 'CREATE TABLE a (x)', true);
  await put(join(migrations, '0002_b.sql'), 'CREATE TABLE b (x)', true);
  await put(join(migrations, '0002_b.sql'), 'CREATE TABLE b (y)', true);
  await put(join(persist, 'wrangler.toml'), 'name = "two"', true);
  await put(join(persist, 'Cargo.toml'), '[package]', false);
});
