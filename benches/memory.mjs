// Measures the queries of the photo memory over a million faces, in the database of `wrangler dev`. Each statement of
// the Worker (tests/memory/statements.json) runs for many people, and the rows that D1 bills are counted. The figures
// are to be read; there are no bounds to pass.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTables } from '../scripts/database.mjs';
import { root } from '../scripts/places.mjs';
import { setUp } from '../scripts/setup.mjs';
import { filesUnder } from '../scripts/stamp.mjs';

const PHOTOS = 333_334;
const PEOPLE = 100_000;
/** The number of photos of the person seen most often. */
const OF_ONE = 100_000;
const FACES_A_PHOTO = 3;
const TIMES = 400;
/** The number of people named as near the other end (RECALL_TOWARD_MAX). */
const TOWARD = 10;
const AT_MS = Date.UTC(2026, 10, 1);
const ROWS_AIM = 200;
const MS_AIM = 50;

/** Returns the path of this project's database file. */
async function databaseIn(place) {
  const files = (await filesUnder(place)).filter((path) => path.includes('D1') && path.endsWith('.sqlite'));
  const { DatabaseSync } = await import('node:sqlite');
  for (const path of files) {
    const made = new DatabaseSync(path);
    if (made.prepare("SELECT 1 FROM sqlite_master WHERE name = 'pairs'").get()) return made;
    made.close();
  }
  throw new Error('There is no database with the tables.');
}

/** Stores photos like runs do, but faster: row by row in one transaction. */
async function fill(made) {
  const began = Date.now();
  made.exec('BEGIN');
  const person = made.prepare('INSERT INTO people VALUES (?, ?, ?, NULL, ?)');
  const name = made.prepare('INSERT OR IGNORE INTO names VALUES (?, ?)');
  const photo = made.prepare(
    'INSERT INTO photos (digest, recogniser, at_ms, body, is_vetoed, hit, faces, people) VALUES (?, ?, ?, NULL, 0, ?, ?, ?)',
  );
  const face = made.prepare('INSERT INTO faces VALUES (?, ?, 95)');
  const pair = made.prepare(
    'INSERT INTO pairs VALUES (?, ?, 1, 95, ?, ?) ON CONFLICT DO UPDATE SET photos = photos + 1',
  );
  const counts = new Uint32Array(PEOPLE);
  for (let number = 0; number < PHOTOS; number += 1) {
    const digest = number.toString(16).padStart(64, '0');
    const shown = shownIn(number);
    const hit = { imageUrl: `https://photos.example/${number}.jpg`, title: `Photo ${number}` };
    const rows = shown.map((who) => [`p${who}`, nameOf(who), 95, nameOf(who).toLowerCase(), null]);
    const faces = rows.map(([id, named]) => [id, named, 95, [0.1, 0.1, 0.2, 0.2], []]);
    photo.run(digest, 'rekognition', AT_MS, JSON.stringify(hit), JSON.stringify(faces), JSON.stringify(rows));
    for (const one of shown) {
      counts[one] += 1;
      face.run(`p${one}`, digest);
      for (const other of shown) if (other !== one) pair.run(`p${one}`, `p${other}`, digest, AT_MS);
    }
  }
  for (let who = 0; who < PEOPLE; who += 1) {
    if (counts[who] === 0) continue;
    const folded = nameOf(who).toLowerCase();
    person.run(`p${who}`, nameOf(who), folded, counts[who]);
    for (const part of [folded, folded.split(' ')[1]]) name.run(part, `p${who}`);
  }
  made.exec('COMMIT');
  const faces = counts.reduce((sum, one) => sum + one, 0);
  const pairs = made.prepare('SELECT count(*) AS rows FROM pairs').get().rows;
  made.close();
  console.log(`${PHOTOS} photos, ${faces} faces, ${pairs} rows of pairs, in ${seconds(began)} s`);
}

