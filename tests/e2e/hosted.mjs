// Workers of a test's own that start fast: a program that has loaded wrangler starts one after the other.
import { join } from 'node:path';
import { node, root } from '../../src/launch/places.mjs';
import { HOST } from '../../src/launch/ports.mjs';
import { launch, membersOf } from '../../src/launch/processes.mjs';
import { Stop } from '../../src/launch/say.mjs';
import { serviceOf, wellAt, wranglerEnvironment } from '../../src/launch/services.mjs';
import { configIn } from './config.mjs';

const PROGRAM = join(root, 'tests', 'e2e', 'worker-host.mjs');
const ORDER_LIMIT_MS = 60_000;

/** Those that run no Worker at the moment. */
const free = [];

/** A program that runs one Worker at a time, in a group of its own with what wrangler starts. */
class WorkerHost {
  #child;
  #service;

  static async start(output) {
    const host = new WorkerHost(output);
    await host.#done('load');
    return host;
  }

  constructor(output) {
    const env = wranglerEnvironment(process.env);
    const options = { cwd: root, env, stdout: output, stderr: output, hasMessages: true };
    this.#child = launch(node, ['--no-warnings', PROGRAM], options);
    this.#service = serviceOf(this.#child, 'The host of Workers');
    // A test that is over does not wait for it.
    this.#child.unref();
    this.#child.channel.unref();
  }

  /** Gives an order and waits until it is carried out. */
  async carryOut(order, options) {
    // Where it is gone, waiting for its answer says so.
    this.#child.send({ order, options }, () => {});
    await this.#done(order);
  }

  get isThere() {
    return this.#child.connected;
  }

  /** Kills what Workers run in, as a machine that fails would. */
  kill() {
    const runtimes = membersOf(this.#child.pid).filter(({ name }) => name === 'workerd');
    if (runtimes.length === 0) throw new Stop('There is no workerd to kill.');
    for (const { pid } of runtimes) process.kill(pid, 'SIGKILL');
  }

  get service() {
    return this.#service;
  }

  async #done(order) {
    this.#child.channel?.ref();
    const answered = new Promise((resolve) => this.#child.once('message', resolve));
    const answer = await this.#service.before(answered, ORDER_LIMIT_MS, `has not carried out "${order}"`);
    this.#child.channel?.unref();
    if (answer.done !== order || answer.failure) {
      await this.#service.stop();
      throw new Stop(`The host of Workers failed at "${order}": ${answer.failure ?? answer.done}`);
    }
  }
}

function freeHost() {
  while (free.length > 0) {
    const host = free.pop();
    if (host.isThere) return host;
  }
  return null;
}

/** Stops a host's Worker; the host can run another one then. */
async function stopWorkerOf(host) {
  if (!host.isThere) return host.service.stop();
  await host.carryOut('stop');
  free.push(host);
}

/**
 * Starts a Worker with the state of `persist`, as `startWorker` does; `kill` ends it at once, and what it has kept stays.
 * @returns {Promise<{base: string, health: object, stop(): Promise<void>, kill(): Promise<void>}>}
 */
export async function startHosted({ port, persist, settings, envFile, mayLack, logLevel, output }) {
  const host = freeHost() ?? (await WorkerHost.start(output));
  const config = await configIn(persist);
  await host.carryOut('start', { config, port, persist, settings, envFile, logLevel });
  let stopped = null;
  // A Worker that was killed is stopped once more at a file's end.
  const stop = () => (stopped ??= stopWorkerOf(host));
  const kill = async () => {
    if (!stopped) host.kill();
    await stop();
  };
  const base = `http://${HOST}:${port}`;
  const health = await wellAt(base, { service: host.service, stop, mayLack });
  return { base, health, stop, kill };
}
