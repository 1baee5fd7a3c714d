// Checks sealed files in a worker, so that the page stays responsive. Its own policy allows WASM, which the page's does
// not.

// On a retry the address is different, so that the browser does not use its cached copy.
const fresh = (name) => new URL(name + location.search, import.meta.url).href;

const ready = import(fresh('./verifier.js')).then(async ({ default: init, verify }) => {
  await init({ module_or_path: fresh('./verifier_bg.wasm') });
  return verify;
});
// The handler below reports this failure for each message. Until then it must not count as an unhandled rejection.
ready.catch(() => {});

self.addEventListener('message', async ({ data: { text } }) => {
  try {
    const verify = await ready;
    self.postMessage({ told: verify(text) });
  } catch (error) {
    // After a trap, the module is in an unknown state, so the page starts a new worker.
    self.postMessage({ failed: String(error) });
  }
});
