// Runs Workers in wrangler, one after the other, for tests that start several: wrangler is loaded once, and watches no
// files. It listens at a given socket, for one client at a time; each request and each answer is one line of JSON. A
// Worker ends with the connection that started it.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { unstable_startWorker as startWorker } from 'wrangler';
import { HOST } from './ports.mjs';

let worker = null;
/** A promise that resolves when all requests received so far are done. */
let done = Promise.resolve();

const orders = {
  async start({ config, port, persist, settings, envFile, logLevel }) {
    const bindings = Object.entries(settings).map(([name, value]) => [name, { type: 'plain_text', value }]);
    worker = await startWorker({
      config,
      bindings: Object.fromEntries(bindings),
      envFiles: [envFile],
      dev: { server: { hostname: HOST, port }, inspector: false, logLevel, persist, watch: false },
    });
    await worker.ready;
  },
  async stop() {
    const stopped = worker;
    worker = null;
    await stopped?.dispose();
  },
};

async function carryOut(order, options) {
  try {
    await orders[order](options);
    return { done: order };
  } catch (error) {
    return { done: order, failure: String(error?.stack ?? error) };
  }
}

let client = null;

const server = createServer((socket) => {
  // This host serves one client; a second one must start a host of its own.
  if (client) return socket.destroy();
  client = socket;
  const tell = (answer) => socket.writable && socket.write(`${JSON.stringify(answer)}\n`);
  // Writing to a client that has ended fails, which is no error here.
  socket.on('error', () => {});
  socket.on('close', () => {
    done = done.then(() => carryOut('stop')).then(({ failure }) => {
      // If a Worker cannot be stopped, this program ends, and the Worker with it.
      if (failure) process.exit(1);
      client = null;
    });
  });
  createInterface({ input: socket }).on('line', (line) => {
    const { order, options } = JSON.parse(line);
    done = done.then(() => carryOut(order, options)).then(tell);
  });
  tell({ done: 'load', pid: process.pid });
});
server.listen(process.argv[2], () => process.send('listening'));
// This program ends with its parent, since nothing else could end it then.
process.on('disconnect', () => process.exit());
