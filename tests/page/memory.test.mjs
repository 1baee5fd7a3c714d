// The statements of the memory, asked of a real database: it answers as the model does (tests/memory).
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';

const path = (name) => new URL(`../../${name}`, import.meta.url);
const file = (name) => readFile(path(name), 'utf8');
const MIGRATIONS = 'src/memory/migrations';

/** A database with the tables, or null where this Node has none. */
async function database(migrations = Infinity) {
  const sqlite = await import('node:sqlite').catch(() => null);
  if (!sqlite) return null;
  const made = new sqlite.DatabaseSync(':memory:');
  const names = (await readdir(path(MIGRATIONS))).sort().slice(0, migrations);
  for (const name of names) made.exec(await file(`${MIGRATIONS}/${name}`));
  return made;
}

const script = async () => JSON.parse(await file('tests/memory/statements.json'));

/** What is compared of an answer, by the kind of the question. */
const told = {
  recalled: (rows) => [...new Set(rows.map(([, { imageUrl }]) => imageUrl))],
  faces: ({ faces }) => faces.length,
  size: ({ people, photos, pairs }) => [people, photos, pairs],
  lines: ({ threshold, edges, next = null }) => ({
    threshold,
    lines: edges.map(({ to, photos, edgeConfidence, evidence: [{ imageUrl }] }) =>
      [to, photos, edgeConfidence, imageUrl]),
    next,
  }),
  others: (rows) => rows.sort(([a, one, x], [b, other, y]) => a - b || compare(one, other) || x - y),
  path: ({ threshold, path, edges, weakest, isWhole }) => ({
    threshold,
    path: path.map(({ id }) => id),
    lines: edges.map(ends),
    weakest: weakest ? ends(weakest) : null,
    isWhole,
  }),
  person: ({ id, photos }) => [id, photos],
  people: (people) => people.map(({ id }) => id),
  digests: (digests) => digests.sort(),
  search: (row) => row,
};
const ends = ({ from, to }) => [from, to];
const compare = (one, other) => (one < other ? -1 : Number(one > other));

function ask(made, sql, kind, parameters) {
  const row = made.prepare(sql).get(...parameters);
  return row ? told[kind](JSON.parse(row.json)) : null;
}

test('a real database answers as the model does, whatever is kept and forgotten', async (t) => {
  const made = await database();
  if (!made) return t.skip('this Node has no database of its own');
  const { texts, steps } = await script();
  for (const [at, step] of steps.entries()) {
    if (step.change) {
      for (const text of step.change) made.prepare(texts[text]).run(...step.parameters);
      continue;
    }
    const found = ask(made, texts[step.text], step.ask, step.parameters);
    assert.deepEqual(found, step.found, `step ${at}: ${step.ask} ${step.parameters}`);
  }
});

test('an answer is kept with its recogniser and model, whom it looked for, and the portraits', async (t) => {
  const made = await database();
  if (!made) return t.skip('this Node has no database of its own');
  const { texts, steps } = await script();
  const raw = { faces: [], lines: [] };
  for (const { change, text, ask: kind, parameters } of steps) {
    for (const one of change ?? []) made.prepare(texts[one]).run(...parameters);
    if (raw[kind]) raw[kind].push(made.prepare(texts[text]).get(...parameters)?.json ?? 'null');
  }
  const answers = raw.faces.map((json) => JSON.parse(json)).filter(Boolean);
  const own = answers.find(({ recogniser }) => recogniser === 'own');
  assert.deepEqual([own.model, own.candidates], [null, null]);
  const other = answers.find(({ recogniser }) => recogniser === 'portraits');
  assert.deepEqual([other.model, other.candidates], ['m 1', [{ name: 'Ann', number: 'Q1' }]]);
  assert.equal(other.faces[0][5].imageUrl, 'https://photos.example/p.jpg');
  const photos = raw.lines.flatMap((json) => JSON.parse(json)?.edges ?? []).flatMap(({ evidence }) => evidence);
  const byPortraits = photos.filter(({ recognisedBy }) => recognisedBy.model === 'm 1');
  assert.ok(byPortraits.some(({ faces }) => faces.some(({ portrait }) => portrait?.imageUrl)), 'a line shows a portrait');
  assert.ok(photos.some(({ recognisedBy }) => JSON.stringify(recognisedBy) === '{"recogniser":"own"}'));
  assert.ok(raw.lines.every((json) => !json.includes('"portrait":null')));
});

