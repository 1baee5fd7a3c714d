// What is asked for in a real browser: the form, what a link says, and what is remembered.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { ask, chain, hear, launch, on, outcome } from './page.mjs';
import {
  BASE, calls, forgetCalls, inBody, LIMIT_MS, post, SANDBOX, TOGETHER,
} from './support.mjs';

let browser = null;
let context = null;
/** What the browser complained of in this test, and what it may complain of. */
let complaints = [];
let allowed = null;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());
beforeEach(async () => {
  [complaints, allowed] = [[], null];
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(LIMIT_MS);
});
afterEach(async () => {
  await context.close();
  const unexpected = complaints.filter((complaint) => !allowed?.test(complaint));
  assert.deepEqual(unexpected, [], 'the browser complained');
});

/** A page whose complaints count. */
async function open(address) {
  const page = await context.newPage();
  hear(page, complaints);
  await page.goto(address);
  return page;
}

function runShown(page) {
  const [, run] = /\/runs\/([^?]+)/.exec(page.url()) ?? assert.fail(`no run in ${page.url()}`);
  return run;
}

test('a refusal stands at its field, and is gone with the next try', async () => {
  allowed = /status of 409/;
  const page = await open(`${BASE}/`);
  await ask(page, { a: TOGETHER.a, b: TOGETHER.a.toUpperCase() });
  const problem = on(page, 'problem');
  await problem.waitFor();
  const refusal = await post(`${BASE}/runs`, inBody({ a: TOGETHER.a, b: TOGETHER.a }));
  assert.equal(await problem.textContent(), (await refusal.json()).detail);
  const field = page.locator('.field', { has: problem });
  assert.equal(await field.locator('[data-testid="person-b"]').count(), 1);
  assert.equal(await on(page, 'person-b').getAttribute('aria-invalid'), 'true');
  assert.equal(await on(page, 'person-b').evaluate((one) => one === document.activeElement), true);
  await ask(page, TOGETHER);
  await outcome(page, 'final').waitFor();
  assert.equal(await problem.isVisible(), false);
  assert.equal(await on(page, 'person-b').getAttribute('aria-invalid'), null);
});

test('an example that comes late is not typed behind', async () => {
  const page = await context.newPage();
  let come;
  const late = new Promise((resolve) => { come = resolve; });
  await page.route('**/health', (route) => late.then(() => route.continue()));
  await page.goto(`${BASE}/`);
  await on(page, 'person-a').focus();
  come();
  await page.waitForFunction(() => document.activeElement.value !== '');
  await page.keyboard.type('Emma');
  assert.equal(await on(page, 'person-a').inputValue(), 'Emma');
});

test('before its script is there the form keeps what is typed, and works by itself', async () => {
  const bare = await browser.newContext({ javaScriptEnabled: false });
  try {
    const page = await bare.newPage();
    await page.goto(`${BASE}/`);
    await on(page, 'person-a').fill('Emma Woodhouse');
    await on(page, 'person-b').fill('Jane Eyre');
    await page.locator('summary', { hasText: 'Options' }).click();
    await page.getByLabel('Seconds at most').fill('60');
    await on(page, 'start').click();
    await page.waitForURL('**/investigate?**');
    const asked = Object.fromEntries(new URL(page.url()).searchParams);
    assert.deepEqual([asked.a, asked.b, asked.seconds], ['Emma Woodhouse', 'Jane Eyre', '60']);
    assert.equal('token' in asked, false);
  } finally {
    await bare.close();
  }
  const page = await context.newPage();
  let come;
  const late = new Promise((resolve) => { come = resolve; });
  await page.route('**/app.js', (route) => late.then(() => route.continue()));
  await page.goto(`${BASE}/`, { waitUntil: 'commit' });
  await on(page, 'person-a').fill('Emma Woodhouse');
  come();
  await on(page, 'examples').waitFor();
  assert.equal(await on(page, 'person-a').inputValue(), 'Emma Woodhouse');
  assert.equal(await on(page, 'person-b').inputValue(), '');
});

test('a reopened run shows the options that it ran with', async () => {
  const options = { hops: '4', threshold: '75', runtimeMs: '90000', avoid: 'Count Dracula' };
  const page = await open(`${BASE}/investigate?${new URLSearchParams({ ...TOGETHER, ...options })}`);
  await outcome(page, 'final').waitFor();
  const again = await open(page.url());
  await outcome(again, 'final').waitFor();
  await on(again, 'asked').getByRole('button').click();
  const shown = ['Links at most', 'Match confidence, at least', 'Seconds at most', 'Leave out these people (names, with commas between)'];
  const values = await Promise.all(shown.map((label) => again.getByLabel(label).inputValue()));
  assert.deepEqual(values, ['4', '75', '90', 'Count Dracula']);
});

