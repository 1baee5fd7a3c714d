// Who is meant: the list below a name while somebody types and chooses, and answers that are late.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { chain, hear, launch, on, outcome } from './page.mjs';
import { BASE, eventually, LIMIT_MS, pause, TOGETHER } from './support.mjs';

const JANE = { number: 'Q1', label: 'Jane Austen', description: 'novelist', alias: null };
const EMMA = { number: 'Q2', label: 'Emma Woodhouse', description: 'of a novel', alias: null };
const LIZZY = { number: 'Q3', label: 'Elizabeth Bennet', description: 'of a novel', alias: null };
/** More than a page takes to show an answer that is here. */
const SHOWN_MS = 300;

let browser = null;
let context = null;
let complaints = [];
let allowed = null;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

beforeEach(async () => {
  complaints = [];
  allowed = null;
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(LIMIT_MS);
});
afterEach(async () => {
  await context.close();
  const unexpected = complaints.filter((complaint) => !allowed?.test(complaint));
  assert.deepEqual(unexpected, [], 'the browser complained');
});

test('who is meant is chosen from suggestions, and stays in the address', async () => {
  const page = await open();
  const field = on(page, 'person-a');
  await field.click();
  await field.fill('');
  await field.pressSequentially('Elizabeth Benn', { delay: 20 });
  // A slow machine shows the list of a part of the name before the one of all of it.
  await on(page, 'suggestion').first().filter({ hasText: TOGETHER.a }).waitFor();
  assert.equal(await field.getAttribute('aria-expanded'), 'true');
  await field.press('ArrowDown');
  await field.press('Enter');
  assert.equal(await field.inputValue(), TOGETHER.a);
  const meant = on(page, 'meant').first();
  const number = /Q\d+/.exec(await meant.textContent())?.[0];
  assert.ok(number, await meant.textContent());
  // Whoever does not see who was chosen hears it.
  const [, description] = (await meant.textContent()).split(' · ');
  const said = page.locator('vd-person [role="status"]').first();
  assert.equal(await said.textContent(), `${TOGETHER.a}, ${description}`);
  await on(page, 'person-b').fill(TOGETHER.b);
  await on(page, 'start').click();
  await outcome(page, 'final').waitFor();
  assert.match(page.url(), new RegExp(`wikidataA=${number}`));
  assert.deepEqual(await chain(page), [TOGETHER.a, TOGETHER.b]);
  // Another name is another person.
  await on(page, 'asked').getByRole('button', { name: 'Change' }).click();
  await field.fill(`${TOGETHER.a}x`);
  assert.equal(await meant.isVisible(), false);
});

/** The page, once it suggests people; `answer(route, text)` is what looking for them gives. */
async function open(answer = null) {
  const page = await context.newPage();
  hear(page, complaints);
  const address = (url) => url.pathname === '/people';
  if (answer) {
    await page.route(address, (route) =>
      answer(route, new URL(route.request().url()).searchParams.get('q')),
    );
  }
  await page.goto(`${BASE}/`);
  await page.locator('[data-testid="person-a"][role="combobox"]').waitFor();
  return page;
}

/** Types "Jane", which shows two people; what comes for "Jane A" is kept back until `come`. */
async function typedOn() {
  const late = [];
  const page = await open((route, text) => {
    if (text === 'Jane') return route.fulfill({ json: { people: [JANE, EMMA] } });
    if (text === 'Jane A') late.push(route);
    return null;
  });
  const field = on(page, 'person-a');
  await field.fill('Jane');
  await on(page, 'suggestion').nth(1).waitFor();
  await field.press('End');
  // Both keys at once: a machine that is slow between two keys asks for "Jane " as well.
  await page.keyboard.insertText(' A');
  await eventually('the second question', () => late.length > 0);
  const come = async () => {
    // Nobody may wait for it any more.
    await late[0].fulfill({ json: { people: [LIZZY] } }).catch(() => {});
    await pause(SHOWN_MS);
  };
  return { page, field, come };
}

const meant = (page) => on(page, 'meant').first().textContent();

test('a list that the keyboard is in does not change', async () => {
  const { page, field, come } = await typedOn();
  await field.press('ArrowDown');
  await come();
  await field.press('Enter');
  assert.equal(await field.inputValue(), JANE.label);
  assert.match(await meant(page), /Q1/);
  assert.equal(await page.locator('body').getAttribute('data-phase'), 'idle');
});

test('a list that is pressed does not change', async () => {
  const { page, field, come } = await typedOn();
  await on(page, 'suggestion').first().hover();
  await page.mouse.down();
  await come();
  await page.mouse.up();
  assert.equal(await field.inputValue(), JANE.label);
  assert.match(await meant(page), /Q1/);
});

test('a list that nobody is in gives way to the one of the text', async () => {
  const { page, field, come } = await typedOn();
  await come();
  await on(page, 'suggestion').getByText(LIZZY.label).waitFor();
  assert.deepEqual(await on(page, 'suggestion').locator('.label').allTextContents(), [LIZZY.label]);
  assert.equal(await field.inputValue(), 'Jane A');
});

test('nobody is suggested for one letter, nor brought back from another text', async () => {
  const page = await open((route, text) =>
    text === 'Jane' ? route.fulfill({ json: { people: [JANE, EMMA] } }) : null,
  );
  const field = on(page, 'person-a');
  const shows = () => field.getAttribute('aria-expanded');
  await field.fill('Jane');
  await on(page, 'suggestion').first().waitFor();
  await field.fill('B');
  assert.equal(await shows(), 'false');
  await field.fill('Jane');
  await on(page, 'suggestion').first().waitFor();
  await field.press('Escape');
  await field.fill('Be');
  await field.press('ArrowDown');
  assert.equal(await shows(), 'false');
});

test('where too many names are looked up, the last one is looked up once more', async () => {
  allowed = /status of 429/;
  const asked = [];
  const page = await open((route, text) => {
    asked.push(text);
    if (asked.length > 1) return route.fulfill({ json: { people: [JANE] } });
    return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: {} });
  });
  await on(page, 'person-a').fill('Jane');
  await on(page, 'suggestion').first().waitFor();
  assert.deepEqual(asked, ['Jane', 'Jane']);
});
