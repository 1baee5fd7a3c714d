// Repeats the deeds of automata on MiniWoB++'s pages, as somebody would write them for Playwright's test runner.
import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';

/** The names of keys in the protocol where they are more than a capital letter before the rest. */
const KEYS = { ctrl: 'Control', arrowleft: 'ArrowLeft', arrowright: 'ArrowRight', arrowup: 'ArrowUp', arrowdown: 'ArrowDown' };
const VERDICT = '[WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL]';

for (const { task, seed, script, deeds } of JSON.parse(await readFile(process.env.DEEDS, 'utf8'))) {
  test(`${task} ${seed}`, async ({ page }) => {
    await page.addInitScript(script);
    for (const deed of deeds) await repeat(page, deed);
    const [isDone, reward] = await page.evaluate(VERDICT);
    expect(isDone && reward > 0).toBe(true);
  });
}

async function repeat(page, deed) {
  if (deed.open) return page.goto(deed.open);
  if (deed.click) return click(located(page, deed.click), deed);
  if (deed.hover) return located(page, deed.hover).hover();
  if (deed.drag) return drag(page, deed);
  if (deed.choose) {
    return located(page, deed.choose).selectOption(deed.text.split('\n').map((label) => ({ label })));
  }
  if (deed.check) return located(page, deed.check).setChecked(deed.isChecked);
  if (deed.type) return located(page, deed.type).fill(deed.text);
  if (deed.press) {
    const keys = deed.press.split('+').map(keyOf).join('+');
    for (let time = 0; time < deed.times; time += 1) await page.keyboard.press(keys);
    return null;
  }
  if (deed.back) return page.goBack();
  if (deed.show) return located(page, deed.show).scrollIntoViewIfNeeded();
  return turn(page, deed);
}

function keyOf(name) {
  return KEYS[name] ?? (name.length === 1 ? name : `${name[0].toUpperCase()}${name.slice(1)}`);
}

function located(page, { by, selector }) {
  if (by === 'id') return page.locator(`[id=${JSON.stringify(selector)}]`).first();
  return page.locator(by === 'xpath' ? `xpath=${selector}` : selector).first();
}

async function click(element, { percentage, button, clicks }) {
  let position;
  if (percentage !== 0.5) {
    const { width, height } = await element.boundingBox();
    position = { x: width * percentage, y: height / 2 };
  }
  await element.click({ button, clickCount: clicks, position });
}

async function drag(page, { drag: from, onto, x, y }) {
  const [start, end] = [await middle(page, from), await middle(page, onto ?? from)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x + x, end.y + y, { steps: 2 });
  await page.mouse.up();
}

async function turn(page, { turn: notches, over }) {
  const at = over ? await middle(page, over) : { x: 640, y: 400 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, notches * 100);
}

async function middle(page, found) {
  const element = located(page, found);
  await element.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await element.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}
