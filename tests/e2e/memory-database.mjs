// The file in which `wrangler dev` keeps the database of what runs have recognised.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const FILES = join('v3', 'd1', 'miniflare-D1DatabaseObject');

/** The database in the folder of a Worker, opened by this Node's `sqlite`. */
export async function databaseOf(sqlite, folder) {
  const files = await readdir(join(folder, FILES));
  const name = files.find((file) => file.endsWith('.sqlite') && file !== 'metadata.sqlite');
  return new sqlite.DatabaseSync(join(folder, FILES, name));
}
