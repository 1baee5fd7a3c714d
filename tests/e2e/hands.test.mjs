// The whole way by keyboard alone, and by touch alone.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { chain, firstLink, hear, launch, on, outcome } from './page.mjs';
import { LIMIT_MS, ownPair } from './support.mjs';

/** Slow enough to be watched; no title names anybody, so that a run looks at many photos. */
const LATENCY = ['--latency', 'google=300,image=200,rekognition=300,gemini=300', '--captions', '0'];
/** So many times Tab is pressed before something is said to be out of reach. */
const TABS_MAX = 120;

let browser = null;
let pair = null;
let context = null;
let complaints = [];

before(async () => {
  [browser, pair] = await Promise.all([launch(), ownPair(LATENCY, { PUBLIC: '1' })]);
});
after(() => Promise.all([browser?.close(), pair?.stop()]));
beforeEach(() => {
  complaints = [];
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(complaints, [], 'the browser complained');
});

async function open(options) {
  context = await browser.newContext(options);
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  hear(page, complaints);
  await page.goto(`${pair.base}/`);
  await page.waitForFunction(() => document.querySelector('#person-a').value !== '');
  return page;
}

/** Whether the keyboard is there; it is said by a ring around it. */
const isFocused = (locator) => locator.evaluate((node) => {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active === node;
});

async function tabTo(page, locator) {
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (await isFocused(locator)) {
      const ring = await locator.evaluate((node) => getComputedStyle(node).outlineStyle);
      assert.notEqual(ring, 'none', `no ring around ${await locator.evaluate((node) => node.outerHTML.slice(0, 80))}`);
      return;
    }
    await page.keyboard.press('Tab');
  }
  assert.fail(`out of reach: ${locator}`);
}

test('by keyboard: asked, stopped, gone on, looked at, published, taken back', async () => {
  const page = await open({ viewport: { width: 1280, height: 900 } });
  await tabTo(page, on(page, 'person-a'));
  await tabTo(page, on(page, 'swap'));
  await page.keyboard.press('Enter');
  assert.equal(await on(page, 'person-a').inputValue(), pair.example.b);
  await page.keyboard.press('Enter');
  await tabTo(page, on(page, 'start'));
  await page.keyboard.press('Enter');
  await on(page, 'stop').waitFor();
  await firstLink(page);
  assert.ok(await isFocused(on(page, 'stop')), 'the focus is on Stop');
  await tabTo(page, on(page, 'as-list').locator('summary'));
  await page.keyboard.press('Enter');
  await tabTo(page, on(page, 'links').locator('button').first());
  await page.keyboard.press('Enter');
  await page.locator('vd-newest h2', { hasText: 'The photo of this link' }).waitFor();
  for (let tabs = 0; !(await isFocused(on(page, 'stop'))); tabs += 1) {
    assert.ok(tabs < TABS_MAX);
    await page.keyboard.press('Shift+Tab');
  }
  await page.keyboard.press('Enter');
  const end = outcome(page, 'no_path');
  await end.waitFor();
  await on(page, 'offer').getByRole('button').waitFor();
  await tabTo(page, on(page, 'offer').getByRole('button'));
  await page.keyboard.press('Enter');
  await tabTo(page, end.getByRole('button', { name: 'Go on from here' }));
  await page.keyboard.press('Enter');
  await on(page, 'stop').waitFor();
  assert.ok(await isFocused(on(page, 'stop')), 'after a fork the focus is on Stop');
  await outcome(page, 'final').waitFor();
  await tabTo(page, page.locator('[data-testid="chain"] .link button').first());
  await page.keyboard.press('Enter');
  assert.ok(await isFocused(on(page, 'evidence-card').first()), 'a link leads to its photo');
  await tabTo(page, on(page, 'evidence-card').first().locator('.enlarge'));
  await page.keyboard.press('Enter');
  await on(page, 'large').waitFor();
  await page.keyboard.press('Escape');
  assert.ok(await isFocused(on(page, 'evidence-card').first().locator('.enlarge')), 'and back');
  const publish = page.getByRole('button', { name: 'Publish' });
  await tabTo(page, publish);
  await page.keyboard.press('Enter');
  const takeBack = page.getByRole('button', { name: 'Take it back' });
  await takeBack.waitFor();
  await tabTo(page, takeBack);
  await page.keyboard.press('Enter');
  await publish.waitFor();
});

test('by touch: an example, a person of the graph, a photo in large, another pair', async () => {
  const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await on(page, 'example').nth(1).tap();
  assert.equal(await isFocused(on(page, 'start')), true);
  await on(page, 'example').first().tap();
  await on(page, 'start').tap();
  await firstLink(page);
  // The first person stands at the left, in the middle.
  await on(page, 'graph').scrollIntoViewIfNeeded();
  const graph = await on(page, 'graph').boundingBox();
  const chosen = page.locator('vd-newest h2', { hasText: 'The photo of this link' });
  // They are there before they are seen with anybody.
  for (let taps = 0; taps < 50 && !(await chosen.isVisible()); taps += 1) {
    await page.touchscreen.tap(graph.x + 54, graph.y + graph.height / 2);
    await page.waitForTimeout(100);
  }
  await chosen.waitFor();
  await outcome(page, 'final').waitFor();
  assert.ok((await chain(page)).length > 2);
  await page.locator('vd-evidence .enlarge').first().tap();
  await on(page, 'large').getByRole('button', { name: 'Close' }).tap();
  await on(page, 'large').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Another pair' }).tap();
  await on(page, 'person-a').waitFor();
  assert.ok(await isFocused(on(page, 'person-a')));
});