test('tables of a newer version are left alone', async (t) => {
  const made = await database();
  if (!made) return t.skip('this Node has no database of its own');
  made.exec('UPDATE memory SET version = 5');
  const { texts, steps } = await script();
  for (const { change = [], parameters } of steps) {
    for (const text of change) made.prepare(texts[text]).run(...parameters);
  }
  for (const table of ['photos', 'people', 'pairs', 'faces', 'names', 'forgotten', 'searches']) {
    assert.equal(made.prepare(`SELECT count(*) AS rows FROM ${table}`).get().rows, 0, table);
  }
});

test('what an older program had kept is put in order by the second migration', async (t) => {
  const made = await database(1);
  if (!made) return t.skip('this Node has no database of its own');
  const people = (...ids) => JSON.stringify(ids.map((id, i) => [id, `Name ${id}`, 90 - i, `name ${id}`, null]));
  const faces = (...ids) => JSON.stringify(ids.map((id, i) => [id, `Name ${id}`, 90 - i, [0, 0, 1, 1], []]));
  const photo = made.prepare(
    'INSERT INTO photos (digest, recogniser, at_ms, is_vetoed, hit, faces, people) VALUES (?, ?, 5, ?, ?, ?, ?)',
  );
  // A younger answer had taken the place of one that named b, whose line to a stayed.
  photo.run('d1', 'own', 0, '{}', faces('a', 'c', 'unsure'), people('a', 'c'));
  photo.run('d2', 'own', 1, '{}', faces('a', 'e'), people('a', 'e'));
  made.exec(`INSERT INTO people VALUES ('a', 'Name a', 'name a', NULL, 7), ('b', 'Name b', 'name b', NULL, 1);
    INSERT INTO pairs VALUES ('a', 'b', 1, 99, 'd1', 1), ('b', 'a', 1, 99, 'd1', 1)`);
  made.exec(await file(`${MIGRATIONS}/0002_atlas.sql`));
  const all = (sql) => made.prepare(sql).all().map((row) => Object.values(row));
  assert.deepEqual(all('SELECT id, photos FROM people ORDER BY id'), [['a', 2], ['c', 1], ['e', 1]]);
  assert.deepEqual(all('SELECT * FROM pairs ORDER BY person'), [['a', 'c', 1, 89, 'd1', 5], ['c', 'a', 1, 89, 'd1', 5]]);
  assert.deepEqual(all('SELECT person FROM faces ORDER BY person, digest'), [['a'], ['a'], ['c'], ['e'], ['unsure']]);
  assert.deepEqual(all('SELECT part FROM names WHERE person = \'c\''), [['c'], ['name c']]);
  assert.deepEqual(all('SELECT version, photos, people, pairs FROM memory'), [[2, 2, 3, 1]]);
});

test('answers of image searches are dropped when their time is over, and the oldest where there are too many', async (t) => {
  const made = await database();
  if (!made) return t.skip('this Node has no database of its own');
  const { texts } = await script();
  const sql = (begin) => texts.find((text) => text.startsWith(begin));
  const keep = made.prepare(sql('INSERT OR REPLACE INTO searches'));
  const drop = made.prepare(sql('DELETE FROM searches WHERE (until_ms'));
  const kept = () => made.prepare('SELECT question FROM searches ORDER BY number').all().map(({ question }) => question);
  keep.run('old', 1, 10, '{}');
  keep.run('young', 2, 20, '{}');
  drop.run(10);
  assert.deepEqual(kept(), ['young']);
  made.exec('BEGIN');
  for (let number = 0; number < 1_001; number += 1) keep.run(`q${number}`, 3, 30, '{}');
  drop.run(4);
  made.exec('COMMIT');
  const left = kept();
  assert.deepEqual([left.length, left[0], left.at(-1)], [1_000, 'q1', 'q1000']);
});
