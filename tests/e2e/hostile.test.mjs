// Text from strangers in every field that comes from outside: live, in the record, published and in a dropped
// file. It stays text, and nobody is asked for anything but photos.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { hear, launch, on, outcome } from './page.mjs';
import { BASE, LIMIT_MS } from './support.mjs';

const RUN = `s1.${'h'.repeat(22)}`;
const DIGEST = 'ab'.repeat(32);
const MARKUP = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const TURNED = '\u202Egnp.exe\u2066\u200F';
const SCRIPT = 'javascript:window.hacked=1';
const PHOTO = 'https://photos.example/one.jpg';
const TIMESTAMP = '2026-11-23T10:00:00.000Z';

/** One of each of what a stranger may write into a name or a title. */
const name = (i) => [`${MARKUP} Ann`, `${TURNED} Bob`, `${'x'.repeat(64)}`, 'שרה כהן', '<b>Dan</b>'][i];
const person = (i) => ({
  id: `p${i}`, name: name(i), urls: [SCRIPT, 'data:text/html,<script>1</script>', `https://www.imdb.com/name/${i}"onclick="`],
});

function photo(ref) {
  return {
    ref, imageUrl: ref === 'ev1' ? PHOTO : SCRIPT, thumbnailUrl: SCRIPT, contextUrl: ref === 'ev1' ? 'https://site.example/"><b>' : SCRIPT,
    title: `${MARKUP}${TURNED}`, author: MARKUP, license: MARKUP, licenseUrl: SCRIPT, query: MARKUP, imageScore: 90,
    faces: [0, 1, 2, 3].map((i) => ({
      ...person(i), confidence: 91 + i, box: { left: 0.1 + i / 5, top: 0.2, width: 0.1, height: 0.2 },
    })),
  };
}

const edge = (from, to, ref) => ({
  from: `p${from}`, to: `p${to}`, fromName: name(from), toName: name(to), edgeConfidence: 91, evidence: [photo(ref)],
});

function events() {
  const path = [0, 1, 2].map(person);
  const edges = [edge(0, 1, 'ev1'), edge(1, 2, 'ev2')];
  const words = { runId: RUN, timestamp: TIMESTAMP };
  return [
    { type: 'status', ...words, state: MARKUP, message: MARKUP, hop: 0, frontier: person(0), side: 'a', guess: `${MARKUP}${TURNED}` },
    {
      type: 'status', ...words, state: 'S2', message: MARKUP, hop: 0,
      hinted: [[person(0), { id: `name:${MARKUP}`, name: MARKUP }], [MARKUP], 7, [{}, person(1)], null],
    },
    ...edges.map((one) => ({ type: 'evidence', ...words, edge: one })),
    { type: 'evidence', ...words, edge: edge(3, 4, 'ev3') },
    { type: 'path_update', ...words, path, hop: 2 },
    {
      type: 'final', ...words, path, edges, disclaimer: MARKUP,
      confidenceMap: { edges: {}, bottleneck: 91, cumulative: 0.8 },
      certificate: { proven: [{ message: MARKUP }], excluded: [{ message: TURNED }], open: [{ message: MARKUP }] },
      otherPaths: [{ path: [0, 3, 4].map(person) }],
      graph: { nodes: [0, 1, 2, 3, 4].map(person), edges: [], evidence: {} },
      spent: { searchCalls: 1, usd: 0.1 },
    },
  ];
}

