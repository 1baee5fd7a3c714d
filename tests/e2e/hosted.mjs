// Workers of a test's own that start fast: a program that has loaded wrangler starts one after the other.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { HOST } from '../../scripts/ports.mjs';
import { endGroup, membersOf } from '../../scripts/processes.mjs';
import { Stop } from '../../scripts/say.mjs';
import { serviceUntil, wellAt } from '../../scripts/services.mjs';
import { startHost } from '../../scripts/worker-hosts.mjs';
import { configIn } from './config.mjs';

const NAME = 'The host of Workers';
const ORDER_LIMIT_MS = 60_000;

/** The sockets of those that the stand has started, which nobody else uses while this file's tests run. */
const ofStand = (process.env.WORKER_HOSTS ?? '').split(',').filter(Boolean);
/** Those that run no Worker at the moment. */
const free = [];

/** The connection to a program that runs one Worker at a time, in a group of its own with what wrangler starts. */
class WorkerHost {
  #socket;
  #answers = [];
  #pid;
  #service;

  /** Fails where nobody listens there. */
  static async at(path) {
    const socket = connect(path);
    await once(socket, 'connect');
    const host = new WorkerHost(socket);
    host.#pid = (await host.#answer('load')).pid;
    return host;
  }

  constructor(socket) {
    this.#socket = socket;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const gone = closed.then(() => {
      throw new Stop(`${NAME} has ended by itself.`);
    });
    gone.catch(() => {});
    // What is read until then is told by its end.
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => this.#answers.shift()?.(JSON.parse(line)));
    const stop = async () => {
      socket.destroy();
      if (this.#pid) await endGroup(this.#pid);
    };
    this.#service = serviceUntil(gone, { name: NAME, stop });
  }

  /** Gives an order and waits until it is carried out. */
  async carryOut(order, options) {
    this.#socket.write(`${JSON.stringify({ order, options })}\n`);
    await this.#answer(order);
  }

  get isThere() {
    return this.#socket.writable;
  }

  /** Kills what Workers run in, as a machine that fails would. */
  kill() {
    const runtimes = membersOf(this.#pid).filter(({ name }) => name === 'workerd');
    if (runtimes.length === 0) throw new Stop('There is no workerd to kill.');
    for (const { pid } of runtimes) process.kill(pid, 'SIGKILL');
  }

  get service() {
    return this.#service;
  }

  async #answer(order) {
    // A test that is over does not wait for a host that has nothing to do.
    this.#socket.ref();
    const answered = new Promise((resolve) => this.#answers.push(resolve));
    const answer = await this.#service.before(answered, ORDER_LIMIT_MS, `has not carried out "${order}"`);
    this.#socket.unref();
    if (answer.done !== order || answer.failure) {
      await this.#service.stop();
      throw new Stop(`${NAME} failed at "${order}": ${answer.failure ?? answer.done}`);
    }
    return answer;
  }
}

async function hostFor(output) {
  while (free.length > 0) {
    const host = free.pop();
    if (host.isThere) return host;
  }
  while (ofStand.length > 0) {
    const host = await WorkerHost.at(ofStand.shift()).catch(() => null);
    if (host) return host;
  }
  const socket = join(dirname(process.env.PROJECT_STATE_DIR), `host-${randomUUID().slice(0, 8)}`);
  await startHost({ socket, output });
  return WorkerHost.at(socket);
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
  const host = await hostFor(output);
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
