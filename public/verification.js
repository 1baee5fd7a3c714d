// Checks a sealed file in this browser, in a worker, by the same core as the server's, compiled to WASM.

import { list, number, record, text } from './safe.js';

const WAIT_MS_MAX = 30_000;
const WORKER = new URL('./verifier/worker.js', import.meta.url);

let attempts = 0;

/**
 * Resolves to the result: `{kind: 'checked', ...}`, `{kind: 'refused', says}` if it is no sealed run, or `{kind:
 * 'unavailable', why}` if no check is possible here: `elsewhere`, `unable`, `missing` or `large`. Each file has its own
 * worker, so that nothing is left of an earlier one.
 */
export async function verify(sealed) {
  // Browsers start no worker from another origin, so an embedded element cannot check.
  if (WORKER.origin !== location.origin) return { kind: 'unavailable', why: 'elsewhere' };
  if (typeof WebAssembly === 'undefined') return { kind: 'unavailable', why: 'unable' };
  const address = new URL(WORKER);
  // A file of the verifier that was missing a moment ago may be available now, so a changed address avoids the cache.
  if (attempts > 0) address.searchParams.set('attempt', attempts);
  let worker = null;
  try {
    worker = new Worker(address, { type: 'module' });
    return read(await answer(worker, sealed));
  } catch {
    attempts += 1;
    return { kind: 'unavailable', why: 'missing' };
  } finally {
    worker?.terminate();
  }
}

function answer(worker, sealed) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no answer')), WAIT_MS_MAX);
    worker.addEventListener('error', reject);
    worker.addEventListener('message', ({ data }) =>
      data.told === undefined ? reject(new Error(data.failed)) : resolve(data.told));
    worker.postMessage({ text: sealed });
  });
}

function read(told) {
  const { error, isTooMuch, report, links } = record(JSON.parse(told));
  if (isTooMuch === true) return { kind: 'unavailable', why: 'large' };
  if (text(error)) return { kind: 'refused', says: error };
  const { result, digest, origin, events, engine } = record(report);
  return {
    kind: 'checked',
    isSame: result === 'identical',
    says: text(record(report).says),
    digest: text(record(digest).computed),
    origin: text(origin),
    events: number(events) ?? 0,
    engine: text(record(engine).replayed),
    links: list(links).map(record),
  };
}
