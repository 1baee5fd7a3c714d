// A thread that describes faces, so that the service answers meanwhile.
import { parentPort } from 'node:worker_threads';
import { UnreadablePhoto } from './failures.mjs';
import { describeFaces, loadNetworks } from './networks.mjs';

await loadNetworks();
parentPort.on('message', async ({ number, bytes }) => {
  try {
    parentPort.postMessage({ number, faces: await describeFaces(bytes) });
  } catch (error) {
    // Any other error ends this thread, so that a new one begins with networks that are whole.
    if (!(error instanceof UnreadablePhoto)) throw error;
    parentPort.postMessage({ number, error: error.message });
  }
});
parentPort.postMessage({ isReady: true });