const stream = () => events().map((event, i) =>
  `id: ${RUN}.${i + 1}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const sealed = () => JSON.stringify({
  format: 'visual-degrees sealed run', version: 2, digest: MARKUP,
  body: { run: MARKUP, engine: MARKUP, order: { personA: name(0), personB: name(2) }, journal: [], decisions: [], events: events() },
});
const record = () => JSON.stringify({
  meta: { personA: name(0), personB: name(2), forkedFrom: MARKUP, expiresAt: MARKUP, reused: {} },
  edges: [edge(0, 1, 'ev1')], path: [0, 1].map(person), state: 'S6',
});
/** Everybody who was at a large party, in one photo. */
function crowd() {
  const faces = Array.from({ length: 64 }, (_, i) => ({
    id: `c${i}`, name: `Guest ${i} ${'y'.repeat(i)}`, confidence: 90,
    box: { left: (i % 8) / 8, top: Math.floor(i / 8) / 8, width: 0.1, height: 0.1 },
  }));
  const [one, other] = faces;
  const shown = { ...photo('ev1'), ref: 'ev64', faces };
  const between = { from: one.id, to: other.id, fromName: one.name, toName: other.name };
  const link = { ...between, edgeConfidence: 90, evidence: [shown] };
  const path = [one, other].map(({ id, name: called }) => ({ id, name: called }));
  const final = { type: 'final', runId: RUN, timestamp: TIMESTAMP, path, edges: [link] };
  return `id: ${RUN}.1\nevent: final\ndata: ${JSON.stringify(final)}\n\n`;
}

const noPath = JSON.stringify({
  type: 'no_path', runId: RUN, timestamp: TIMESTAMP, reason: MARKUP, message: MARKUP, explanation: MARKUP,
  suggestions: [MARKUP, `${TURNED}x`], unknown: ['a'], graph: { nodes: [], edges: [], evidence: {} }, hopsReached: 1,
});

let browser = null;
let context = null;
let page = null;
let asked = [];
let complaints = [];

before(async () => {
  browser = await launch();
});
after(() => browser?.close());
beforeEach(async () => {
  [asked, complaints] = [[], []];
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(LIMIT_MS);
  page = await context.newPage();
  hear(page, complaints);
  page.on('request', (request) => asked.push(request.url()));
  // The photo's host is nobody's: a pixel is enough.
  await page.route('https://photos.example/**', (route) => route.fulfill({
    contentType: 'image/svg+xml',
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>',
  }));
});
afterEach(() => context.close());

const answers = (path, contentType, body) =>
  page.route((url) => url.pathname === path, (route, request) =>
    request.resourceType() === 'document' ? route.continue() : route.fulfill({ contentType, body }));

async function assertHarmless() {
  const found = await page.evaluate(() => {
    const roots = [document, document.querySelector('visual-degrees').shadowRoot];
    const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
    return {
      hacked: window.hacked ?? null,
      markup: all('script:not([src]), iframe, b, img[onerror], [onclick]').map((node) => node.outerHTML.slice(0, 80)),
      links: all('a').map((a) => a.href).filter((href) => !/^https?:/.test(href)),
      title: document.title,
    };
  });
  const { hacked, markup, links } = found;
  assert.deepEqual({ hacked, markup, links }, { hacked: null, markup: [], links: [] });
  const others = asked.filter((url) => !url.startsWith(BASE) && !url.startsWith('data:') && url !== PHOTO);
  assert.deepEqual(others, [], 'somebody else was asked');
  const loud = complaints.filter((one) => !/status of 4\d\d/.test(one));
  assert.deepEqual(loud, [], 'the browser complained');
}

/** Everything that can be opened is. */
async function unfold() {
  for (const one of await page.locator('visual-degrees details:not([open]) > summary').all()) {
    if (await one.isVisible()) await one.click();
  }
  const large = page.locator('visual-degrees .enlarge').first();
  if (await large.isVisible()) {
    await large.click();
    await page.keyboard.press('Escape');
  }
}

test('live', async () => {
  await answers(`/runs/${RUN}`, 'application/problem+json', '{}');
  await answers(`/runs/${RUN}/events`, 'text/event-stream', stream());
  await page.goto(`${BASE}/runs/${RUN}?${new URLSearchParams({ a: name(0), b: name(2) })}`);
  await outcome(page, 'final').waitFor();
  await unfold();
  await assertHarmless();
  // A name from right to left turns nothing round: the chain stands in its order, each name by itself.
  const names = await page.locator('[data-testid="chain-person"] bdi').allTextContents();
  assert.deepEqual(names, [0, 1, 2].map(name));
  // Sixty-four letters without a break fit the narrowest screen.
  await page.setViewportSize({ width: 320, height: 640 });
  const wide = await page.evaluate(() => {
    if (document.documentElement.scrollWidth <= 320) return [];
    const roots = [document, document.querySelector('visual-degrees').shadowRoot];
    const all = roots.flatMap((root) => [...root.querySelectorAll('body *, .view *')]);
    return all.filter((node) => node.getBoundingClientRect().right > 321).map((node) => node.outerHTML.slice(0, 60));
  });
  assert.deepEqual(wide, [], 'it scrolls sideways');
});

test('sixty-four people in one photo', async () => {
  await answers(`/runs/${RUN}`, 'application/problem+json', '{}');
  await answers(`/runs/${RUN}/events`, 'text/event-stream', crowd());
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${BASE}/runs/${RUN}`);
  await outcome(page, 'final').waitFor();
  const card = on(page, 'evidence-card');
  await card.locator('.print.ready').waitFor();
  assert.equal(await card.locator('.face').count(), 64);
  assert.equal(await card.locator('.tag').count(), 2);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  await card.locator('.enlarge').click();
  assert.equal(await on(page, 'large').locator('li').count(), 64);
  assert.equal(await on(page, 'large').locator('.print .number').count(), 64);
});

