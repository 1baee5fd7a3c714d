// What wrangler keeps on disk of runs.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Far longer than a write takes. */
const BUSY_MS_MAX = 10_000;

/** The rows of all objects by table, and KV's documents. */
export async function whatIsKept(folder) {
  const [rows, documents] = [{}, []];
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.sqlite') || file.endsWith('metadata.sqlite')) continue;
    const database = opened(join(folder, file));
    if (file.includes('-RunObject')) countRows(database, rows);
    if (file.includes('KVNamespace')) {
      documents.push(...database.prepare('SELECT key, expiration FROM _mf_entries').all());
    }
    database.close();
  }
  return { rows, documents };
}

/** Puts another text in the place of one of KV's documents, whose key ends so: `change` is given what stands there. */
export async function changeDocument(folder, key, change) {
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.sqlite') || file.endsWith('metadata.sqlite') || !file.includes('KVNamespace')) continue;
    const database = opened(join(folder, file));
    const find = database.prepare('SELECT blob_id FROM _mf_entries WHERE key LIKE ?');
    const found = find.get(`%${key}`);
    database.close();
    if (!found) continue;
    // The text stands in a file of its own, beside the objects of the namespace.
    return changeFile(folder, found.blob_id, change);
  }
  throw new Error(`KV has no document ${key}`);
}

async function changeFile(folder, name, change) {
  const files = await readdir(folder, { recursive: true });
  const path = join(folder, files.find((file) => file.endsWith(name)));
  await writeFile(path, change(await readFile(path, 'utf8')));
}

/** All texts that objects of runs and of idempotency keys keep. */
export async function textsOfObjects(folder) {
  const texts = [];
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.sqlite') || file.endsWith('metadata.sqlite')) continue;
    if (!file.includes('-RunObject')) continue;
    const database = opened(join(folder, file));
    for (const { name } of tablesOf(database)) {
      for (const row of database.prepare(`SELECT * FROM "${name}"`).all()) {
        texts.push(...Object.values(row).filter((value) => typeof value === 'string'));
      }
    }
    database.close();
  }
  return texts.join('\n');
}

/** The Worker may be writing at the moment: then reading waits for it. */
function opened(path) {
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS_MAX}`);
  return database;
}

/** The platform's own tables begin with an underscore. */
const tablesOf = (database) => database.prepare(
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
).all();

function countRows(database, rows) {
  for (const { name } of tablesOf(database)) {
    const { count } = database.prepare(`SELECT count(*) AS count FROM "${name}"`).get();
    rows[name] = (rows[name] ?? 0) + count;
  }
}
