#!/usr/bin/env node
// Libraries that the page uses, from the packages pinned in package-lock.json, each as one small module in
// `public/vendor/`. They are committed, so that the page can be served as it is.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './places.mjs';

const VENDOR = join(root, 'public', 'vendor');
/** What the page imports from each library. */
export const LIBRARIES = {
  'eventsource-parser': 'createParser',
  'd3-force': 'forceLink, forceSimulation, forceX, forceY',
};

/** A library's module: its path and content. */
export async function vendored(name) {
  const folder = join(root, 'node_modules', name);
  const [words, { license }] = await Promise.all([
    readFile(join(folder, 'LICENSE'), 'utf8'),
    readFile(join(folder, 'package.json'), 'utf8').then(JSON.parse),
  ]);
  const [, copyright] = /^(Copyright .*)$/m.exec(words);
  const { outputFiles: [{ text }] } = await build({
    stdin: { contents: `export { ${LIBRARIES[name]} } from '${name}';`, resolveDir: root },
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    write: false,
    banner: { js: `// ${name}: made by scripts/vendor.mjs. ${license} License, ${copyright}` },
  });
  return { path: join(VENDOR, `${name}.js`), text };
}

if (process.argv[1] === import.meta.filename) {
  for (const name of Object.keys(LIBRARIES)) {
    const { path, text } = await vendored(name);
    await writeFile(path, text);
  }
}
