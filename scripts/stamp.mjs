// Determines whether the last built Worker is up to date: a hash over all its inputs, stored beside it.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

const FILES = [
  '.cargo/config.toml', 'Cargo.toml', 'Cargo.lock', 'build.rs', 'rust-toolchain.toml', 'scripts/build.mjs',
  'scripts/wasm.mjs', 'scripts/wasm-opt.mjs',
];
/** The inputs of the Worker; the other folders are tests, tools and the page. */
const FOLDERS = ['crates', 'src'];

/** The hash over a checkout's sources and `extra` lines, such as the versions of the tools. */
export async function inputsHash(root, extra) {
  return hashOf(root, await inputs(root), extra);
}

/** The hash over the inputs of the page. */
export async function pageHash(root, extra) {
  const files = await filesUnder(join(root, 'public'));
  return hashOf(root, ['scripts/page.mjs', ...files.map((path) => relative(root, path)).sort()], extra);
}

/** The hash over the files that define a database's tables. */
export async function tablesHash(root) {
  const files = await filesUnder(join(root, 'src', 'memory', 'migrations'));
  return hashOf(root, ['wrangler.toml', ...files.map((path) => relative(root, path)).sort()], []);
}

/** The hash over these paths of a folder, each with its content, and `extra` lines. A link counts by its target. */
export async function hashOf(root, paths, extra) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = contentOf(join(root, path));
    if (content === null) continue;
    // A path and a length precede each content, so that different trees never have the same bytes.
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  for (const line of extra) hash.update(`\0${line}`);
  return hash.digest('hex');
}

/**
 * A file's bytes, or a dangling link's target. For a thousand small files, reading synchronously is four times as fast
 * as reading asynchronously.
 */
function contentOf(path) {
  for (const read of [readFileSync, readlinkSync]) {
    try {
      return Buffer.from(read(path));
    } catch {
      // The path is of the other kind, which is tried next.
    }
  }
  return null;
}

/** The files that may be in the Worker. They are of all kinds, since Rust can include any file. */
async function inputs(root) {
  const found = await Promise.all(FOLDERS.map((folder) => filesUnder(join(root, folder))));
  return [...FILES, ...found.flat().map((path) => relative(root, path)).sort()];
}

/** Every file below a folder. */
export async function filesUnder(folder) {
  const lists = await Promise.all(
    (await readdir(folder, { withFileTypes: true })).map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesUnder(path) : [path];
    }),
  );
  return lists.flat();
}
