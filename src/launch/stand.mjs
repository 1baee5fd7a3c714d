// A sandbox and a Worker for tests, on free ports, with a state folder that is thrown away.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node, root } from './places.mjs';
import { freePorts } from './ports.mjs';
import { isEnding, run } from './processes.mjs';
import { say } from './say.mjs';
import { buildSandbox, startSandbox, startWorker } from './services.mjs';

const LOG_LINES_SHOWN = 60;

/**
 * Runs the pinned Node with these arguments beside both, and tells it in its environment where they
 * are. Where it fails, errors and the end of what they said are shown.
 */
export async function runBesideServices(args, env = {}) {
  const program = await buildSandbox();
  const folder = await mkdtemp(join(tmpdir(), 'visual-degrees-'));
  // However we leave, by Ctrl-C too.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const logFile = join(folder, 'services.log');
  const log = await open(logFile, 'a');
  const services = [];
  let result = null;
  try {
    const [sandboxPort, port] = await freePorts(2);
    const sandbox = await startSandbox({ program, port: sandboxPort, stderr: log.fd });
    services.push(sandbox);
    const [state, noVars] = [join(folder, 'state'), join(folder, 'no.vars')];
    await mkdir(state);
    await writeFile(noVars, '');
    const worker = await startWorker({
      port,
      persist: state,
      settings: { ...sandbox.settings, PUBLIC: '1' },
      // A named file keeps wrangler from reading .dev.vars, where real keys may be.
      args: ['--env-file', noVars],
      logLevel: 'info',
      output: log.fd,
    });
    services.push(worker);
    say(`  Worker at ${worker.base}, sandbox at ${sandbox.listening}`);
    const where = {
      BASE_URL: worker.base,
      SANDBOX_URL: sandbox.listening,
      PROJECT_STATE_DIR: state,
      // For the tests that need a sandbox and a Worker of their own.
      SANDBOX_PROGRAM: program,
      SERVICES_LOG: logFile,
    };
    result = await run(node, args, {
      cwd: root, tee: true, env: { ...process.env, ...env, ...where },
    });
    return result;
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await log.close();
    if (!result?.ok && !isEnding()) await showEnd(logFile);
  }
}

async function showEnd(logFile) {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  const end = lines.slice(-LOG_LINES_SHOWN);
  // Of a service that ended long before.
  const errors = lines.slice(0, -LOG_LINES_SHOWN).filter((line) => line.includes('ERROR'));
  const shown = [...errors.slice(-LOG_LINES_SHOWN), ...end].join('\n');
  say(`\nErrors and the end of what the sandbox and wrangler said:\n${shown}`);
}
