// Checks sealed files beside the page, so that the page never stands still. Its own policy allows WASM,
// which the page's does not.

// Asked for again, a browser must not answer with what was there before.
const fresh = (name) => new URL(name + location.search, import.meta.url).href;

const ready = import(fresh('./verifier.js')).then(async ({ default: init, verify }) => {
  await init({ module_or_path: fresh('./verifier_bg.wasm') });
  return verify;
});
// A failure is the answer to each question below. Until one comes, it is no unhandled rejection.
ready.catch(() => {});

self.addEventListener('message', async ({ data: { text } }) => {
  try {
    const verify = await ready;
    self.postMessage({ told: verify(text) });
  } catch (error) {
    // Nothing of it can be trusted after a trap.
    self.postMessage({ failed: String(error) });
  }
});
