// The page of the atlas in a real browser: somebody is found, walked on from by mouse and keys, and led to a chain.

import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { emptyMemory } from './memory-database.mjs';
import { hear, launch, on } from './page.mjs';
import { eventsOf, eventually, LIMIT_MS, ownSandbox, ownWorker, read, request, STATE, startRun } from './support.mjs';

const TOKEN = 'a-token-of-some-length';
const axe = await readFile(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

let browser;
let sandbox;
let worker;
let chain; // of the run that fills the atlas
let page;
let complaints;

before(async () => {
  [browser, sandbox] = await Promise.all([launch(), ownSandbox([])]);
  const folder = await mkdtemp(join(STATE, 'atlas-page-'));
  await emptyMemory(folder);
  // Everybody may start runs, and only the operator reads what they have found.
  const settings = {
    ...sandbox.settings, PUBLIC: '1', PLANNER: 'none', MEMORY: 'on', OPERATOR_TOKEN: TOKEN, ATLAS: 'operator',
  };
  worker = await ownWorker({ settings, folder });
  const run = await startRun(worker.base, sandbox.example);
  const { events } = await read(eventsOf(worker.base, run));
  chain = events.at(-1).data.path;
  await eventually('the atlas knows somebody', async () => {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${TOKEN}` };
    return (await (await request(`${worker.base}/atlas`, { headers })).json()).pairs > 0;
  });
});
after(() => Promise.all([browser?.close(), sandbox?.stop(), worker?.stop()]));
beforeEach(async () => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', bypassCSP: true,
  });
  context.setDefaultTimeout(LIMIT_MS);
  page = await context.newPage();
  complaints = [];
  hear(page, complaints);
});
afterEach(() => page.context().close());

/** Opens an address, and says once who we are. */
async function open(path) {
  await page.goto(`${worker.base}${path}`);
  await on(page, 'operator').waitFor();
  await assertAccessible('a token is asked for');
  await on(page, 'operator').locator('input').fill(TOKEN);
  await page.keyboard.press('Enter');
  complaints.length = 0;
}

async function assertAccessible(state) {
  await page.waitForTimeout(400);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document));
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' | ')}`);
  assert.deepEqual(told, [], state);
  assert.equal(await page.locator('h1:visible').count(), 1, state);
}

const heading = () => page.locator('h1:visible');

test('somebody is found by name, and each line shows its photo with both faces', async () => {
  const [first, second] = chain;
  await open('/atlas');
  await on(page, 'people').locator('a').first().waitFor();
  assert.match(await on(page, 'size').textContent(), /\d+ people/);
  await assertAccessible('the most seen people');
  await on(page, 'find-name').fill(first.name.split(' ').at(-1));
  await page.keyboard.press('Enter');
  await page.locator('a', { hasText: first.name }).first().click();
  await heading().filter({ hasText: first.name }).waitFor();
  assert.ok((await page.title()).startsWith(first.name));
  const row = on(page, 'link').filter({ hasText: second.name });
  await row.locator('[data-testid="show-photo"]').click();
  const photo = on(page, 'photo');
  await photo.filter({ hasText: second.name }).waitFor();
  await photo.locator('.face.proof').nth(1).waitFor();
  await assertAccessible('a person with a photo');
  assert.deepEqual(complaints, []);
});

test('keys walk on and back', async () => {
  const [first] = chain;
  await open(`/atlas/people/${first.id}`);
  await heading().filter({ hasText: first.name }).waitFor();
  const names = on(page, 'link').locator('a');
  await names.first().waitFor();
  await names.first().focus();
  await page.keyboard.press('p');
  await on(page, 'photo').waitFor();
  const next = await names.first().textContent();
  await names.first().focus();
  await page.keyboard.press('Enter');
  await heading().filter({ hasText: next }).waitFor();
  await page.goBack();
  await heading().filter({ hasText: first.name }).waitFor();
  assert.deepEqual(complaints, []);
});

test('between two people stands the chain that is known, with its weakest link and a way to search further', async () => {
  const [a, b] = [chain[0], chain.at(-1)];
  await open(`/atlas/path?${new URLSearchParams({ a: a.id, b: b.id })}`);
  await on(page, 'chain-person').nth(1).waitFor();
  const shown = await on(page, 'chain-person').locator('.name').allTextContents();
  assert.deepEqual([shown[0], shown.at(-1)], [a.name, b.name]);
  await page.getByText('the weakest').first().waitFor();
  await on(page, 'evidence-card').first().waitFor();
  const further = new URL(await on(page, 'further').first().getAttribute('href'), worker.base);
  assert.equal(further.searchParams.get('a'), a.name);
  await assertAccessible('a chain');
  await page.setViewportSize({ width: 360, height: 740 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `${wide} pixels wide`);
  await assertAccessible('a chain on a phone');
  assert.deepEqual(complaints, []);
});
