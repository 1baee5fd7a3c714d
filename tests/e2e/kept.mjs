// What wrangler keeps on disk of runs.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The rows of all objects by table, and KV's documents. */
export async function whatIsKept(folder) {
  const [rows, documents] = [{}, []];
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.sqlite') || file.endsWith('metadata.sqlite')) continue;
    const database = new DatabaseSync(join(folder, file), { readOnly: true });
    if (file.includes('-RunObject')) countRows(database, rows);
    if (file.includes('KVNamespace')) {
      documents.push(...database.prepare('SELECT key, expiration FROM _mf_entries').all());
    }
    database.close();
  }
  return { rows, documents };
}

function countRows(database, rows) {
  // The platform's own tables begin with an underscore.
  const tables = database.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
  );
  for (const { name } of tables.all()) {
    const { count } = database.prepare(`SELECT count(*) AS count FROM "${name}"`).get();
    rows[name] = (rows[name] ?? 0) + count;
  }
}
