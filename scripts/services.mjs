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

/** No word to the network, no question to the terminal, no secret from elsewhere. */
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
 * wrangler can keep each call and each row that a Worker writes, to be looked at. It does so in the
 * Worker's own process, where that takes a fifth more time and memory: only for who asks.
 */
const WRANGLER_DEFAULTS = { X_LOCAL_OBSERVABILITY: 'false' };

/** What the person who waits is told. */
export const SANDBOX = 'the sandbox';

/** Alone it waits for what it needs and for nothing else. */
const SANDBOX_ALONE = ['--package', 'sandbox'];
/** For tests: of the very libraries that all other native programs are made of, compiled once. */
export const SANDBOX_OF_ALL = ['--workspace'];

/** Builds the sandbox and gives its program's path. */
export async function buildSandbox(selection = SANDBOX_ALONE) {
  await ensureClippy();
  // Cargo says where it puts the program: its target folder can be set in several places.
  const args = ['build', ...selection, '--bin', 'sandbox', '--message-format=json-render-diagnostics'];
  const complaint = 'The sandbox could not be built; the compiler says above why.';
  const output = await step(SANDBOX, 'Building the sandbox (about a minute the first time)', () =>
    compile('cargo', args, complaint, { cwd: places.root }),
  );
  const path = sandboxPath(output);
  if (path === null) throw new Stop('Cargo built the sandbox, but does not say where it is.');
  return path;
}

/** The sandbox's program among cargo's messages, one JSON object a line. */
export function sandboxPath(messages) {
  for (const line of messages.split('\n')) {
    if (!line.startsWith('{')) continue;
    const message = JSON.parse(line);
    if (message.target?.name === 'sandbox' && message.executable) return message.executable;
  }
  return null;
}

/** Starts the sandbox; ready when it has said where it listens. */
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
 * Starts `wrangler dev`; ready when the Worker says that it is well and, unless `mayLack` is set,
 * lacks nothing.
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

/**
 * Waits until a Worker says how it is, and gives what it says. One that lacks what it needs, or has it wrong, is stopped by
 * `stop`, and that is the error.
 */
export async function wellAt(base, { service, stop, mayLack }) {
  const address = `${base}/health`;
  const health = await service.before(healthy(address, service), HEALTH_LIMIT_MS, `does not answer at ${address}`);
  if (mayLack || (health.status === 'ok' && health.wrong === undefined)) return health;
  await stop();
  const missing = [health.missing ?? health.wrong ?? 'unknown'].flat().join(', ');
  throw new Stop(`The Worker answers "${health.status}"; it lacks: ${missing}.`);
}

/** The environment in which wrangler runs. Node keeps what it has compiled of wrangler's 15 MB for the next start. */
export function wranglerEnvironment(env) {
  const path = `${places.packageBins}${delimiter}${env.PATH}`;
  const compiled = { NODE_COMPILE_CACHE: join(places.cacheFolder(env), 'compiled') };
  return { ...WRANGLER_DEFAULTS, ...compiled, ...env, ...WRANGLER_ENVIRONMENT, PATH: path };
}

/** A running child: when it ends, how to end it, and how to wait for something only it can do. */
export function serviceOf(child, name) {
  const gone = ended(child, name).then(({ code, signal }) => {
    throw new Stop(`${name} has ended by itself (${signal ?? `code ${code}`}).`);
  });
  gone.catch(() => {});
  const stop = async () => child.pid !== undefined && endGroup(child.pid);
  return { pid: child.pid, ...serviceUntil(gone, { name, stop }) };
}

/** A service that is there until `gone` fails. */
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
      // Nobody else knows of it yet, and while it runs, who started it does not end.
      await stop();
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  };
  return { gone, stop, before };
}

/** Asks until there is an answer; stops asking when the one who is asked is gone. */
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
