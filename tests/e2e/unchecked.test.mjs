// A file that no check can be made of, for each reason there is: the page tells it as neither proven nor refuted,
// says why, and carries nothing of what a proof looks like.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { chain, hear, launch, on } from './page.mjs';
import { otherSite } from './site.mjs';
import { asCreator, eventsOf, LIMIT_MS, ownPair, read, request, startRun } from './support.mjs';

const REASONS = {
  unable: /this browser runs no WebAssembly/,
  missing: /what checks it could not be loaded/,
  large: /it is too large to be checked in a browser/,
  elsewhere: /a chain is checked on the page of its own server only/,
};
/** More than one entry of a run's journal has; the file is less than what is shown at all. */
const ENTRY_BYTES = 300 * 1024;

let browser = null;
let site = null;
let pair = null;
let link = ''; // of a published chain
let sealed = ''; // its file
let names = [];
let context = null;
let complaints = [];
let allowed = null;

before(async () => {
  [browser, site, pair] = await Promise.all([launch(), otherSite(), ownPair([])]);
  const run = await startRun(pair.base, pair.example);
  const { events } = await read(eventsOf(pair.base, run));
  names = events.at(-1).data.path.map(({ name }) => name);
  const published = await request(`${pair.base}/runs/${run}/publish`, { method: 'POST', headers: asCreator(run) });
  link = pair.base + (await published.json()).chain;
  sealed = await (await request(link)).text();
});
after(() => Promise.all([browser?.close(), pair?.stop(), site?.stop()]));
beforeEach(async () => {
  [complaints, allowed] = [[], null];
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(LIMIT_MS);
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(complaints.filter((one) => !allowed?.test(one)), [], 'the browser complained');
});

async function open(address) {
  const page = await context.newPage();
  hear(page, complaints);
  await page.goto(address);
  return page;
}

const give = (page, text) => on(page, 'sealed-file').setInputFiles({
  name: 'run.sealed.json', mimeType: 'application/json', buffer: Buffer.from(text),
});

const verification = (page, result) => page.locator(`[data-testid="verification"][data-result="${result}"]`);

async function assertUnchecked(page, why) {
  const said = verification(page, 'unavailable');
  await said.waitFor();
  assert.match(await said.textContent(), REASONS[why]);
  assert.match(await said.textContent(), /^This could not be checked here, .*neither proven nor refuted\./);
  assert.equal(await said.getAttribute('role'), 'status');
  // It is shown as what the file says, with nothing of a proof and nothing of a forgery.
  assert.deepEqual(await chain(page), names);
  await on(page, 'worth').waitFor();
  const { text, headings, marks } = await page.locator('visual-degrees').evaluate(({ shadowRoot: root }) => ({
    text: root.textContent,
    headings: [...root.querySelectorAll('h2, h3')].map((one) => one.textContent),
    marks: root.querySelectorAll('[data-result="identical"], .tick, [data-result="different"], .forged').length,
  }));
  assert.equal(marks, 0);
  assert.doesNotMatch(text, /Checked in your browser|Searched again from the answers|do not believe/i);
  assert.ok(headings.includes('What the file shows, photo by photo'), headings.join('; '));
  assert.ok(headings.includes('What the file says is proven'), headings.join('; '));
  assert.deepEqual(headings.filter((one) => /^(The proof|Proven)/.test(one)), []);
  assert.doesNotMatch(await page.title(), /believe/i);
}

test('a browser without WebAssembly checks nothing', async () => {
  await context.addInitScript(() => { delete globalThis.WebAssembly; });
  const page = await open(link);
  await assertUnchecked(page, 'unable');
  assert.equal(await page.title(), `${names[0]} to ${names.at(-1)} · Visual Degrees`);
  assert.equal(await page.getByRole('button', { name: 'Check again' }).count(), 0);
});

test('without a connection what checks a file is not there', async () => {
  allowed = /ERR_INTERNET_DISCONNECTED/;
  const page = await open(`${pair.base}/`);
  await on(page, 'start').waitFor();
  await context.setOffline(true);
  await give(page, sealed);
  await assertUnchecked(page, 'missing');
});

test('what could not be loaded may be there a moment later, and proves the chain then', async () => {
  allowed = /verifier/;
  for (const broken of ['worker.js', 'verifier.js', 'verifier_bg.wasm']) {
    const pattern = new RegExp(`/verifier/${broken}`);
    await context.route(pattern, (route) => route.abort());
    const page = await open(link);
    await assertUnchecked(page, 'missing');
    await context.unroute(pattern);
    await page.getByRole('button', { name: 'Check again' }).click();
    await verification(page, 'identical').waitFor();
    assert.deepEqual(await chain(page), names);
    await page.getByRole('heading', { name: 'The proof, photo by photo' }).waitFor();
    assert.equal(await on(page, 'evidence-card').filter({ visible: true }).count(), names.length - 1);
    await page.close();
  }
});

test('a file that is too large to be executed again in a browser is neither, whatever it says', async () => {
  const page = await open(`${pair.base}/`);
  const file = JSON.parse(sealed);
  file.body.journal[0].padding = 'x'.repeat(ENTRY_BYTES);
  await give(page, JSON.stringify(file));
  await assertUnchecked(page, 'large');
  assert.equal(await page.getByRole('button', { name: 'Check again' }).count(), 0);
});

test('in a page of another origin nothing is checked', async () => {
  const page = await open(site.page(pair.base, `<visual-degrees src="${link}"></visual-degrees>`));
  await assertUnchecked(page, 'elsewhere');
  assert.equal(await page.title(), 'News');
});
