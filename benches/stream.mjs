// How fast a run streams, in `wrangler dev` against the sandbox without latency: time to the first
// event, time to the last, and the Worker's size. Figures to read, not bounds to pass.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../src/launch/places.mjs';
import { withServices } from './stand.mjs';

const RUNS = 20;

await withServices(async ({ worker }) => {
  const { a, b } = worker.health.example;
  const address = `${worker.base}/investigate?${new URLSearchParams({ a, b })}`;
  await measure(address); // The first run draws the photos and warms the isolate.
  const figures = [];
  for (let run = 0; run < RUNS; run += 1) figures.push(await measure(address));
  report('first event', figures.map(({ firstMs }) => firstMs), 100);
  report('whole example run', figures.map(({ lastMs }) => lastMs), 1000);
  console.log(`  ${figures[0].events} events, ended with ${figures[0].ending}`);
});
const wasm = await readFile(join(root, 'build', 'index_bg.wasm'));
const kilobytes = (bytes) => Math.round(bytes / 1000);
console.log(`index_bg.wasm: ${kilobytes(wasm.length)} kB, gzipped ` +
  `${kilobytes(gzipSync(wasm, { level: 9 }).length)} kB (aim: at most 400 kB)`);

/** One run: milliseconds to the first and to the last event. */
async function measure(address) {
  const begin = performance.now();
  const response = await fetch(address, { signal: AbortSignal.timeout(60_000) });
  let [text, firstMs] = ['', null];
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (firstMs === null && text.includes('\nevent: ')) firstMs = performance.now() - begin;
  }
  const kinds = [...text.matchAll(/^event: (\w+)$/gm)].map(([, kind]) => kind);
  return { firstMs, lastMs: performance.now() - begin, events: kinds.length, ending: kinds.at(-1) };
}

function report(what, all, aimMs) {
  const sorted = [...all].sort((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  console.log(`${what}: median ${at(0.5).toFixed(0)} ms, 90 % within ${at(0.9).toFixed(0)} ms ` +
    `(aim: ${aimMs} ms; ${all.length} runs)`);
}
