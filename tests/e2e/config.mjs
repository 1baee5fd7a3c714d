// The Worker's configuration in another folder than the checkout: where `.dev.vars` lies beside it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';

/**
 * Writes it for the Worker that is built by now, `more` at its end, and gives its path. `main` is
 * another module than the one that the platform loads.
 */
export async function configIn(folder, more = '', main = null) {
  const own = await readFile(join(root, 'wrangler.toml'), 'utf8');
  const config = own
    .replace(/^main = "(.*)"$/m, (_, own) => `main = ${JSON.stringify(join(root, main ?? own))}`)
    .replace(/^\[build\]\n(?:.+\n)*/m, '')
    .replace('directory = "./dist"', `directory = ${JSON.stringify(join(root, 'dist'))}`);
  const path = join(folder, 'main.toml');
  await writeFile(path, config + more);
  return path;
}
