// The library of the networks, set up for this thread.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const wasm = require('@tensorflow/tfjs-backend-wasm');

export const tf = require('@tensorflow/tfjs');
export const faceApi = require('@vladmandic/face-api/dist/face-api.node-wasm.js');

/** Loads networks. They use one thread: in Node, the library does not divide the work of a network among several. */
export async function loadNetworks(networks) {
  wasm.setWasmPaths(`${dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json'))}/dist/`);
  await tf.setBackend('wasm');
  await tf.ready();
  const folder = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'model');
  for (const network of networks) await network.loadFromDisk(folder);
}

/** Returns what `use` makes of a picture (`width`, `height` and RGB bytes as `data`) as a tensor. */
export async function withTensor({ data, width, height }, use) {
  const image = tf.tensor3d(new Uint8Array(data.buffer, data.byteOffset, data.length), [height, width, 3], 'int32');
  try {
    return await use(image);
  } finally {
    image.dispose();
  }
}