test('a search without a chain', async () => {
  // Whoever may edit Wikidata writes here, too.
  const mayBeMeant = [
    { number: 'Q1', label: name(0), description: MARKUP, alias: MARKUP },
    { number: 'Q2', label: TURNED, description: `${TURNED}${'y'.repeat(400)}`, alias: SCRIPT },
    { number: `Q3"${SCRIPT}`, label: 'of no number', description: SCRIPT, alias: null },
  ];
  await answers('/people', 'application/json', JSON.stringify({ people: mayBeMeant }));
  await answers(`/runs/${RUN}`, 'application/json', record());
  await answers(`/runs/${RUN}/events`, 'text/event-stream', `id: ${RUN}.1\nevent: no_path\ndata: ${noPath}\n\n`);
  await page.goto(`${BASE}/runs/${RUN}`);
  await outcome(page, 'no_path').waitFor();
  const offers = on(page, 'may-be-meant').locator('.label');
  await offers.first().waitFor();
  assert.deepEqual(await offers.allTextContents(), [name(0), TURNED]);
  await unfold();
  await assertHarmless();
  await page.setViewportSize({ width: 320, height: 640 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320, 'it scrolls sideways');
});

test('the record that is left', async () => {
  await answers(`/runs/${RUN}`, 'application/json', record());
  await page.route((url) => url.pathname === `/runs/${RUN}/events`, (route) => route.fulfill({ status: 204 }));
  await page.goto(`${BASE}/runs/${RUN}`);
  await outcome(page, 'final').waitFor();
  await unfold();
  await assertHarmless();
});

test('published', async () => {
  await answers(`/chains/${DIGEST}`, 'application/json', sealed());
  await page.goto(`${BASE}/chains/${DIGEST}`);
  await on(page, 'verification').locator('.forged').waitFor();
  await unfold();
  await on(page, 'claims').locator('p').first().waitFor();
  await assertHarmless();
});

test('a dropped file', async () => {
  await page.goto(`${BASE}/`);
  await on(page, 'sealed-file').setInputFiles({
    name: `${MARKUP}.json`, mimeType: 'application/json', buffer: Buffer.from(sealed()),
  });
  await on(page, 'verification').locator('.forged').waitFor();
  await unfold();
  await on(page, 'claims').locator('p').first().waitFor();
  await assertHarmless();
});
