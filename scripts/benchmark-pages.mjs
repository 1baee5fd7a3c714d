// The third-party pages that automata are measured on: MiniWoB++ and TodoMVC. They are downloaded
// once into the project's cache, checked by hash, and served on loopback.
//
//   node scripts/benchmark-pages.mjs [--port NUMBER]
//
// Prints `{"listening", "miniwob", "todomvc"}`, the addresses of both, and serves until it is stopped.
import { join } from 'node:path';
import { isProgram } from './places.mjs';
import { must } from './processes.mjs';
import { say, Stop } from './say.mjs';
import { serveFiles } from './static-files.mjs';
import { ensureFiles, pythonPackage } from './third-party.mjs';

/** MiniWoB++ by the Farama Foundation, MIT: 130 tasks in the wheel of its Python package. */
export const MINIWOB = {
  ...pythonPackage(
    'miniwob', '1.1.0', 'miniwob-1.1.0-py3-none-any.whl',
    '297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9',
  ),
  inside: join('miniwob', 'html'),
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

/**
 * Serves the pages of both sources, at addresses like `/miniwob/miniwob/click-test.html` and
 * `/todomvc/examples/vanillajs/`.
 */
export async function serveBenchmarkPages(port = 0) {
  const folders = { miniwob: await ensureFiles(MINIWOB), todomvc: await ensureFiles(TODOMVC) };
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
