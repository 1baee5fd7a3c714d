// <visual-degrees> in the page of another origin, as an embedder writes it: under a strict policy, followed,
// moved, removed, added twice; and who may start a run there.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { assertProofsAreShown, chain, firstLink, hear, launch, on, outcome } from './page.mjs';
import { eventsOf, LIMIT_MS, ownPair, read, startRun, TOGETHER } from './support.mjs';

/** Slow enough to be watched and interrupted. */
const LATENCY = ['--latency', 'google=150,image=100,rekognition=200,gemini=150'];

let browser = null;
let site = null;
let pair = null; // allows the other site to start runs
let strict = null;
let context = null;
let complaints = [];
let allowed = null;

/** A site of somebody else's: one page, whose body is in its address. */
async function otherSite() {
  const server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url, 'http://site');
    const origin = query.get('of');
    const policy = `default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src * data:`;
    response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><head><title>News</title>
      <link rel="icon" href="data:,">
      <script type="module" src="${origin}/visual-degrees.js"></script>
      </head><body><h1>News</h1><main>${query.get('body')}</main><aside></aside></body></html>`);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const base = `http://127.0.0.1:${server.address().port}`;
  const page = (of, body) => `${base}/?${new URLSearchParams({ of, body })}`;
  return { base, page, stop: () => new Promise((resolve) => { server.close(resolve); }) };
}

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
  for (const name of ['vd-status', 'vd-evidence', 'vd-path', 'vd-final', 'vd-no-path', 'vd-error']) {
    addEventListener(name, ({ detail, target }) =>
      window.told.push({ name, id: target.id, type: detail.type, message: detail.message, status: detail.status }));
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
