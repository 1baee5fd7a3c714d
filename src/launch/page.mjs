// Makes what browsers are served, `dist/`, out of `public/`: each module and each style sheet with all that
// it imports in one file. A browser far away asks for three files, and not for fifty, one after the other.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.mjs';

const from = join(root, 'public');
export const served = join(root, 'dist');

/** What documents name; all else is imported by one of these. */
const ENTRIES = ['app.js', 'visual-degrees.js', 'turnstile.js', 'early.js', 'style.css'];
/** Parts of the entries. */
const PARTS = /\/public\/(?:(?:elements|vendor)(?:\/|$)|[^/]+\.(?:js|css)$)/;

/** Some hundred milliseconds, so that nothing is kept of the last time but the verifier. */
export async function buildPage() {
  // Only now: the packages may just have been installed.
  const { build } = await import('esbuild');
  await mkdir(served, { recursive: true });
  await cp(from, served, { recursive: true, force: true, filter: (path) => !PARTS.test(path) });
  await sweep();
  await standIn();
  await build({
    entryPoints: ENTRIES.map((name) => join(from, name)),
    outdir: served,
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    legalComments: 'inline',
    // A sheet that a module imports is a text; `style.css` is one itself, and is written as such.
    plugins: [{ name: 'sheets', setup: asText }],
    logLevel: 'warning',
  });
}

/** What was served before, and is no part of the page any more. */
async function sweep() {
  const kept = new Set([...ENTRIES, 'verifier']);
  for (const name of await readdir(from)) if (!PARTS.test(`${from}/${name}`)) kept.add(name);
  for (const name of await readdir(served)) {
    if (!kept.has(name)) await rm(join(served, name), { recursive: true });
  }
}

/**
 * `wrangler dev` serves what there is when it starts, as it is later: a verifier that is still being built
 * has its place from the beginning.
 */
async function standIn() {
  const folder = join(served, 'verifier');
  if (existsSync(join(folder, 'verifier.js'))) return;
  await writeFile(join(folder, 'verifier_bg.wasm'), '');
  await writeFile(join(folder, 'verifier.js'), 'throw new Error("It is still being built.");\n');
}

function asText({ onLoad, esbuild }) {
  onLoad({ filter: /\.css$/ }, async ({ path, with: { type } = {} }) => {
    if (type !== 'text') return undefined;
    const { code } = await esbuild.transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
    return { contents: code, loader: 'text' };
  });
}