const people = (count, numberOf) => JSON.stringify(Array.from({ length: count }, (_, i) => `p${numberOf(i)}`));
const nameOf = (who) => `Person Number${who}`;
const seconds = (began) => ((Date.now() - began) / 1000).toFixed(0);

/**
 * Returns three different people for a photo. The first `OF_ONE` photos show the first person, and a few people are in
 * many photos.
 */
function shownIn(number) {
  const shown = new Set(number < OF_ONE ? [0] : []);
  for (let turn = 1; shown.size < FACES_A_PHOTO; turn += 1) {
    const chance = random(number * 7 + turn);
    shown.add(Math.floor(PEOPLE * chance * chance * chance));
  }
  return [...shown];
}

/** Returns a reproducible number from 0 to 1. */
function random(seed) {
  let mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

async function measure(persist) {
  const { getPlatformProxy } = await import('wrangler');
  const platform = await getPlatformProxy({
    configPath: join(root, 'wrangler.toml'), persist: { path: join(persist, 'v3') },
  });
  try {
    const { texts, steps } = JSON.parse(await readFile(join(root, 'tests', 'memory', 'statements.json'), 'utf8'));
    const sqlOf = (kind, parameters) => {
      const step = steps.find((one) => one.ask === kind && one.parameters.length === parameters);
      return texts[step.text];
    };
    const wanted = ['rekognition', 0, Date.now()];
    const toward = people(TOWARD, (i) => i * 3 + 1);
    const asked = {
      'recall: photos of one': [sqlOf('recalled', 5), (who) => [...wanted, '[]', who]],
      [`recall: photos of two, toward ${TOWARD} others`]: [towardOf(texts), (who, other) => [...wanted, toward, who, other]],
      'the answer to a photo': [sqlOf('faces', 4), (_, __, at) => [digestOf(at), ...wanted]],
      'atlas: those with whom somebody was seen': [sqlOf('lines', 3), (who) => [who, 0, 80]],
      'atlas: people by a name': [sqlOf('people', 1), (who) => [`number${who.slice(1)}`]],
      'atlas: one step of a chain, of 20 people': [
        sqlOf('others', 3), (_, __, at) => [people(20, (i) => at * 20 + i), people(TOWARD, (i) => i * 2_500 + at), 80],
      ],
    };
    for (const [what, [sql, parameters]] of Object.entries(asked)) {
      report(what, await timed(platform.env.DB, sql, parameters));
    }
  } finally {
    await platform.dispose();
  }
}

/** Returns the statement that recalls photos of two people when some people near the other end are named. */
const towardOf = (texts) => texts.find((text) => text.includes('toward.value') && text.includes('?6'));
const digestOf = (at) => (at * 97).toString(16).padStart(64, '0');

/** Measures a statement, first for the people seen most often, then for random ones. */
async function timed(database, sql, parameters) {
  const found = [];
  for (let at = 0; at < TIMES; at += 1) {
    const who = at < TIMES / 4 ? at : Math.floor(random(at) * PEOPLE);
    const prepared = database.prepare(sql).bind(...parameters(`p${who}`, `p${(who * 31) % PEOPLE}`, at));
    const began = performance.now();
    const { meta } = await prepared.all();
    found.push({ ms: performance.now() - began, rows: meta.rows_read });
  }
  return found;
}

function report(what, found) {
  const at = (name, share) => found.map((one) => one[name]).sort((a, b) => a - b)[Math.ceil(share * found.length) - 1];
  const ms = [0.5, 0.99].map((share) => at('ms', share).toFixed(1));
  const aim = what.startsWith('recall') ? ` (aims: ${MS_AIM} ms, ${ROWS_AIM} rows)` : '';
  console.log(
    `${what}: p50 ${ms[0]} ms, p99 ${ms[1]} ms; rows read p50 ${at('rows', 0.5)}, most ${at('rows', 1)}${aim}`,
  );
}

await setUp();
const folder = await mkdtemp(join(tmpdir(), 'visual-degrees-'));
try {
  await makeTables(folder);
  await fill(await databaseIn(folder));
  await measure(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
