// The two programs that run while the project is used: the sandbox and `wrangler dev`.
import { createInterface } from 'node:readline';
import { delimiter, join } from 'node:path';
import * as places from './places.mjs';
import { HOST } from './ports.mjs';
import { compile, ended, endGroup, launch } from './processes.mjs';
import { ensureClippy } from './rust.mjs';
import { step, Stop } from './say.mjs';
import { parseSandboxLine, varArguments } from './settings.mjs';

const SANDBOX_LIMIT_MS = 30_000;
const HEALTH_LIMIT_MS = 60_000;
const HEALTH_EVERY_MS = 100;

/** The environment that keeps wrangler from telemetry, prompts, and credentials that are stored elsewhere. */
const WRANGLER_ENVIRONMENT = {
  CI: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CLOUDFLARE_INCLUDE_PROCESS_ENV: 'false',
  CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_SEND_METRICS: 'false',
};

/**
 * wrangler can record each call and row that a Worker writes, for inspection. That takes a fifth more time and memory
 * in the Worker's own process, so it is opt-in.
 */
const WRANGLER_DEFAULTS = { X_LOCAL_OBSERVABILITY: 'false' };

/** The name of the sandbox in progress messages. */
export const SANDBOX = 'the sandbox';

/** Selects only the sandbox's package and its dependencies for a build. */
const SANDBOX_ALONE = ['--package', 'sandbox'];
/** Selects all packages, for tests, since their libraries are then compiled once for all native programs. */
export const SANDBOX_OF_ALL = ['--workspace'];

/** Builds the sandbox and returns its program's path. */
export async function buildSandbox(selection = SANDBOX_ALONE) {
  await ensureClippy();
  // Cargo reports where the program is, since its target folder can be set in several places.
  const args = ['build', ...selection, '--bin', 'sandbox', '--message-format=json-render-diagnostics'];
  const complaint = 'The sandbox could not be built; the compiler says above why.';
  const output = await step(SANDBOX, 'Building the sandbox (about a minute the first time)', () =>
    compile('cargo', args, complaint, { cwd: places.root }),
  );
  const path = sandboxPath(output);
  if (path === null) throw new Stop('Cargo built the sandbox, but does not say where it is.');
  return path;
}

/** The path of the sandbox's program in cargo's messages, which are JSON objects, one per line. */
export function sandboxPath(messages) {
  for (const line of messages.split('\n')) {
    if (!line.startsWith('{')) continue;
    const message = JSON.parse(line);
    if (message.target?.name === 'sandbox' && message.executable) return message.executable;
  }
  return null;
}

/** Starts the sandbox. Resolves once it reports its port. */
export async function startSandbox({ program, port, args = [], stderr = 'inherit' }) {
  const all = ['--port', String(port), ...args];
  const child = launch(program, all, { cwd: places.root, stdout: 'pipe', stderr });
  const service = serviceOf(child, 'The sandbox');
  const lines = createInterface({ input: child.stdout });
  const first = new Promise((resolve) => lines.once('line', resolve));
  const line = await service.before(first, SANDBOX_LIMIT_MS, 'has not said where it listens');
  lines.on('line', (more) => process.stderr.write(`${more}\n`));
  return { ...service, ...parseSandboxLine(line) };
}

/**
 * Starts `wrangler dev`; ready when the Worker's health check succeeds and, unless `mayLack` is set, no setting is
 * missing.
 */
export async function startWorker(options) {
  const { port, persist, settings = {}, args = [], mayLack = false } = options;
  const { logLevel = 'warn', output = 'inherit' } = options;
  const base = `http://${HOST}:${port}`;
  const child = launch(
    places.node,
    [
      places.wrangler, 'dev', '--ip', HOST, '--port', String(port), '--inspector-port', '0',
      '--persist-to', persist, '--log-level', logLevel, '--show-interactive-dev-session=false',
      ...varArguments(settings), ...args,
    ],
    { cwd: places.root, env: wranglerEnvironment(process.env), stdout: output, stderr: output },
  );
  const service = serviceOf(child, 'wrangler dev');
  return { ...service, base, health: await wellAt(base, { service, stop: service.stop, mayLack }) };
}

/** Waits for a Worker's health report, and returns it. If settings are missing or wrong, calls `stop` and throws. */
export async function wellAt(base, { service, stop, mayLack }) {
  const address = `${base}/health`;
  const health = await service.before(healthy(address, service), HEALTH_LIMIT_MS, `does not answer at ${address}`);
  if (mayLack || (health.status === 'ok' && health.wrong === undefined)) return health;
  await stop();
  const missing = [health.missing ?? health.wrong ?? 'unknown'].flat().join(', ');
  throw new Stop(`The Worker answers "${health.status}"; it lacks: ${missing}.`);
}

/** The environment for wrangler, in which Node stores the compiled code of wrangler's 15 MB for the next start. */
export function wranglerEnvironment(env) {
  const path = `${places.packageBins}${delimiter}${env.PATH}`;
  const compiled = { NODE_COMPILE_CACHE: join(places.cacheFolder(env), 'compiled') };
  return { ...WRANGLER_DEFAULTS, ...compiled, ...env, ...WRANGLER_ENVIRONMENT, PATH: path };
}

/** A running child as a service: its end, how to end it, and how to wait for something that only it can do. */
export function serviceOf(child, name) {
  const gone = ended(child, name).then(({ code, signal }) => {
    throw new Stop(`${name} has ended by itself (${signal ?? `code ${code}`}).`);
  });
  gone.catch(() => {});
  const stop = async () => child.pid !== undefined && endGroup(child.pid);
  return { pid: child.pid, ...serviceUntil(gone, { name, stop }) };
}

/** A service that exists until `gone` rejects. */
export function serviceUntil(gone, { name, stop }) {
  const before = async (awaited, limitMs, lack) => {
    let timer;
    const late = new Promise((_, reject) => {
      const complaint = new Stop(`${name} ${lack} after ${limitMs / 1000} s.`);
      timer = setTimeout(() => reject(complaint), limitMs);
    });
    try {
      return await Promise.race([awaited, gone, late]);
    } catch (failure) {
      // No other code knows of the service yet, so it is stopped here; while it runs, this process would not end.
      await stop();
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  };
  return { gone, stop, before };
}

/** Repeats a request until it is answered; stops if the service ends. */
export async function healthy(url, service) {
  let over = false;
  service.gone.catch(() => (over = true));
  while (!over) {
    const health = await fetch(url, { signal: AbortSignal.timeout(5_000) })
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (health?.status) return health;
    await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
  }
  return null;
}
