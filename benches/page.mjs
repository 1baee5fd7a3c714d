// Measures what the page costs a visitor, in Chromium against `wrangler dev` and the sandbox: bytes over the wire;
// first paint, and the time to the example, at slow 4G with a processor four times slower; the longest task and the
// layout shift while a run streams; frames with 300 people in the graph; and the check of a sealed run. The figures are
// to be read; there are no bounds to pass.
import { ensureChromium } from '../scripts/chromium.mjs';
import { buildVerifier } from '../scripts/verifier.mjs';
import { withServices } from './stand.mjs';
import { crowdedFile } from './crowded-file.mjs';

/** Lighthouse's slow 4G: a round trip of 150 ms and 1.6 Mbit per second. */
const SLOW_4G = {
  offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8,
};
const CPU_RATE = 4;
const PEOPLE = 300;
const TIMES = 3;
/** Latencies that make a run stream for some seconds. */
const LATENCY = ['--latency', 'google=300,image=200,rekognition=300,gemini=500'];

const { chromium } = await import('playwright-core');
await buildVerifier();
const executablePath = await ensureChromium();
await withServices(async ({ worker, sandbox }) => {
  const browser = await chromium.launch({
    executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
  try {
    await wire(browser, worker);
    for (let time = 0; time < TIMES; time += 1) await slowStart(browser, worker);
    for (let time = 0; time < TIMES; time += 1) await slowRun(browser, worker, sandbox);
    await frames(browser, worker);
    await verifier(browser, worker);
  } finally {
    await browser.close();
  }
}, { sandboxArgs: LATENCY });

async function opened(browser, { isSlow = false } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const tools = await context.newCDPSession(page);
  await tools.send('Network.enable');
  if (isSlow) {
    await tools.send('Network.emulateNetworkConditions', SLOW_4G);
    await tools.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE });
  }
  return { context, page, tools };
}

/** Runs in the page: records its layout shift, its longest task and the time until the example is shown. */
function watch() {
  window.kept = { shift: 0, longestMs: 0, exampleMs: null };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.kept.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      window.kept.longestMs = Math.max(window.kept.longestMs, duration);
    }
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.querySelector('#person-a')?.value) window.kept.exampleMs = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

/** Measures everything that a visit with a run requests from the server, except photos. */
async function wire(browser, worker) {
  const { context, page, tools } = await opened(browser);
  const [addresses, bytes] = [new Map(), new Map()];
  tools.on('Network.responseReceived', ({ requestId, response }) => addresses.set(requestId, response.url));
  tools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    bytes.set(addresses.get(requestId), encodedDataLength));
  await page.goto(`${worker.base}/`);
  await page.waitForFunction(() => window.kept.exampleMs !== null);
  const own = () => [...bytes].filter(([url]) => url?.startsWith(worker.base));
  const sum = (list) => list.reduce((total, [, size]) => total + size, 0);
  console.log(`page: ${kilobytes(sum(own()))} kB over the wire in ${own().length} files (aim: 100 kB)`);
  for (const [url, size] of own()) console.log(`  ${new URL(url).pathname}: ${size} bytes`);
  await context.close();
}

async function slowStart(browser, worker) {
  const { context, page } = await opened(browser, { isSlow: true });
  await page.goto(`${worker.base}/`);
  await page.waitForFunction(() => window.kept.exampleMs !== null);
  const { paintMs, exampleMs } = await page.evaluate(() => ({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    exampleMs: window.kept.exampleMs,
  }));
  console.log(`slow 4G, ${CPU_RATE} x CPU: first paint ${paintMs.toFixed(0)} ms (aim: 1000), ` +
    `example ${exampleMs.toFixed(0)} ms (aim: 1500)`);
  await context.close();
}

async function slowRun(browser, worker) {
  const { context, page } = await opened(browser, { isSlow: true });
  const { a, b } = worker.health.example;
  await page.goto(`${worker.base}/investigate?${new URLSearchParams({ a, b })}`);
  await page.locator('[data-testid="outcome"][data-kind="final"]').waitFor({ timeout: 120_000 });
  const { longestMs, shift } = await page.evaluate(() => window.kept);
  console.log(`a run there: longest task ${longestMs.toFixed(0)} ms (aim: 100), layout shift ` +
    `${shift.toFixed(3)} (aim: 0.1)`);
  await context.close();
}

/** Measures the frames while the graph still moves. */
async function frames(browser, worker) {
  const { context, page } = await opened(browser);
  await page.goto(`${worker.base}/`);
  await page.waitForFunction(() => window.kept.exampleMs !== null);
  const took = await page.evaluate(async (text) => {
    const view = document.querySelector('visual-degrees');
    view.showSealed(text);
    const graph = view.shadowRoot.querySelector('vd-graph');
    graph.scrollIntoView();
    const times = [];
    await new Promise((resolve) => {
      const frame = (now) => {
        times.push(now);
        if (times.length > 121) resolve();
        else requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    return times.slice(1).map((time, i) => time - times[i]);
  }, crowdedFile(PEOPLE));
  // The first frames include the making of the graph, so they are slower.
  const rate = (frames) => (1000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0);
  console.log(`graph of ${PEOPLE} people: ${rate(took.slice(10)).toFixed(1)} frames a second (aim: 60), with the ` +
    `first ones ${rate(took).toFixed(1)}, the longest ${Math.max(...took).toFixed(1)} ms`);
  await context.close();
}

async function verifier(browser, worker) {
  const { context, page } = await opened(browser);
  const { a, b } = worker.health.example;
  const options = { polish: 19, searches: 20 };
  const answer = await fetch(`${worker.base}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ personA: a, personB: b, options }),
  });
  const { run } = await answer.json();
  await (await fetch(`${worker.base}/runs/${run}/events`)).text();
  const text = await (await fetch(`${worker.base}/runs/${run}/sealed`)).text();
  const { spent } = JSON.parse(text).body.events.at(-1);
  await page.goto(`${worker.base}/`);
  const told = await page.evaluate(async (sealed) => {
    const worker = new Worker('/verifier/worker.js', { type: 'module' });
    const check = () => new Promise((resolve) => {
      const from = performance.now();
      worker.onmessage = ({ data }) => resolve({ ms: performance.now() - from, ...data });
      worker.postMessage({ text: sealed });
    });
    const first = await check();
    return { first: first.ms, second: (await check()).ms, result: JSON.parse(first.told).report.result };
  }, text);
  console.log(`verifier: a run of ${spent.searchCalls} searches (${kilobytes(text.length)} kB) is ${told.result} after ` +
    `${told.first.toFixed(0)} ms with its loading, ${told.second.toFixed(0)} ms without (aim: 300)`);
  await context.close();
}

function kilobytes(bytes) {
  return Math.round(bytes / 1000);
}