test('the address bar starts a run and shows it', async () => {
  const page = await open(`${BASE}/investigate?${new URLSearchParams(TOGETHER)}`);
  await outcome(page, 'final').waitFor();
  assert.deepEqual(await chain(page), [TOGETHER.a, TOGETHER.b]);
  // The address is now the run's, so that loading it again starts no second one.
  const run = runShown(page);
  await page.reload();
  await outcome(page, 'final').waitFor();
  assert.equal(runShown(page), run);
});

test('a refusal inside the folded options is shown, in the field’s words and unit', async () => {
  allowed = /status of 400/;
  const page = await open(`${BASE}/`);
  await page.locator('summary', { hasText: 'Options' }).click();
  await page.getByLabel('Seconds at most').fill('100000');
  await page.locator('summary', { hasText: 'Options' }).click();
  await ask(page, TOGETHER);
  const problem = on(page, 'problem');
  await problem.waitFor();
  assert.match(await problem.textContent(), /^Seconds at most: 1 to \d+$/);
  const field = page.getByLabel('Seconds at most');
  assert.ok(await field.isVisible());
  assert.equal(await field.evaluate((one) => one === document.activeElement), true);
});

test('an option that a link gives wrongly is refused, and nothing is spent', async () => {
  allowed = /status of 400/;
  const wrong = [
    ['hop', '3', /“hop” is not a known option/], ['hops', 'many', /^Links at most: 1 to 6$/],
    ['runtimeMs', 'soon', /^Seconds at most: 1 to/], ['images', '', /^Photos per search: 1 to 10$/],
    ['searches', '-1', /^Searches at most: 1 to/], ['session', 'a b', /“sessionId”/],
  ];
  for (const [name, value, told] of wrong) {
    await forgetCalls(SANDBOX);
    const query = new URLSearchParams({ ...TOGETHER, [name]: value });
    const page = await open(`${BASE}/investigate?${query}`);
    const problem = on(page, 'problem');
    await problem.waitFor();
    assert.match(await problem.textContent(), told);
    assert.deepEqual(await calls(SANDBOX), []);
    await page.close();
  }
});

test('what was searched for is remembered here, until it is forgotten', async () => {
  const page = await open(`${BASE}/investigate?${new URLSearchParams(TOGETHER)}`);
  await outcome(page, 'final').waitFor();
  const address = page.url();
  const home = await open(`${BASE}/`);
  const recent = on(home, 'recent');
  // What one tab keeps reaches another one in its own time.
  await recent.waitFor();
  assert.deepEqual(await recent.locator('li a').allTextContents(), [`${TOGETHER.a} to ${TOGETHER.b}`]);
  assert.equal(new URL(await recent.locator('a').getAttribute('href'), BASE).pathname, new URL(address).pathname);
  await recent.getByRole('button', { name: /^Forget Elizabeth/ }).click();
  assert.equal(await recent.isVisible(), false);
  await home.reload();
  assert.equal(await recent.isVisible(), false);
});

test('what another tab remembers and forgets is seen in this one', async () => {
  const home = await open(`${BASE}/`);
  const recent = on(home, 'recent');
  assert.equal(await recent.isVisible(), false);
  const page = await open(`${BASE}/investigate?${new URLSearchParams(TOGETHER)}`);
  await outcome(page, 'final').waitFor();
  await recent.getByRole('link', { name: `${TOGETHER.a} to ${TOGETHER.b}` }).waitFor();
  const other = await open(`${BASE}/`);
  await on(other, 'recent').getByRole('button', { name: /^Forget Elizabeth/ }).click();
  await recent.waitFor({ state: 'hidden' });
});

test('a name that nobody has is said to be unknown', async () => {
  const page = await open(`${BASE}/`);
  await ask(page, { a: 'Elizabeth Benet', b: TOGETHER.b });
  const end = outcome(page, 'no_path');
  await end.waitFor();
  assert.match(await end.textContent(), /Elizabeth Benet/);
  await end.getByRole('button', { name: /Try Elizabeth Bennet/ }).click();
  await outcome(page, 'final').waitFor();
  assert.deepEqual(await chain(page), [TOGETHER.a, TOGETHER.b]);
});
