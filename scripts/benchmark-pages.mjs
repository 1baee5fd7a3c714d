// The third-party pages that automata are measured on: MiniWoB++ and TodoMVC. They are downloaded
// once into the project's cache, checked by hash, and served on loopback.
//
//   node scripts/benchmark-pages.mjs [--port NUMBER]
//
// Prints `{"listening", "miniwob", "todomvc"}`, the addresses of both, and serves until it is stopped.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { isProgram, lockFile, toolFolder } from './places.mjs';
import { must } from './processes.mjs';
import { say, step, Stop } from './say.mjs';
import { serveFiles } from './static-files.mjs';

/** MiniWoB++ by the Farama Foundation, MIT: 130 tasks in the wheel of its Python package. */
export const MINIWOB = {
  name: 'miniwob',
  version: '1.1.0',
  file: 'miniwob-1.1.0-py3-none-any.whl',
  sha256: '297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9',
  /** The folder of the package that is served. */
  inside: join('miniwob', 'html'),
  fetch: (into) => must(
    'python3',
    ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', into, 'miniwob==1.1.0'],
    'The pages of MiniWoB++ could not be fetched: pip says above why.',
    { stdout: 'ignore' },
  ),
  unpack: (file, into) => must(
    'python3',
    ['-m', 'zipfile', '--extract', file, into],
    'The pages of MiniWoB++ could not be unpacked.',
  ),
};

/** TodoMVC by its contributors, MIT: one app, made with 71 frameworks. */
export const TODOMVC = {
  name: 'todomvc',
  version: '0.1.1',
  file: 'todomvc-0.1.1.tgz',
  sha256: 'fd6f05a878cddee9b987ee449d8defa447d087d6b6ffc1d816bbb2cd64a6705f',
  inside: 'package',
  fetch: (into) => must(
    'npm',
    ['pack', 'todomvc@0.1.1', '--ignore-scripts', '--silent', '--pack-destination', into],
    'The apps of TodoMVC could not be fetched: npm says above why.',
    { stdout: 'ignore' },
  ),
  unpack: (file, into) => must(
    'tar',
    ['-xzf', file, '-C', into],
    'The apps of TodoMVC could not be unpacked.',
  ),
};

/** Returns the folder with a source's pages, and downloads them first if they are missing. */
export async function ensurePages(source, folder = toolFolder(source.name, source.version)) {
  const pages = join(folder, source.inside);
  if (existsSync(pages)) return pages;
  const name = `the pages of ${source.name} ${source.version}`;
  await withLock(lockFile(basename(folder)), name, async () => {
    if (!existsSync(pages)) await step(name, `Fetching ${name}`, () => fetched(source, folder));
  });
  return pages;
}

/** Downloads and unpacks into a temporary folder, then renames it, so that the final folder is always complete. */
async function fetched(source, folder) {
  await mkdir(dirname(folder), { recursive: true });
  const part = await mkdtemp(`${folder}.part-`);
  try {
    await source.fetch(part);
    const file = join(part, source.file);
    const bytes = await readFile(file).catch(() => null);
    if (bytes === null) throw new Stop(`${source.file} did not come: another file did, or none.`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== source.sha256) {
      throw new Stop(`${source.file} is another file than the one that is known here: its SHA-256 is ${sha256}.`);
    }
    const unpacked = join(part, 'unpacked');
    await mkdir(unpacked);
    await source.unpack(file, unpacked);
    if (!existsSync(join(unpacked, source.inside))) {
      throw new Stop(`${source.file} has no folder ${source.inside}.`);
    }
    // A folder without its pages is left over from an interrupted download.
    await rm(folder, { recursive: true, force: true });
    await rename(unpacked, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/**
 * Serves the pages of both sources, at addresses like `/miniwob/miniwob/click-test.html` and
 * `/todomvc/examples/vanillajs/`.
 */
export async function serveBenchmarkPages(port = 0) {
  const folders = { miniwob: await ensurePages(MINIWOB), todomvc: await ensurePages(TODOMVC) };
  return serveFiles(folders, port);
}

/** The port in the arguments; 0 if none is given. */
export function portOf(args) {
  if (args.length === 0) return 0;
  const port = Number(args[1]);
  if (args.length !== 2 || args[0] !== '--port' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Stop('The only argument is --port NUMBER, from 0 to 65535.');
  }
  return port;
}

async function main() {
  const { origin } = await serveBenchmarkPages(portOf(process.argv.slice(2)));
  const addresses = {
    listening: origin,
    miniwob: `${origin}/miniwob/miniwob/`,
    todomvc: `${origin}/todomvc/examples/`,
  };
  process.stdout.write(`${JSON.stringify(addresses)}\n`);
}

if (isProgram(import.meta.url)) {
  await main().catch((error) => {
    if (!(error instanceof Stop) && error.code !== 'EADDRINUSE') throw error;
    say(error.message);
    process.exitCode = 1;
  });
}
