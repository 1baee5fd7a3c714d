// Checks sealed files beside the page, so that the page never stands still. Its own policy allows WASM,
// which the page's does not.

import init, { verify } from './verifier.js';

const ready = init();

self.addEventListener('message', async ({ data: { text } }) => {
  try {
    await ready;
    self.postMessage({ told: verify(text) });
  } catch (error) {
    // Nothing of it can be trusted after a trap.
    self.postMessage({ failed: String(error) });
  }
});
