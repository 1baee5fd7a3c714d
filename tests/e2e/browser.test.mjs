// The page in a real browser against real services.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import {
  ask, assertProofsAreShown, chain, firstLink, hear, launch, on, outcome,
} from './page.mjs';
import { cuttable } from './proxy.mjs';
import {
  BASE, eventsOf, keptRecord, LIMIT_MS, post, read, request, slowPair, STATE, TOGETHER,
} from './support.mjs';

/** Slow enough to be watched and interrupted. */
const LATENCY = 'google=150,image=100,rekognition=200,gemini=150';
const NO_RUN = 's1.AAAAAAAAAAAAAAAAAAAAAA';

let browser = null;
let slow = null;
let context = null;
/** What the browser complained of in this test, and what it may complain of. */
let complaints = [];
let allowed = null;

before(async () => {
  [browser, slow] = await Promise.all([
    launch(),
    slowPair(LATENCY),
  ]);
});
after(() => Promise.all([browser?.close(), slow?.stop()]));

beforeEach(async () => {
  complaints = [];
  allowed = null;
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(LIMIT_MS);
  await context.addInitScript(watch);
});
afterEach(async () => {
  await context.close();
  const unexpected = complaints.filter((complaint) => !allowed?.test(complaint));
  assert.deepEqual(unexpected, [], 'the browser complained');
});

