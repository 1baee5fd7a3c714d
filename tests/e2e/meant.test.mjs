// A name that was not recognised: why there is no chain is said once, and who may be meant is one press away.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { chain, hear, launch, on, outcome } from './page.mjs';
import { BASE, eventually, eventsOf, investigation, LIMIT_MS, pause, read, startRun } from './support.mjs';

/** Two people who are in photos together. Nobody else's name is like that of the first. */
const MEANT = { a: 'Wizard of Oz', b: 'Dorothy Gale' };
/** A name that Wikidata knows as another name of `MEANT.a`, and the recogniser does not. */
const ALIAS = { a: 'Oscar Diggs', b: MEANT.b };
/** More than a page takes to ask, and to show an answer that is here. */
const SHOWN_MS = 1_000;
/** What a finger needs. */
const FINGER_PX = 44;
const person = (number, label, description = 'of a novel') => ({ number, label, description, alias: null });

let browser = null;
let run = '';
let context = null;
let asked = [];
let complaints = [];
let allowed = null;

before(async () => {
  browser = await launch();
  run = await startRun(BASE, ALIAS);
  const { events } = await read(eventsOf(BASE, run));
  const { reason, unknown, suggestions } = events.at(-1).data;
  assert.deepEqual([reason, unknown, suggestions.includes(MEANT.a)], ['unknown_person', ['a'], false]);
});
after(() => browser?.close());
beforeEach(() => {
  [asked, complaints, allowed] = [[], [], null];
});
afterEach(async () => {
  await context.close();
  const unexpected = complaints.filter((complaint) => !allowed?.test(complaint));
  assert.deepEqual(unexpected, [], 'the browser complained');
});

/** A page that has not gone anywhere; what it asks for people is in `asked`. `answer(route)` answers that. */
async function blankPage(answer = (route) => route.continue(), options = { viewport: { width: 1280, height: 900 } }) {
  context = await browser.newContext(options);
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  hear(page, complaints);
  await page.route((url) => url.pathname === '/people', (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('q'));
    return answer(route);
  });
  return page;
}

/** That run as somebody sees it who has its link. */
async function shared(answer, options) {
  const page = await blankPage(answer, options);
  await page.goto(`${BASE}/runs/${run}?${new URLSearchParams(ALIAS)}`);
  await outcome(page, 'no_path').waitFor();
  return page;
}

const people = (list) => (route) => route.fulfill({ json: { people: list } });
const offers = (page) => on(page, 'may-be-meant').getByRole('button');

test('the reason is said once, and one press searches for who is meant', async () => {
  const page = await blankPage();
  await page.goto(investigation(BASE, ALIAS));
  const end = outcome(page, 'no_path');
  await end.waitFor();
  assert.equal(await end.locator('h2').textContent(), `${ALIAS.a} was not recognised.`);
  const [why, ...more] = await end.locator('.why').allTextContents();
  assert.match(why, /^Check the spelling; the recogniser knows public figures only, and not all of them\.( \d+ of .*)?$/);
  assert.deepEqual(more, []);
  await offers(page).first().waitFor();
  const described = 'ruler of the Emerald City';
  assert.deepEqual(await offers(page).allTextContents(), [`${MEANT.a} ${described}`]);
  assert.equal(await on(page, 'may-be-meant').locator('bdi', { hasText: ALIAS.a }).count(), 1);
  assert.deepEqual(asked, [ALIAS.a]);
  // Whoever does not see it is told that the search is over, and hears the reason from the heading alone.
  await on(page, 'heard').filter({ hasText: /^The search is over\.$/ }).waitFor({ state: 'attached' });

  await offers(page).click();
  await outcome(page, 'final').waitFor();
  assert.deepEqual(await chain(page), [MEANT.a, MEANT.b]);
  const address = new URL(page.url());
  assert.notEqual(address.pathname, `/runs/${run}`);
  assert.match(address.searchParams.get('wikidataA'), /^Q\d+$/);
  assert.deepEqual([address.searchParams.get('a'), address.searchParams.get('wikidataB')], [MEANT.a, null]);
});

test('by keyboard and by finger: four people, and what was pressed is asked for', async () => {
  const many = ['One', 'Two', 'Three', 'Four', 'Five'].map((name, i) => person(`Q${i + 1}`, name, i ? 'of a novel' : ''));
  const page = await shared(people(many), { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await offers(page).nth(3).waitFor();
  // Who is not described is told by the number.
  assert.deepEqual(await offers(page).allTextContents(), ['One Q1', 'Two of a novel', 'Three of a novel', 'Four of a novel']);
  for (const offer of await offers(page).all()) {
    const { width, height } = await offer.boundingBox();
    assert.ok(width >= FINGER_PX && height >= FINGER_PX, `${width} to ${height}`);
  }
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, 'it scrolls sideways');
  // Right after the buttons that were there before.
  await page.getByRole('button', { name: 'Another pair' }).focus();
  for (const key of ['Tab', 'Tab']) await page.keyboard.press(key);
  const posted = page.waitForRequest((request) => request.method() === 'POST');
  await page.keyboard.press('Enter');
  const { personA, personB, options } = (await posted).postDataJSON();
  assert.deepEqual([personA, personB, options], ['Two', ALIAS.b, { wikidataA: 'Q2' }]);
});

test('nobody is shown where nobody may be meant, and where the answer fails', async () => {
  allowed = /status of (429|503)/;
  const answers = [
    people([]),
    (route) => route.fulfill({ json: { people: [{ number: 7, label: null }] } }),
    (route) => route.fulfill({ status: 503, json: {} }),
    (route) => route.fulfill({ status: 429, headers: { 'retry-after': '0' }, json: {} }),
  ];
  for (const answer of answers) {
    asked = [];
    const page = await shared(answer);
    await eventually('the question', () => asked.length > 0);
    await pause(SHOWN_MS);
    assert.equal(await on(page, 'may-be-meant').isVisible(), false);
    assert.deepEqual(asked, [ALIAS.a], 'it is asked once');
    if (answer !== answers.at(-1)) await context.close();
  }
});

test('nobody is asked where the server suggests nobody', async () => {
  const page = await blankPage(people([person('Q1', 'One')]));
  await page.route((url) => url.pathname === '/health', async (route) => {
    const answer = await route.fetch();
    const { providers, ...health } = await answer.json();
    const { people: named, ...others } = providers;
    assert.equal(named, 'wikidata');
    await route.fulfill({ response: answer, json: { ...health, providers: others } });
  });
  await page.goto(`${BASE}/runs/${run}?${new URLSearchParams(ALIAS)}`);
  await outcome(page, 'no_path').waitFor();
  await pause(SHOWN_MS);
  assert.deepEqual(asked, []);
  assert.equal(await on(page, 'may-be-meant').isVisible(), false);
});

test('where the element has no actions there is nothing to press, and nobody is asked', async () => {
  const page = await blankPage(people([person('Q1', 'One')]));
  await page.goto(`${BASE}/`);
  await page.locator('visual-degrees').evaluate((view, token) => {
    view.removeAttribute('actions');
    view.run = token;
  }, run);
  const end = outcome(page, 'no_path');
  await end.waitFor();
  await pause(SHOWN_MS);
  assert.deepEqual([asked, await end.getByRole('button').count()], [[], 0]);
  assert.equal(await end.locator('.why').count(), 1);
});
