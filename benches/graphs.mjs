// Measures how smoothly the two graphs move with 300 and with 1,000 people, in Chromium without a GPU and without a
// Worker: while people are added, while the layout settles, while a pointer moves over the graph, and while the window
// is resized. The figures are to be read; there are no bounds to pass.
import { ensureChromium } from '../scripts/chromium.mjs';
import { buildPage } from '../scripts/page.mjs';
import { RUN, walkOf } from './made-up-people.mjs';
import { servePage } from './page-server.mjs';

const PEOPLE = [300, 1_000];
const WINDOW = { width: 1280, height: 900 };
/** The number of people that a run adds one after the other while the graph is watched. */
const NEWCOMERS = 60;
const NEWCOMER_EVERY_MS = 50;
/** How long the layout moves, in milliseconds: about 120 frames. */
const MOVING_MS = 2_000;
const SETTLED_MS = 3_000;
const WALKS = 5;
const WALK_EVERY_MS = 500;
/** The number of steps of the pointer from one corner to the opposite one. */
const MOVES = 120;
const ZOOMS = 5;
const ZOOM_EVERY_MS = 500;
const NO_GPU = [
  '--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

const { chromium } = await import('playwright-core');
await buildPage();
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: NO_GPU });
try {
  for (const people of PEOPLE) {
    const server = await servePage(people);
    try {
      await runGraph(server, people);
      await atlasGraph(server, people);
    } finally {
      await server.stop();
    }
  }
} finally {
  await browser.close();
}

async function opened(address) {
  const context = await browser.newContext({ viewport: WINDOW });
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(address);
  return page;
}

/** Runs in the page: records the start time of each frame while a measurement is on. */
function watch() {
  let [times, isAsked] = [[], false];
  const look = (now) => {
    if (isAsked) times.push(now);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.watched = {
    begin() {
      [times, isAsked] = [[], true];
    },
    end() {
      isAsked = false;
      return times.slice(1).map((time, i) => time - times[i]);
    },
  };
}

async function runGraph(server, people) {
  const page = await opened(`${server.base}/runs/${RUN}`);
  const canvas = page.locator('[data-testid="graph"]');
  server.send(server.events - NEWCOMERS - 1);
  await canvas.waitFor();
  await canvas.scrollIntoViewIfNeeded();
  await page.waitForTimeout(SETTLED_MS);
  const told = (what, work) => measure(page, `run's graph, ${people} people, ${what}`, work);
  await told('people arrive', async () => {
    for (let i = 0; i < NEWCOMERS; i += 1) {
      server.send(1);
      await page.waitForTimeout(NEWCOMER_EVERY_MS);
    }
  });
  await told('the chain is found', async () => {
    server.send(1);
    await page.waitForTimeout(MOVING_MS);
  });
  await canvas.scrollIntoViewIfNeeded();
  await moved(page, canvas, told);
  await page.context().close();
}

async function atlasGraph(server, people) {
  const walk = walkOf(people);
  const page = await opened(`${server.base}/atlas/people/${walk[0]}`);
  const canvas = page.locator('[data-testid="graph"]');
  await canvas.waitFor();
  const walkTo = async (id) => {
    await page.evaluate(goTo, id);
    await page.locator('main:not([aria-busy])').waitFor();
    await page.locator('[data-testid="more"]').dispatchEvent('click');
    await page.waitForFunction(() => document.querySelectorAll('[data-testid="link"]').length > 24);
  };
  const before = walk.slice(1, -WALKS);
  for (const id of before) await walkTo(id);
  const told = (what, work) => measure(page, `atlas's graph, ${people} people, ${what}`, work);
  await told('people arrive', async () => {
    for (const id of walk.slice(-WALKS)) {
      await walkTo(id);
      await page.waitForTimeout(WALK_EVERY_MS);
    }
  });
  await page.waitForTimeout(SETTLED_MS);
  await told('walking on', async () => {
    await page.evaluate(goTo, walk[1]);
    await page.waitForTimeout(MOVING_MS);
  });
  await moved(page, canvas, told);
  await page.context().close();
}

/** Runs in the page: does what a press on a person in the graph does. */
function goTo(id) {
  const init = { detail: id, bubbles: true };
  document.querySelector('atlas-graph').dispatchEvent(new CustomEvent('atlas-walk', init));
}

/**
 * Moves a pointer over the graph, scrolls the page and narrows its window. The graph itself cannot be dragged or
 * zoomed, and zooming the page has the effect of a narrower window.
 */
async function moved(page, canvas, told) {
  const { x, y, width, height } = await canvas.boundingBox();
  await told('a pointer over it', async () => {
    await page.mouse.move(x + 10, y + 10);
    await page.mouse.move(x + width - 10, y + height - 10, { steps: MOVES });
    await page.mouse.move(x + 10, y + height / 2, { steps: MOVES });
  });
  await told('scrolling', async () => {
    for (let i = 0; i < MOVES / 2; i += 1) await page.mouse.wheel(0, i % 20 < 10 ? 20 : -20);
  });
  await told('zooming', async () => {
    for (let i = 0; i < ZOOMS; i += 1) {
      await page.setViewportSize({ width: WINDOW.width - 60 * i, height: WINDOW.height });
      await page.waitForTimeout(ZOOM_EVERY_MS);
    }
  });
}

async function measure(page, what, work) {
  const tools = await page.context().newCDPSession(page);
  // Measures processor time instead of wall time, so that other programs on this machine do not count.
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => {
    const { metrics } = await tools.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
  const before = await busy();
  await page.evaluate(() => window.watched.begin());
  await work();
  const frames = await page.evaluate(() => window.watched.end());
  const ownMs = ((await busy()) - before) / frames.length;
  await tools.detach();
  const rates = frames.map((ms) => 1000 / ms).sort((one, other) => one - other);
  const at = (part) => rates[Math.floor(part * (rates.length - 1))].toFixed(0);
  const mean = (1000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0);
  console.log(`${what}: ${mean.toFixed(1)} frames a second (aim: 60), median ${at(0.5)}, 5th percentile ${at(0.05)}, ` +
    `the longest ${Math.max(...frames).toFixed(0)} ms; ${ownMs.toFixed(1)} ms of the page's thread a frame`);
}
