// A thread that describes faces, so that the service answers meanwhile.
import { parentPort } from 'node:worker_threads';
import { describeFaces, loadNetworks } from './networks.mjs';

await loadNetworks();
parentPort.on('message', async ({ number, bytes }) => {
  try {
    parentPort.postMessage({ number, faces: await describeFaces(bytes) });
  } catch (error) {
    parentPort.postMessage({ number, error: error.message });
  }
});
parentPort.postMessage({ isReady: true });
