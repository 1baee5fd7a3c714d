// What holds for every page of a run, on every screen.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';

const axe = await readFile(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
export const WIDE = { viewport: { width: 1440, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const NARROW = { viewport: { width: 320, height: 640 } };

export async function assertAccessible(page, state) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target)}`), [], state);
  assert.equal(await page.locator('h1:visible').count(), 1, `${state}: one h1`);
  const isWider = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth;
  });
  assert.equal(isWider, false, `${state}: it scrolls sideways`);
}

/** With a finger. */
export async function assertReachable(page) {
  const small = [];
  for (const one of await page.locator('button:visible, input:visible, select:visible, summary:visible').all()) {
    const { width, height } = await one.boundingBox();
    const told = await one.evaluate((node) => node.outerHTML.slice(0, 90));
    if (width < 43.5 || height < 43.5) small.push(`${told} ${width} x ${height}`);
  }
  assert.deepEqual(small, []);
}
