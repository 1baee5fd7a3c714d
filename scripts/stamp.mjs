// Says whether the Worker that was built last is still the one to build: a hash over all that goes
// into it, kept beside it.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

const FILES = [
  '.cargo/config.toml', 'Cargo.toml', 'Cargo.lock', 'build.rs', 'rust-toolchain.toml', 'scripts/build.mjs',
  'scripts/wasm.mjs', 'scripts/wasm-opt.mjs',
];
/** What the Worker is made of; beside it are only tests, tools and the page. */
const FOLDERS = ['crates', 'src'];

/** The hash over a checkout's sources and `extra` lines, such as the versions of the tools. */
export async function inputsHash(root, extra) {
  return hashOf(root, await inputs(root), extra);
}

/** The hash over what the page is made of. */
export async function pageHash(root, extra) {
  const files = await filesUnder(join(root, 'public'));
  return hashOf(root, ['scripts/page.mjs', ...files.map((path) => relative(root, path)).sort()], extra);
}

/** The hash over what a database's tables are made from. */
export async function tablesHash(root) {
  const files = await filesUnder(join(root, 'src', 'memory', 'migrations'));
  return hashOf(root, ['wrangler.toml', ...files.map((path) => relative(root, path)).sort()], []);
}

/** The hash over these paths of a folder, each with its content, and `extra` lines. A link counts by where it leads. */
export async function hashOf(root, paths, extra) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = contentOf(join(root, path));
    if (content === null) continue;
    // Name and length before the content, so that no two different trees give the same bytes.
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  for (const line of extra) hash.update(`\0${line}`);
  return hash.digest('hex');
}

/** A file's bytes, or where a link leads that leads to none. A thousand small files are read four times as fast so. */
function contentOf(path) {
  for (const read of [readFileSync, readlinkSync]) {
    try {
      return Buffer.from(read(path));
    } catch {
      // It is tried as the other.
    }
  }
  return null;
}

/** Every file that may be in the Worker, not only Rust's: it may include others. */
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
