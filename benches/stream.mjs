// Measures how fast a run streams, in `wrangler dev` against a sandbox without latency: the time to the first event,
// the time to the last, both times for an assistant's call, and the Worker's size. The figures are to be read; there
// are no bounds to pass.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../scripts/places.mjs';
import { withServices } from './stand.mjs';

const RUNS = 20;
/** The revision of the Model Context Protocol in which calls need no session. */
const REVISION = '2026-07-28';

await withServices(async ({ worker }) => {
  const { a, b } = worker.health.example;
  const address = `${worker.base}/investigate?${new URLSearchParams({ a, b })}`;
  const runs = await measureAll(() => measure(address, '\nevent: '));
  report('first event', runs.map(({ firstMs }) => firstMs), 100);
  report('whole example run', runs.map(({ lastMs }) => lastMs), 1000);
  const kinds = [...runs[0].text.matchAll(/^event: (\w+)$/gm)].map(([, kind]) => kind);
  console.log(`  ${kinds.length} events, ended with ${kinds.at(-1)}`);
  const calls = await measureAll(() => {
    return measure(`${worker.base}/mcp`, 'notifications/progress', findChain({ a, b }));
  });
  report('first progress of find_chain', calls.map(({ firstMs }) => firstMs), 200);
  report('whole call of find_chain', calls.map(({ lastMs }) => lastMs), 1000);
}, { settings: { MCP: 'on' } });
const wasm = await readFile(join(root, 'build', 'index_bg.wasm'));
const kilobytes = (bytes) => Math.round(bytes / 1000);
console.log(`index_bg.wasm: ${kilobytes(wasm.length)} kB, gzipped ` +
  `${kilobytes(gzipSync(wasm, { level: 9 }).length)} kB (aim: at most 400 kB)`);

async function measureAll(one) {
  await one(); // The first run draws the photos and warms the isolate.
  const figures = [];
  for (let run = 0; run < RUNS; run += 1) figures.push(await one());
  return figures;
}

/** Measures one run: the milliseconds until the response contains `mark`, and until its end. */
async function measure(address, mark, init = {}) {
  const begin = performance.now();
  const response = await fetch(address, { ...init, signal: AbortSignal.timeout(60_000) });
  let [text, firstMs] = ['', null];
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (firstMs === null && text.includes(mark)) firstMs = performance.now() - begin;
  }
  if (firstMs === null) throw new Error(`${address} answered without ${mark}: ${text.slice(0, 500)}`);
  return { firstMs, lastMs: performance.now() - begin, text };
}

/** Returns the request of a call with progress. Each has its own key, so that each begins a run of its own. */
function findChain(people) {
  const meta = (name) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [meta('protocolVersion')]: REVISION, [meta('clientCapabilities')]: {}, progressToken: 1,
  };
  const params = { name: 'find_chain', arguments: people, _meta };
  const headers = {
    'content-type': 'application/json', accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': 'find_chain',
    'idempotency-key': randomUUID(),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return { method: 'POST', headers, body };
}

function report(what, all, aimMs) {
  const sorted = [...all].sort((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  console.log(`${what}: median ${at(0.5).toFixed(0)} ms, 90 % within ${at(0.9).toFixed(0)} ms ` +
    `(aim: ${aimMs} ms; ${all.length} runs)`);
}
