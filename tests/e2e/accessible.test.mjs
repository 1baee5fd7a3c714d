// What axe finds in each state of the page, its best practices included: nothing.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { ask, firstLink, launch, on, outcome } from './page.mjs';
import { LIMIT_MS, ownPair, request } from './support.mjs';

/** Slow enough to be watched; no title names anybody, so that a run looks at many photos. */
const LATENCY = ['--latency', 'google=300,image=200,rekognition=300,gemini=300', '--captions', '0'];
const axe = await readFile(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

let browser = null;
let pair = null;
let context = null;

before(async () => {
  [browser, pair] = await Promise.all([launch(), ownPair(LATENCY, { PUBLIC: '1' })]);
});
after(() => Promise.all([browser?.close(), pair?.stop()]));
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(LIMIT_MS);
});
afterEach(() => context.close());

async function open(address, within = context) {
  const page = await within.newPage();
  await page.goto(address);
  return page;
}

/** Every heading of a page in order, and one of the first rank. */
async function assertAccessible(page, state) {
  // A photo fades in: its tags are judged once it is there.
  await page.waitForTimeout(400);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document));
  const told = violations.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(' | ')}`);
  assert.deepEqual(told, [], state);
  const headings = await page.locator('h1:visible').allTextContents();
  assert.equal(headings.length, 1, `${state}: one h1, and not ${JSON.stringify(headings)}`);
}

const investigation = (options = {}) =>
  `${pair.base}/investigate?${new URLSearchParams({ ...pair.example, ...options })}`;

test('before a run: the form, its options, its suggestions, a refusal', async () => {
  const page = await open(`${pair.base}/`);
  await on(page, 'examples').waitFor();
  await assertAccessible(page, 'home');
  await page.locator('summary', { hasText: 'Options' }).click();
  await assertAccessible(page, 'options');
  await page.getByLabel('Seconds at most').fill('100000');
  await on(page, 'start').click();
  await on(page, 'problem').waitFor();
  await assertAccessible(page, 'refusal');
  await on(page, 'person-a').fill('');
  await on(page, 'person-a').pressSequentially('Lucy W');
  await on(page, 'suggestion').first().waitFor();
  await assertAccessible(page, 'suggestions');
});

test('a run while it goes on, and its result with all that can be opened', async () => {
  const page = await open(investigation());
  await on(page, 'stop').waitFor();
  await assertAccessible(page, 'starting');
  await firstLink(page);
  await on(page, 'as-list').locator('summary').click();
  await on(page, 'links').locator('li').first().waitFor();
  await assertAccessible(page, 'running');
  await page.locator('.asked').getByRole('button', { name: 'Change' }).click();
  await assertAccessible(page, 'the form over a run');
  await outcome(page, 'final').waitFor();
  await assertAccessible(page, 'final');
  for (const one of await page.locator('visual-degrees summary').all()) await one.click();
  await assertAccessible(page, 'everything unfolded');
  await page.locator('vd-evidence .enlarge').first().click();
  await assertAccessible(page, 'a photo in large');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: 'Take it back' }).waitFor();
  await assertAccessible(page, 'published');
});

test('a result in the dark, on a phone and on the narrowest screen', async () => {
  const page = await open(investigation());
  await outcome(page, 'final').waitFor();
  const address = page.url();
  for (const [state, options] of Object.entries({
    dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
    phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    narrow: { viewport: { width: 320, height: 640 } },
  })) {
    const other = await browser.newContext({ ...options, reducedMotion: 'reduce' });
    try {
      const there = await open(address, other);
      await outcome(there, 'final').waitFor();
      await assertAccessible(there, state);
      const { scrollWidth, clientWidth } = await there.evaluate(() => {
        const { scrollWidth: whole, clientWidth: seen } = document.documentElement;
        return { scrollWidth: whole, clientWidth: seen };
      });
      assert.ok(scrollWidth <= clientWidth, `${state}: it scrolls sideways`);
    } finally {
      await other.close();
    }
  }
});

test('a search without a chain, whatever the reason', async () => {
  const reasons = [
    ['search_budget', investigation({ searches: '1' })],
    ['unknown_person', `${pair.base}/investigate?${new URLSearchParams({ a: 'Elizabeth Benet', b: 'Count Drakula' })}`],
  ];
  for (const [state, address] of reasons) {
    const page = await open(address);
    await outcome(page, 'no_path').waitFor();
    await assertAccessible(page, state);
  }
  const alias = new URLSearchParams({ a: 'Oscar Diggs', b: 'Dorothy Gale' });
  const unknown = await open(`${pair.base}/investigate?${alias}`);
  await on(unknown, 'may-be-meant').getByRole('button').first().waitFor();
  await assertAccessible(unknown, 'who may be meant');
  const page = await open(investigation());
  await on(page, 'stop').click();
  await outcome(page, 'no_path').waitFor();
  await assertAccessible(page, 'stopped');
  await page.getByRole('button', { name: 'Go on from here' }).click();
  await on(page, 'went-on').waitFor();
  await assertAccessible(page, 'went on');
});

test('where there is nothing to show, and where a file is checked', async () => {
  for (const [why, path] of [['unknown', '/runs/s1.AAAAAAAAAAAAAAAAAAAAAA'], ['address', '/nowhere']]) {
    const page = await open(pair.base + path);
    await outcome(page, why).waitFor();
    await assertAccessible(page, why);
  }
  const page = await open(investigation());
  await outcome(page, 'final').waitFor();
  const sealed = await (await request(await on(page, 'sealed').getAttribute('href'))).text();
  const give = async (text) => {
    await page.goto(`${pair.base}/`);
    await on(page, 'sealed-file').setInputFiles({
      name: 'x.json', mimeType: 'application/json', buffer: Buffer.from(text),
    });
  };
  await give(sealed);
  await page.locator('[data-result="identical"] summary').click();
  await assertAccessible(page, 'checked');
  await give(sealed.replace('Starting investigation', 'Starting something'));
  await page.locator('[data-result="different"]').waitFor();
  await assertAccessible(page, 'changed');
});

test('in reach of a finger: what can be pressed is 44 pixels wide and high', async () => {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
  });
  phone.setDefaultTimeout(LIMIT_MS);
  try {
    const page = await open(`${pair.base}/`, phone);
    await on(page, 'examples').waitFor();
    await assertReachable(page);
    await ask(page, pair.example);
    await outcome(page, 'final').waitFor();
    for (const one of await page.locator('visual-degrees summary').all()) await one.tap();
    await assertReachable(page);
  } finally {
    await phone.close();
  }
});

/** Links within a text are read, and may be as small as it is. */
async function assertReachable(page) {
  const controls = page.locator('button:visible, input:visible, select:visible, summary:visible, textarea:visible');
  const small = [];
  for (const one of await controls.all()) {
    const { width, height } = await one.boundingBox();
    if (width < 43.5 || height < 43.5) small.push(`${await one.evaluate((node) => node.outerHTML.slice(0, 90))} ${width} x ${height}`);
  }
  assert.deepEqual(small, []);
}
