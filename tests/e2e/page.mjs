// The page as a test looks at it, whatever the services behind it.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { setting } from './support.mjs';

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];
/** A real browser. */
export const launch = () =>
  chromium.launch({ executablePath: setting('CHROMIUM'), args: FLAGS });

/** What the page names so for tests. */
export const on = (page, testid) => page.locator(`[data-testid="${testid}"]`);

/** How a run has ended. */
export const outcome = (page, kind) =>
  page.locator(`[data-testid="outcome"][data-kind="${kind}"]`);

/** Types both names and starts. */
export async function ask(page, { a, b }) {
  // Below a run the form takes one line.
  const change = on(page, 'asked').getByRole('button');
  if (await change.isVisible()) await change.click();
  await on(page, 'person-a').fill(a);
  await on(page, 'person-b').fill(b);
  await on(page, 'start').click();
}

/** The first link that a live run proves. */
export const firstLink = (page) =>
  on(page, 'newest').locator('.names bdi').first().waitFor();

/** The names of the chain shown, from A to B. */
export const chain = (page) => on(page, 'chain-person').locator('.name').allTextContents();

/** Keeps what the browser complains of. */
export function hear(page, complaints) {
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(`${message.text()} (${message.location().url})`);
    }
  });
}

const overlap = (one, other) =>
  one.x < other.x + other.width && other.x < one.x + one.width
  && one.y < other.y + other.height && other.y < one.y + one.height;

/** Every link's photo is shown, and both people of it are marked. */
export async function assertProofsAreShown(page, count) {
  const cards = on(page, 'evidence-card');
  assert.equal(await page.locator('vd-evidence .path').locator(cards).count(), count);
  for (const card of await cards.all()) {
    await card.scrollIntoViewIfNeeded();
    await card.locator('.print.ready').waitFor();
    const { width, height } = await card.locator('.print img').evaluate((image) => ({
      width: image.naturalWidth,
      height: image.naturalHeight,
    }));
    assert.ok(width > 50 && height > 50, `a photo of ${width} to ${height}`);
    const faces = await card.locator('.face.proof').all();
    assert.equal(faces.length, 2, 'not both faces are marked');
    const print = await card.locator('.print').boundingBox();
    for (const face of faces) {
      const box = await face.boundingBox();
      assert.ok(box.width > 4 && box.height > 4, 'a face is marked with nothing');
      const [x, y] = [box.x + box.width / 2 - print.x, box.y + box.height / 2 - print.y];
      assert.ok(x > 0 && x < print.width && y > 0 && y < print.height, 'a mark is off the photo');
    }
    const tags = await Promise.all(faces.map((face) => face.locator('.tag').boundingBox()));
    assert.ok(!overlap(...tags), `two names overlap: ${await card.getAttribute('aria-label')}`);
    const button = await card.locator('.enlarge').boundingBox();
    assert.ok(![print, ...tags].some((one) => overlap(one, button)), 'the button lies on the photo, or on a name');
  }
}
