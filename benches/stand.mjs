// The common basis of the benchmarks: starts a sandbox and a Worker, and measures the resources that the Worker's
// process uses.
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAlone } from './alone.mjs';
import { buildWorker } from '../scripts/build.mjs';
import { makeTables } from '../scripts/database.mjs';
import { root } from '../scripts/places.mjs';
import { freePorts } from '../scripts/ports.mjs';
import { endAllOnSignals } from '../scripts/processes.mjs';
import { buildSandbox, startSandbox, startWorker } from '../scripts/services.mjs';
import { setUp } from '../scripts/setup.mjs';

/** A tick of the clocks in `/proc`, in milliseconds. */
const TICK_MS = 10;

endAllOnSignals();

/** The classes of this project's Durable Objects, by binding. */
const OBJECTS = { RUNS: 'RunObject', BUDGET: 'BudgetObject' };

/**
 * Starts a sandbox and a Worker, passes them to `work`, and ends them afterwards. `log` is the path of the Worker's
 * log. The Worker runs in `wrangler dev`, or in `workerd` without wrangler if `isAlone`.
 */
export async function withServices(work, { sandboxArgs = [], settings = {}, isAlone = false } = {}) {
  await setUp();
  await buildWorker();
  const program = await buildSandbox();
  const folder = await mkdtemp(join(tmpdir(), 'visual-degrees-'));
  const [services, files] = [[], []];
  try {
    const [sandboxPort, port] = await freePorts(2);
    const sandbox = await startSandbox({ program, port: sandboxPort, args: sandboxArgs });
    services.push(sandbox);
    const log = join(folder, 'worker.log');
    const logFile = await open(log, 'a');
    files.push(logFile);
    const all = { ...sandbox.settings, PUBLIC: '1', ...settings };
    const start = isAlone ? startOurs : startInWrangler;
    const worker = await start({ port, folder, settings: all, output: logFile.fd });
    services.push(worker);
    return await work({ worker, sandbox, folder, log });
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all(files.map((file) => file.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function startInWrangler({ port, folder, settings, output }) {
  const [persist, noVars] = [join(folder, 'state'), join(folder, 'no.vars')];
  await mkdir(persist);
  await writeFile(noVars, '');
  if (settings.MEMORY) await makeTables(persist);
  const args = ['--env-file', noVars];
  return startWorker({ port, persist, settings, args, logLevel: 'log', output });
}

function startOurs({ port, folder, settings, output }) {
  const config = join(root, 'wrangler.toml');
  const ours = { config, folder: join(folder, 'alone'), objects: OBJECTS, path: '/health' };
  return startAlone({ ...ours, port, settings, output });
}

/** Returns the ids of the `workerd` processes that `wrangler dev` has started, the Worker's first. */
export async function workerdOf({ pid }) {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(names.map(async (name) => {
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
    const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isOne = stat.includes('(workerd)') && Number(group) === pid;
    return isOne ? { pid: Number(name), bytes: await peakBytes(name) } : null;
  }));
  // wrangler has another process for its own proxy. The Worker's process is larger, because it has a WebAssembly
  // module.
  const all = found.filter(Boolean).sort((one, other) => other.bytes - one.bytes);
  return all.map((one) => one.pid);
}

/** Returns the processor time that processes have used since they began, in milliseconds. */
export async function cpuMs(pids) {
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'latin1')));
  const ticks = stats.map((stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}

/** Returns the peak memory of a process in bytes, since [`forgetPeak`] or else since its beginning. */
export async function peakBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

/** Resets a process's peak memory, so that a new peak is measured from now on. */
export const forgetPeak = (pid) => writeFile(`/proc/${pid}/clear_refs`, '5');
