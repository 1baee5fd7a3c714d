// <visual-degrees> in the page of another origin, as an embedder writes it: under a strict policy, followed,
// moved, removed, added twice; and who may start a run there.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { assertProofsAreShown, chain, firstLink, hear, launch, on, outcome } from './page.mjs';
import { otherSite } from './site.mjs';
import { asCreator, eventsOf, LIMIT_MS, ownPair, read, request, startRun, TOGETHER } from './support.mjs';

/** Slow enough to be watched and interrupted, without words that name people, with which few photos are looked at. */
const LATENCY = ['--latency', 'google=150,image=100,rekognition=200,gemini=150', '--captions', '0'];

let browser = null;
let site = null;
let pair = null; // allows the other site to start runs
let strict = null;
let context = null;
let complaints = [];
let allowed = null;

before(async () => {
  site = await otherSite();
  [browser, pair, strict] = await Promise.all([
    launch(),
    ownPair(LATENCY, { PUBLIC: '1', ALLOWED_ORIGINS: site.base }),
    ownPair([], { PUBLIC: '1', ALLOWED_ORIGINS: 'https://named.example' }),
  ]);
});
after(() => Promise.all([browser?.close(), pair?.stop(), strict?.stop(), site?.stop()]));
beforeEach(async () => {
  [complaints, allowed] = [[], null];
  context = await browser.newContext({ viewport: { width: 700, height: 900 } });
  context.setDefaultTimeout(LIMIT_MS);
  await context.addInitScript(listen);
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(complaints.filter((one) => !allowed?.test(one)), [], 'the browser complained');
});

/** In the page: what the elements tell, and the streams that are open. */
function listen() {
  window.told = [];
  window.open = 0;
  for (const name of [
    'vd-status', 'vd-evidence', 'vd-path', 'vd-final', 'vd-no-path', 'vd-error', 'vd-verification',
  ]) {
    addEventListener(name, ({ detail, target }) => {
      const { type, message, status, trust, why } = detail;
      window.told.push({ name, id: target.id, type, message, status, trust, why });
    });
  }
  const { fetch } = window;
  window.fetch = async (address, init) => {
    const response = await fetch(address, init);
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      window.open += 1;
      init.signal.addEventListener('abort', () => { window.open -= 1; }, { once: true });
    }
    return response;
  };
}

async function open(of, body) {
  const page = await context.newPage();
  hear(page, complaints);
  await page.goto(site.page(of, body));
  return page;
}

const told = (page) => page.evaluate(() => window.told);

