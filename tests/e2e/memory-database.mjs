// The file in which `wrangler dev` keeps the database of what runs have recognised.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASES } from '../../src/launch/database.mjs';

/** The database in the folder of a Worker, opened by this Node's `sqlite`. */
export async function databaseOf(sqlite, folder) {
  const files = await readdir(join(folder, DATABASES));
  const name = files.find((file) => file.endsWith('.sqlite') && file !== 'metadata.sqlite');
  return new sqlite.DatabaseSync(join(folder, DATABASES, name));
}
