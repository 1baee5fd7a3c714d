// Creates the tables of recognised photos in the local database of `wrangler dev`.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as places from './places.mjs';
import { run } from './processes.mjs';
import { wranglerEnvironment } from './services.mjs';
import { Stop } from './say.mjs';
import { tablesHash } from './stamp.mjs';

const COMPLAINT = 'The database for what runs have recognised could not be made; wrangler says:';
/** The folder of databases in the state folder of `wrangler dev`, where this script also leaves its notes. */
export const DATABASES = join('v3', 'd1', 'miniflare-D1DatabaseObject');
const NOTE = join('v3', 'd1', 'tables.json');

/** Creates the tables, or migrates them to this version; does nothing if they are up to date. */
export async function makeTables(persist) {
  // wrangler takes a second and a half to find that there is nothing to do, so a note is checked first.
  const hash = await tablesHash(places.root);
  if (await areTablesMade(persist, hash)) return;
  const told = [];
  const args = [
    places.wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', persist,
  ];
  const options = { cwd: places.root, env: wranglerEnvironment(process.env), told };
  const { ok } = await run(places.node, args, options);
  if (!ok) throw new Stop(`${COMPLAINT}\n${Buffer.concat(told.map(Buffer.from))}`);
  await noteTables(persist, hash);
}

/** Whether the existing tables were made from files with this hash. */
export async function areTablesMade(persist, hash) {
  const note = await readFile(join(persist, NOTE), 'utf8').then(JSON.parse).catch(() => null);
  if (note?.hash !== hash || !Array.isArray(note.databases)) return false;
  const there = await databasesIn(persist);
  return note.databases.length > 0 && note.databases.every((name) => there.includes(name));
}

/** Writes a note about the databases: the hash of the files that their tables were made from. */
export async function noteTables(persist, hash) {
  const databases = await databasesIn(persist);
  if (databases.length > 0) await writeFile(join(persist, NOTE), JSON.stringify({ hash, databases }));
}

async function databasesIn(persist) {
  const names = await readdir(join(persist, DATABASES)).catch(() => []);
  return names.filter((name) => name.endsWith('.sqlite'));
}