/** In the page: keeps what passes by too quickly to be asked for. */
function watch() {
  window.seen = { ids: [], statuses: [], links: [], violations: [] };
  document.addEventListener('securitypolicyviolation', (event) => {
    window.seen.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
    console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`);
  });
  const { fetch } = window;
  window.fetch = async (...args) => {
    const response = await fetch(...args);
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      let text = '';
      const decoder = new TextDecoder();
      const keep = new TransformStream({
        transform(piece, controller) {
          text += decoder.decode(piece, { stream: true });
          const blocks = text.split('\n\n');
          text = blocks.pop();
          // The greeting has an id and tells no event.
          for (const block of blocks.filter((block) => block.includes('\ndata: '))) {
            window.seen.ids.push(/^id: (.*)$/m.exec(block)[1]);
          }
          controller.enqueue(piece);
        },
      });
      return new Response(response.body.pipeThrough(keep), response);
    }
    return response;
  };
  document.addEventListener('DOMContentLoaded', () => {
    const look = () => {
      const { statuses, links } = window.seen;
      if (document.body.dataset.phase !== 'running') return;
      const { shadowRoot } = document.querySelector('visual-degrees');
      const words = shadowRoot.querySelector('[data-testid="status"]').textContent;
      if (words && statuses.at(-1) !== words) statuses.push(words);
      const [, count] = /(\d+) links?$/.exec(
        shadowRoot.querySelector('[data-testid="as-list"] summary').textContent,
      );
      if (links.at(-1) !== count) links.push(count);
    };
    const all = { subtree: true, childList: true, characterData: true };
    const watched = new MutationObserver(look);
    watched.observe(document.body, all);
    customElements.whenDefined('visual-degrees').then(() => {
      watched.observe(document.querySelector('visual-degrees').shadowRoot, all);
    });
  });
}

/** A page whose complaints count. */
async function open(address) {
  const page = await context.newPage();
  hear(page, complaints);
  await page.goto(address);
  return page;
}

const seen = (page) => page.evaluate(() => window.seen);

function runShown(page) {
  const [, run] = /\/runs\/([^?]+)/.exec(page.url()) ?? assert.fail(`no run in ${page.url()}`);
  return run;
}

/** What the stream says that the page must show. */
async function told(run) {
  const { events } = await read(eventsOf(slow.base, run));
  const of = (type) => events.filter((event) => event.type === type);
  return {
    ids: events.map(({ id }) => id),
    statuses: of('status').map(({ data }) => data.message),
    path: events.at(-1).data.path?.map(({ name }) => name),
    photos: photosOf(events),
  };
}

/** How many photos of other links there are than those of the chain. */
function photosOf(events) {
  const { path = [], edges: proof = [], graph } = events.at(-1).data;
  const told = events.filter(({ type }) => type === 'evidence').map(({ data }) => data.edge);
  const at = (id) => path.findIndex((one) => one.id === id);
  const onPath = ({ from, to }) => at(from) >= 0 && at(to) >= 0 && Math.abs(at(from) - at(to)) === 1;
  const key = ({ from, to }) => [from, to].sort().join(' ');
  const keys = new Set(told.map(key));
  // The last event's graph has also the links that were not worth an event of their own.
  const untold = graph.edges.filter((edge) => !keys.has(key(edge)));
  const others = [
    ...told.map((edge) => ({ ...edge, refs: edge.evidence.map(({ ref }) => ref) })),
    ...untold.map((edge) => ({ ...edge, refs: edge.evidenceRefs })),
  ].filter((edge) => !onPath(edge));
  const shown = proof.flatMap(({ evidence }) => evidence.map(({ ref }) => ref));
  return new Set(others.flatMap(({ refs }) => refs).filter((ref) => !shown.includes(ref))).size;
}

/** The chain's photos are there, and the others wait in a fold. */
async function assertPhotosAreThere(page, { path, photos }) {
  await assertProofsAreShown(page, path.length - 1);
  assert.equal(await on(page, 'evidence-card').count(), path.length - 1);
  assert.equal(await on(page, 'photo-card').count(), photos);
  if (photos > 0) assert.equal(await on(page, 'photo-card').first().isVisible(), false);
}

test('the example runs live to a chain, and its link shows the same', async () => {
  const page = await open(`${slow.base}/`);
  const { a, b } = slow.example;
  await page.waitForFunction(() => document.querySelector('#person-a').value !== '');
  assert.equal(await on(page, 'person-a').inputValue(), a);
  assert.equal(await on(page, 'person-b').inputValue(), b);
  await on(page, 'start').click();
  await on(page, 'stop').waitFor();
  await outcome(page, 'final').waitFor();

  const { path, statuses, photos } = await told(runShown(page));
  const { statuses: shown, links } = await seen(page);
  const counts = links.map(Number);
  // How many steps are seen is the machine's speed; that there are any between the first and the last means "live".
  assert.ok(shown.length > 2, `statuses seen while it ran: ${shown.join(' | ')}`);
  assert.deepEqual(shown.filter((words) => !statuses.includes(words) && !/…$/.test(words)), []);
  assert.ok(counts.some((count) => count > 0 && count < counts.at(-1)), `links seen while it ran: ${links}`);
  // The graph in words: each link once, those of the chain first, and each leads to its photo.
  await on(page, 'as-list').locator('summary').click();
  // A fold tells that it is open in a turn of its own; its rows are made then, all at once.
  await on(page, 'links').locator('li').first().waitFor();
  assert.equal(await on(page, 'links').locator('li.path').count(), path.length - 1);
  await on(page, 'links').locator('button').first().click();
  const card = page.locator('vd-evidence article:focus');
  assert.match(await card.getAttribute('aria-label'), /seen together/);
  assert.deepEqual(await chain(page), path);
  await assertPhotosAreThere(page, { path, photos });
  assert.equal(await on(page, 'stop').isVisible(), false);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: join(STATE, 'example.png') });

  const link = await page.locator('visual-degrees .share input').inputValue();
  const shared = new URL(link);
  assert.deepEqual([shared.searchParams.get('a'), shared.searchParams.get('b')], [a, b]);
  const other = await open(link);
  await outcome(other, 'final').waitFor();
  assert.deepEqual(await chain(other), path);
  assert.equal(await on(other, 'person-a').inputValue(), a);
  await assertProofsAreShown(other, path.length - 1);
  // Nobody has to know the names to follow a link.
  const bare = await open(`${shared.origin}${shared.pathname}`);
  await outcome(bare, 'final').waitFor();
  assert.deepEqual(await chain(bare), path);
});

test('the focus waits on Stop, and stays where somebody has put it', async () => {
  const isFocused = (locator) =>
    locator.evaluate((one) => one === one.getRootNode().activeElement);
  const page = await open(`${slow.base}/`);
  await ask(page, slow.example);
  await on(page, 'stop').waitFor();
  await page.waitForFunction(() =>
    document.activeElement.shadowRoot?.activeElement?.dataset.testid === 'stop');
  const log = page.locator('.log');
  await log.waitFor();
  await log.focus();
  await page.keyboard.press('ArrowDown');
  const end = outcome(page, 'final');
  await end.waitFor();
  assert.ok(await isFocused(log), 'the focus was taken away');
  await on(page, 'offer').getByRole('button', { name: 'Show the result' }).click();
  assert.ok(await isFocused(end.locator('h2')));
  assert.equal(await on(page, 'offer').isVisible(), false);

  // Whoever has touched nothing is brought to the result.
  const other = await open(page.url());
  await outcome(other, 'final').waitFor();
  assert.ok(await isFocused(outcome(other, 'final').locator('h2')));
  assert.equal(await on(other, 'offer').isVisible(), false);
});

test('a cut connection costs nothing: every event comes once', async () => {
  const proxy = await cuttable(slow.base);
  try {
    // What the browser says about the connection that was cut.
    allowed = /net::ERR_/;
    const page = await open(`${proxy.base}/`);
    await ask(page, slow.example);
    await firstLink(page);
    const before = (await seen(page)).ids.length;
    proxy.cut();
    const lost = page.locator('.lost', { hasText: 'Connection lost' });
    await lost.waitFor();
    // What could not be asked meanwhile is over with it.
    await on(page, 'stop').click();
    await on(page, 'problem').waitFor();
    assert.match(await on(page, 'problem').textContent(), /could not be reached/);
    proxy.mend();
    await on(page, 'problem').waitFor({ state: 'hidden' });
    await outcome(page, 'final').waitFor();
    assert.equal(await lost.isVisible(), false);

    const { ids, path, photos, statuses } = await told(runShown(page));
    assert.ok(before < ids.length, 'it was cut after the end');
    assert.deepEqual((await seen(page)).ids, ids);
    assert.deepEqual(await chain(page), path);
    await assertPhotosAreThere(page, { path, photos });
    assert.equal(await page.locator('.log [data-line]').count(), statuses.length);
  } finally {
    proxy.stop();
  }
});

test('Stop ends the run and says so', async () => {
  const page = await open(`${slow.base}/`);
  await ask(page, slow.example);
  await firstLink(page);
  await on(page, 'stop').click();
  const end = outcome(page, 'no_path');
  await end.waitFor();
  assert.match(await end.textContent(), /stopped/i);
  assert.equal(await on(page, 'stop').isVisible(), false);
  assert.equal(await on(page, 'start').isEnabled(), true);

  // A new run with what was found until then at hand.
  const stopped = runShown(page);
  await end.getByRole('button', { name: 'Go on from here' }).click();
  await outcome(page, 'final').waitFor();
  const { meta } = await keptRecord(slow.base, runShown(page));
  assert.equal(meta.forkedFrom, stopped);
  assert.ok(meta.reused.searchCalls > 0);
  const sealed = await request(new URL(await on(page, 'sealed').getAttribute('href'), slow.base));
  const report = await (await post(`${slow.base}/replay`, await sealed.text())).json();
  assert.equal(report.result, 'identical', report.says);
});

test('a run that never was and a wrong address are told apart', async () => {
  allowed = /status of 404/;
  const names = new URLSearchParams(TOGETHER);
  const page = await open(`${BASE}/runs/${NO_RUN}?${names}`);
  await outcome(page, 'unknown').waitFor();
  assert.match(await outcome(page, 'unknown').textContent(), /There is no such run/);
  for (const wrong of ['/runs/nothing', '/somewhere/else']) {
    await page.goto(BASE + wrong);
    await outcome(page, 'address').waitFor();
    assert.match(await outcome(page, 'address').textContent(), /nothing at this address/);
  }
  await outcome(page, 'address').getByRole('button', { name: 'Search for a pair' }).click();
  await ask(page, TOGETHER);
  await outcome(page, 'final').waitFor();
  assert.deepEqual(await chain(page), [TOGETHER.a, TOGETHER.b]);
});

test('dollars that are used up are told, and more may be given', async () => {
  const { a, b } = slow.example;
  const query = new URLSearchParams({ a, b, budgetUsd: '0.02' });
  const page = await open(`${slow.base}/investigate?${query}`);
  const end = outcome(page, 'no_path');
  await end.waitFor();
  assert.match(await end.textContent(), /ran out before there was a chain\.The limit was \$0\.02;/);
  // Without a chain what was verified is all there is, and stands open.
  await on(page, 'photo-card').first().locator('.print.ready').waitFor();
  const limited = runShown(page);
  const record = await keptRecord(slow.base, limited);
  assert.equal(record.meta.endedBecause, 'usd_budget');
  assert.ok(record.spent.usd <= 0.02, `${record.spent.usd} spent`);
  assert.equal(record.meta.budgets.usd, 0.02);

  // An empty field is no limit.
  await end.getByRole('button', { name: 'Allow more dollars' }).click();
  await page.getByLabel('Dollars at most').fill('');
  await end.getByRole('button', { name: 'Go on from here' }).click();
  await outcome(page, 'final').waitFor();
  const { meta } = await keptRecord(slow.base, runShown(page));
  assert.equal(meta.forkedFrom, limited);
  assert.equal(meta.budgets.usd, undefined);
});
