// A link to the page starts its run where a person opened it, and waits for a press where another page did.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { HOST } from '../../scripts/ports.mjs';
import { launch, on, outcome } from './page.mjs';
import {
  assertNeverSearched, BASE, investigation, LIMIT_MS, nobodies, ownPair, pause, SANDBOX, TOGETHER,
} from './support.mjs';

const OPTIONS = { searches: '50', hops: '4' };
/** A run that a page starts by itself has searched by then. */
const START_MS = 1_500;

let browser = null;
let foreign = null;
let sites = [];
let context = null;

/** What the foreign server shows: a page with this body, or a redirect to there. */
let shown = { body: '', to: '' };

before(async () => {
  foreign = createServer((asked, answer) => {
    if (asked.url === '/redirect') answer.writeHead(302, { location: shown.to }).end();
    else answer.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>F</title>${shown.body}`);
  });
  foreign.listen(0, HOST);
  [browser] = await Promise.all([launch(), once(foreign, 'listening')]);
  const { port } = foreign.address();
  // To a browser another port is the same site, and another name for this machine another site.
  sites = [`http://localhost:${port}`, `http://${HOST}:${port}`];
});
after(async () => {
  await browser?.close();
  foreign?.close();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(LIMIT_MS);
});
afterEach(() => context.close());

const quoted = (text) => JSON.stringify(text).replaceAll('<', '\\u003c');
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const script = (text) => `<script>${text}</script>`;
const hidden = (fields) =>
  Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`).join('');
const form = (attributes, fields) =>
  `<form ${attributes}>${hidden(fields)}</form>${script('document.forms[0].submit()')}`;

/** Pages that lead here by themselves. */
const LEADS = {
  'sets its own address': (to) => script(`location = ${quoted(to)}`),
  'refreshes itself': (to) => `<meta http-equiv="refresh" content="0; url=${escaped(to)}">`,
  'says nothing of itself': (to) => `<meta name="referrer" content="no-referrer">${script(`location = ${quoted(to)}`)}`,
  'submits a form': (to) => {
    const { origin, pathname, searchParams } = new URL(to);
    return form(`action="${origin}${pathname}"`, Object.fromEntries(searchParams));
  },
  'leads over a redirect': () => script('location = "/redirect"'),
};

/** The page shows what was asked for, and says why it waits. */
async function assertWaits(page, { a, b }) {
  await page.waitForURL('**/investigate?**');
  await on(page, 'problem').waitFor();
  assert.match(await on(page, 'problem').textContent(), /waits for you/);
  assert.equal(await on(page, 'person-a').inputValue(), a);
  assert.equal(await on(page, 'person-b').inputValue(), b);
  assert.equal(await page.getByLabel('Searches at most').inputValue(), OPTIONS.searches);
  assert.ok(await page.getByLabel('Searches at most').isVisible(), 'what a link asks for is in sight');
  assert.ok(await on(page, 'problem').evaluate((one) => one === document.activeElement), 'nothing is pressed by a key');
  assert.equal(await on(page, 'start').isEnabled(), true);
}

for (const [how, body] of Object.entries(LEADS)) {
  test(`a page of another origin that ${how} starts nothing`, async () => {
    for (const site of sites) {
      const pair = nobodies();
      const to = investigation(BASE, pair, OPTIONS);
      shown = { body: body(to), to };
      const page = await context.newPage();
      await page.goto(site);
      await assertWaits(page, pair);
      // Whoever goes on typing or holds a key down does not press.
      await page.keyboard.press('Enter');
      await pause(START_MS);
      await page.reload();
      await assertWaits(page, pair);
      await pause(START_MS);
      await assertNeverSearched(BASE, SANDBOX, pair);
      await page.close();
    }
  });
}

test('a link that is pressed elsewhere waits for a press here, and then starts', async () => {
  for (const rel of ['', 'rel="noreferrer noopener"', 'target="_blank"']) {
    const to = investigation(BASE, TOGETHER, OPTIONS);
    shown = { body: `<a href="${escaped(to)}" ${rel}>Look</a>`, to };
    const page = await context.newPage();
    await page.goto(sites[0]);
    const opened = rel.startsWith('target') ? context.waitForEvent('page') : page;
    await page.getByText('Look').click();
    const here = await opened;
    await assertWaits(here, TOGETHER);
    await on(here, 'start').click();
    await outcome(here, 'final').waitFor();
    assert.match(new URL(here.url()).pathname, /^\/runs\//);
    await page.close();
  }
});

test('a popup that is led from search to search starts none, and is lost to the page that opened it', async () => {
  const pairs = [nobodies(), nobodies(), nobodies()];
  const addresses = pairs.map((pair) => investigation(BASE, pair, OPTIONS));
  shown.body = `<button>Open</button>${script(`
    let popup = null;
    document.querySelector('button').onclick = () => (popup = open(${quoted(addresses[0])}, 'popup'));
    const lead = (address) => (popup.location = address);
    const isLost = () => popup.closed;
  `)}`;
  const page = await context.newPage();
  await page.goto(sites[0]);
  const opened = context.waitForEvent('page');
  await page.getByText('Open').click();
  const popup = await opened;
  await assertWaits(popup, pairs[0]);
  await page.waitForFunction('isLost()');
  assert.equal(await popup.evaluate('window.opener'), null);
  for (const address of addresses.slice(1)) {
    await page.evaluate((to) => globalThis.lead?.(to), address).catch(() => {});
    await page.evaluate((to) => open(to, 'popup'), address);
    await pause(START_MS);
  }
  for (const pair of pairs) await assertNeverSearched(BASE, SANDBOX, pair);
});

test('what another page loads, frames, sends or fetches ahead starts nothing', async () => {
  for (const site of sites) {
    const ways = {
      image: (to) => `<img src="${escaped(to)}">`,
      frame: (to) => `<iframe src="${escaped(to)}"></iframe>`,
      prefetch: (to) => `<link rel="prefetch" href="${escaped(to)}">`,
      script: (to) => `<script src="${escaped(to)}"></script>`,
      style: (to) => `<link rel="stylesheet" href="${escaped(to)}">`,
      simpleFetch: (to) => script(`fetch(${quoted(to)}, {mode: 'no-cors'}).catch(() => {})`),
      streamFetch: (to) => script(`fetch(${quoted(to)}, {mode: 'no-cors', headers: {Accept: 'text/event-stream'}}).catch(() => {})`),
      readFetch: (to) => script(`fetch(${quoted(to)}).catch(() => {})`),
      eventSource: (to) => script(`new EventSource(${quoted(to)})`),
      beacon: (to) => script(`navigator.sendBeacon(${quoted(to)}, '{}')`),
    };
    const asked = Object.entries(ways).map(([name, way]) => ({ name, way, pair: nobodies() }));
    shown.body = asked.map(({ way, pair }) => way(investigation(BASE, pair, OPTIONS))).join('\n');
    const page = await context.newPage();
    await page.goto(site);
    await pause(START_MS);
    await page.close();
    for (const { pair } of asked) await assertNeverSearched(BASE, SANDBOX, pair);
  }
});

test('a form that another page posts starts nothing', async () => {
  for (const enctype of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
    const pair = nobodies();
    const to = investigation(BASE, pair, OPTIONS);
    shown.body = form(`method="post" enctype="${enctype}" action="${escaped(to)}"`, {
      '{"personA":"': `", "personB": "${pair.b}"}`, a: pair.a, b: pair.b,
    });
    const page = await context.newPage();
    await page.goto(sites[0]);
    await page.waitForURL('**/investigate?**');
    await pause(START_MS);
    await page.close();
    await assertNeverSearched(BASE, SANDBOX, pair);
  }
});

test('a link on a page of this server starts at once', async () => {
  const page = await context.newPage();
  await page.goto(`${BASE}/atlas`);
  await page.evaluate((to) => (location.href = to), investigation(BASE, TOGETHER));
  await outcome(page, 'final').waitFor();
});

test('with LINKS_START=1, and from pages that may start runs, a link starts wherever it is', async () => {
  for (const settings of [{ LINKS_START: '1' }, { ALLOWED_ORIGINS: sites[0] }]) {
    const pair = await ownPair([], settings);
    try {
      shown.body = LEADS['sets its own address'](investigation(pair.base, TOGETHER));
      const page = await context.newPage();
      await page.goto(sites[0]);
      await outcome(page, 'final').waitFor();
      await page.close();
    } finally {
      await pair.stop();
    }
  }
});
