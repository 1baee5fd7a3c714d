// Checks sealed files in a worker, so that the page stays responsive. Its own policy allows WASM, which the page's does
// not.

// On a retry, the browser must not use its cached copy.
const fresh = (name) => new URL(name + location.search, import.meta.url).href;

const ready = import(fresh('./verifier.js')).then(async ({ default: init, verify }) => {
  await init({ module_or_path: fresh('./verifier_bg.wasm') });
  return verify;
});
// Each question below receives the failure; until then it must not be an unhandled rejection.
ready.catch(() => {});

self.addEventListener('message', async ({ data: { text } }) => {
  try {
    const verify = await ready;
    self.postMessage({ told: verify(text) });
  } catch (error) {
    // After a trap, the module cannot be trusted.
    self.postMessage({ failed: String(error) });
  }
});
