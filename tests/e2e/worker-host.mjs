// Runs Workers in wrangler, one after the other, for a test that starts several: wrangler itself is loaded once, and
// watches no files. A program of its own, which `hosted.mjs` talks to.
import { unstable_startWorker as startWorker } from 'wrangler';
import { HOST } from '../../src/launch/ports.mjs';

let worker = null;

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
    await stopped.dispose();
  },
};

process.on('message', async ({ order, options }) => {
  try {
    await orders[order](options);
    process.send({ done: order });
  } catch (error) {
    process.send({ done: order, failure: String(error?.stack ?? error) });
  }
});
// Nobody is there any more who could end this.
process.on('disconnect', () => process.exit());
process.send({ done: 'load' });
