// The database of what runs have recognised, in the folder in which `wrangler dev` keeps it.
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASES, makeTables } from '../../scripts/database.mjs';
import { STATE } from './support.mjs';

/** The folder in which wrangler has made the tables: its command takes two seconds of a processor. */
const withTables = join(STATE, 'empty-memory');

/** Puts a memory in which nothing is yet into a new Worker's folder. */
export async function emptyMemory(folder) {
  await makeTables(withTables);
  await cp(join(withTables, 'v3'), join(folder, 'v3'), { recursive: true });
}

/** The database in the folder of a Worker, opened by this Node's `sqlite`. */
export async function databaseOf(sqlite, folder) {
  const files = await readdir(join(folder, DATABASES));
  const name = files.find((file) => file.endsWith('.sqlite') && file !== 'metadata.sqlite');
  return new sqlite.DatabaseSync(join(folder, DATABASES, name));
}