test('a run is followed from another origin, event by event', async () => {
  const run = await startRun(pair.base, pair.example);
  const page = await open(pair.base, `<visual-degrees run="${run}"></visual-degrees>`);
  await outcome(page, 'final').waitFor();
  const { events } = await read(eventsOf(pair.base, run));
  const NAMES = {
    status: 'vd-status', evidence: 'vd-evidence', path_update: 'vd-path', final: 'vd-final',
  };
  assert.deepEqual((await told(page)).map(({ name }) => name), events.map(({ type }) => NAMES[type]));
  const path = events.at(-1).data.path.map(({ name }) => name);
  assert.deepEqual(await chain(page), path);
  await assertProofsAreShown(page, path.length - 1);
  // There is no form here: nothing is offered that would need one, and nothing took the focus.
  assert.equal(await page.getByRole('button', { name: 'Another pair' }).count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
  const snippet = await on(page, 'embed').locator('textarea').inputValue();
  assert.ok(snippet.includes(`${pair.base}/visual-degrees.js`) && snippet.includes(run), snippet);
});

test('it goes on where it was moved to, and ends its stream where it was removed', async () => {
  const run = await startRun(pair.base, pair.example);
  const page = await open(pair.base, `<visual-degrees id="one" run="${run}"></visual-degrees>`);
  await firstLink(page);
  await page.evaluate(() => document.querySelector('aside').append(document.querySelector('#one')));
  await page.evaluate(() => {
    window.kept = document.querySelector('#one');
    window.kept.remove();
  });
  await page.waitForFunction(() => window.open === 0);
  await page.evaluate(() => document.querySelector('main').append(window.kept));
  await outcome(page, 'final').waitFor();
  const { events } = await read(eventsOf(pair.base, run));
  assert.equal((await told(page)).length, events.length, 'each event is told once');
});

test('two elements, and the module twice, are no trouble', async () => {
  const run = await startRun(pair.base, TOGETHER);
  const again = `<script type="module" src="${pair.base}/visual-degrees.js?again"></script>`;
  const body = `${again}<visual-degrees id="one" run="${run}"></visual-degrees>
    <visual-degrees id="two" src="${pair.base}/runs/${run}"></visual-degrees>`;
  const page = await open(pair.base, body);
  for (const id of ['one', 'two']) {
    await page.locator(`#${id} [data-testid="outcome"][data-kind="final"]`).waitFor();
  }
  const seen = await told(page);
  const of = (id) => seen.filter((one) => one.id === id).map(({ name }) => name);
  assert.deepEqual(of('one'), of('two'));
  await page.evaluate(() => { document.querySelector('#one').run = 'no token'; });
  await page.locator('#one [data-testid="outcome"][data-kind="address"]').waitFor();
});

test('another origin starts and stops a run where it is named', async () => {
  const { a, b } = pair.example;
  const page = await open(pair.base, `<visual-degrees a="${a}" b="${b}"></visual-degrees>`);
  const view = page.locator('visual-degrees');
  await page.waitForFunction(() => customElements.get('visual-degrees'));
  // Being there costs nothing.
  assert.equal(await view.evaluate((one) => one.state.phase), 'idle');
  const run = await view.evaluate((one) => one.start());
  assert.equal(await view.getAttribute('run'), run);
  await firstLink(page);
  await view.evaluate((one) => one.stop());
  await outcome(page, 'no_path').waitFor();
  assert.equal((await told(page)).at(-1).name, 'vd-no-path');
});

test('another origin starts none where it is not named, and follows all the same', async () => {
  allowed = /403|CORS|Failed to load resource/;
  const { a, b } = strict.example;
  const page = await open(strict.base, `<visual-degrees a="${a}" b="${b}"></visual-degrees>`);
  const view = page.locator('visual-degrees');
  await page.waitForFunction(() => customElements.get('visual-degrees'));
  const refused = await view.evaluate((one) => one.start().then(() => 'started', (problem) => problem.message));
  assert.notEqual(refused, 'started');
  assert.deepEqual((await told(page)).map(({ name }) => name), ['vd-error']);
  assert.equal(await view.evaluate((one) => one.state.phase), 'idle');
  const run = await startRun(strict.base, TOGETHER);
  await view.evaluate((one, token) => { one.run = token; }, run);
  await outcome(page, 'final').waitFor();
});

test('what a check of a chain or a file came to is told first, and of a forged one nothing else', async () => {
  const { base } = pair;
  const run = await startRun(base, TOGETHER);
  await read(eventsOf(base, run));
  const published = await request(`${base}/runs/${run}/publish`, { method: 'POST', headers: asCreator(run) });
  const { chain: path } = await published.json();
  const sealed = await (await request(base + path)).text();

  // In a page of another origin no check can be made.
  const there = await open(base, `<visual-degrees id="one" src="${base}${path}"></visual-degrees>`);
  await outcome(there, 'final').waitFor();
  const [first, ...others] = await told(there);
  assert.deepEqual([first.name, first.id, first.trust, first.why], ['vd-verification', 'one', 'unchecked', 'elsewhere']);
  assert.match(first.message, /neither proven nor refuted/);
  assert.equal(others.at(-1).name, 'vd-final');
  assert.ok(others.every(({ name }) => name !== 'vd-verification'));

  // In one of its own deployment it is made.
  const here = await context.newPage();
  hear(here, complaints);
  await here.goto(`${base}/`);
  const shown = async (text) => {
    await here.evaluate(() => { window.told = []; });
    await here.locator('visual-degrees').evaluate((view, file) => view.showSealed(file), text);
    return told(here);
  };
  const [proven, ...events] = await shown(sealed);
  assert.deepEqual([proven.name, proven.trust, proven.why], ['vd-verification', 'proven', undefined]);
  assert.equal(events.at(-1).name, 'vd-final');
  const file = JSON.parse(sealed);
  file.body.events.at(-1).path[1].name = 'Count Dracula';
  const [forged, ...nothing] = await shown(JSON.stringify(file));
  assert.deepEqual([forged.name, forged.trust, nothing], ['vd-verification', 'forged', []]);
  assert.match(forged.message, /do not believe it/);
});
