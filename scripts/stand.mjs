// A stand for tests: a sandbox and a Worker, on free ports, with a temporary state folder.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node, root } from './places.mjs';
import { freePorts } from './ports.mjs';
import { isEnding, run } from './processes.mjs';
import { say } from './say.mjs';
import { buildSandbox, startSandbox, startWorker } from './services.mjs';
import { startHost } from './worker-hosts.mjs';

const LOG_LINES_SHOWN = 60;

/**
 * Runs the pinned Node with these arguments on a stand, whose addresses are in its environment. If it fails, shows
 * errors and the end of both logs.
 */
export async function runBesideServices(args, env = {}) {
  const stand = await openStand(await buildSandbox());
  let result = null;
  try {
    say(`  Worker at ${stand.env.BASE_URL}, sandbox at ${stand.env.SANDBOX_URL}`);
    result = await run(node, args, {
      cwd: root, tee: true, env: { ...process.env, ...env, ...stand.env },
    });
    return result;
  } finally {
    await stand.close();
    if (!result?.ok && !isEnding()) say(await stand.lastWords());
  }
}

/** Starts a stand, with this many hosts for the tests' own Workers; `env` has the addresses for the tests. */
export async function openStand(program, { hosts = 0 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'visual-degrees-'));
  // The folder is also removed after Ctrl-C.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const logFile = join(folder, 'services.log');
  const log = await open(logFile, 'a');
  const services = [];
  const close = async () => {
    await Promise.all(services.map((service) => service.stop()));
    await log.close();
  };
  const lastWords = () => endOf(logFile);
  try {
    const [sandboxPort, port] = await freePorts(2);
    const sandbox = await startSandbox({ program, port: sandboxPort, stderr: log.fd });
    services.push(sandbox);
    const state = join(folder, 'state');
    await mkdir(state);
    const worker = await startWorker(workerOptions({ sandbox, port, state, log, noVars: await noVarsIn(folder) }));
    services.push(worker);
    const sockets = Array.from({ length: hosts }, (_, number) => join(folder, `host-${number}`));
    await Promise.all(sockets.map(async (socket) => services.push(await startHost({ socket, output: log.fd }))));
    const env = {
      BASE_URL: worker.base,
      SANDBOX_URL: sandbox.listening,
      PROJECT_STATE_DIR: state,
      // The path of the program, for tests that need a sandbox of their own.
      SANDBOX_PROGRAM: program,
      WORKER_HOSTS: sockets.join(','),
      SERVICES_LOG: logFile,
    };
    return { env, close, lastWords };
  } catch (error) {
    await close();
    if (!isEnding()) say(await lastWords());
    throw error;
  }
}

/**
 * The path of an empty file for settings. Naming it keeps wrangler from reading .dev.vars, which may contain real keys.
 */
async function noVarsIn(folder) {
  const path = join(folder, 'no.vars');
  await writeFile(path, '');
  return path;
}

function workerOptions({ sandbox, port, state, log, noVars }) {
  return {
    port,
    persist: state,
    settings: { ...sandbox.settings, PUBLIC: '1', MCP: 'on' },
    args: ['--env-file', noVars],
    logLevel: 'info',
    output: log.fd,
  };
}

async function endOf(logFile) {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  const end = lines.slice(-LOG_LINES_SHOWN);
  // The errors in earlier lines, such as those of a service that ended long before.
  const errors = lines.slice(0, -LOG_LINES_SHOWN).filter((line) => line.includes('ERROR'));
  const shown = [...errors.slice(-LOG_LINES_SHOWN), ...end].join('\n');
  return `\nErrors and the end of what the sandbox and wrangler said:\n${shown}`;
}
