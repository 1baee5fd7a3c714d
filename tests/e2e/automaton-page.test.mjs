// The page of automata in a browser, against played runs: in, looked at, started, followed, touched, ended.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { playAutomata, recorded } from './automaton-server.mjs';
import { assertAccessible, assertReachable, NARROW, PHONE, WIDE } from './run-page-checks.mjs';
import { hear, launch, on } from './page.mjs';
import { LIMIT_MS } from './support.mjs';

let browser = null;
let player = null;
let context = null;
let complaints = [];

before(async () => {
  [browser, player] = await Promise.all([launch(), playAutomata({ everyMs: 20 })]);
});
after(() => Promise.all([browser?.close(), player?.close()]));
beforeEach(() => {
  complaints = [];
  // Nothing that an earlier test held is held any more.
  player.hold(() => false)();
});
afterEach(() => context?.close());

async function open(options = WIDE, path = '/automaton') {
  context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  hear(page, complaints);
  await page.goto(player.base + path);
  return page;
}

/** Chooses a file of this text. */
const give = (page, text) =>
  on(page, 'file').setInputFiles({ name: 'automaton.json', mimeType: 'application/json', buffer: Buffer.from(text) });

/** A page with these states, and the operator's token in its tab. */
async function prepared(options, given = recorded.automaton) {
  const page = await open(options);
  await page.evaluate(() => sessionStorage.setItem('visual-degrees-token', 'of the operator'));
  await give(page, JSON.stringify(given));
  await on(page, 'choices').waitFor();
  return page;
}

async function run(page, { limits = {}, prompts = '' } = {}) {
  const user = page.getByLabel('USER', { exact: true });
  if (await user.inputValue() === '') await user.fill('ann');
  if (Object.keys(limits).length > 0) await page.locator('summary', { hasText: 'Limits' }).click();
  for (const [label, value] of Object.entries(limits)) await page.getByLabel(label).fill(value);
  if (prompts) {
    await page.locator('summary', { hasText: 'Models' }).click();
    await on(page, 'prompts').fill(prompts);
  }
  await on(page, 'run').click();
}

/** Runs stand still when this action of the log-in is done. */
const holdAt = (line) =>
  player.hold(({ type, payload }) => type === 'action_done' && payload.state === 3 && payload.line === line);

const card = (page, name) => page.locator(`.card:has(.name bdi:text-is("${name}"))`);
const ended = (page, kind) => page.locator(`run-page-head[data-outcome="${kind}"]`).waitFor();

test('what is no automaton is told in words, and starts nothing', async () => {
  const page = await open();
  const asked = player.asked.length;
  await give(page, '[{');
  await on(page, 'unreadable').filter({ hasText: 'not JSON' }).waitFor();
  await give(page, '{"nodes": []}');
  await on(page, 'unreadable').filter({ hasText: 'a workflow' }).waitFor();
  assert.equal(await on(page, 'node').count(), 0);
  assert.equal(player.asked.length, asked);
  assert.deepEqual(complaints, []);
});

test('a run: the states first, the one that acts lit, its page with the place, its actions beside', async () => {
  const page = await prepared();
  const asked = player.asked.length;
  assert.deepEqual(await page.locator('.card .name').allTextContents(), [
    'On the empty page', 'Log in', 'List of teas', 'Detail of the tea', 'Order is placed',
  ]);
  assert.equal(await page.locator('.edge.planned').count(), 4);
  assert.equal(player.asked.length, asked, 'nothing is started before somebody wants it');
  assert.equal(await page.getByLabel('PASSWORD', { exact: true }).getAttribute('type'), 'password');
  await page.getByLabel('PASSWORD', { exact: true }).fill('geheim');
  const go = holdAt(2);
  await run(page);
  await page.locator('.card.lit:has-text("Log in")').waitFor();
  await page.locator('.clicked:not([hidden])').waitFor();
  await on(page, 'page-click').filter({ hasText: /^Action 2 of Log in was done at 10, 10: the cross\.$/ }).waitFor();
  assert.match(await on(page, 'page-picture').getAttribute('alt'), /^The page https:\/\/tea\.example\/, as/);
  assert.match(await on(page, 'actions').locator('[data-status="done"]').nth(1).textContent(), /type.*done at 10, 10/);
  go();
  await ended(page, 'completed');
  const { automaton, parameters, secrets, options } = player.asked.at(-1);
  assert.deepEqual([automaton, parameters, secrets, options], [
    recorded.automaton, { USER: 'ann' }, { PASSWORD: 'geheim' }, {},
  ]);
  assert.equal(await page.locator('.edge.gone').count(), 4);
  assert.equal(await on(page, 'why').textContent(), 'The tea is ordered');
  await card(page, 'Log in').click();
  const actions = await on(page, 'actions').locator('li').allTextContents();
  assert.equal(actions.length, 3);
  assert.match(actions[1], /type.*parameters\['PASSWORD'\] into.*done at 10, 10/);
  assert.match(actions[2], /done at 9, 9000/);
  await on(page, 'only').check();
  assert.deepEqual([...new Set(await page.locator('.trace b').allTextContents())], ['Log in']);
  assert.equal((await page.content()).includes('geheim'), false);
  assert.deepEqual(complaints, []);
});

test('a place that the picture does not show is told in words, and no cross is drawn', async () => {
  const page = await prepared();
  const go = holdAt(3);
  await run(page);
  await on(page, 'page-click').filter({ hasText: 'Action 3 of Log in was done at 9, 9000, outside' }).waitFor();
  assert.equal(await page.locator('.clicked').isVisible(), false);
  go();
});

test('one of the operator’s is seen before it runs, and needs no token and no kept secret', async () => {
  const page = await open();
  await on(page, 'stored').click();
  await on(page, 'node').nth(4).waitFor();
  assert.equal(await page.getByLabel('USER', { exact: true }).inputValue(), 'ann');
  const kept = await page.getByLabel('PASSWORD', { exact: true }).getAttribute('aria-describedby');
  assert.match(await page.locator(`#${kept}`).textContent(), /keeps this one, for https:\/\/tea\.example/);
  await run(page);
  await ended(page, 'completed');
  const { automaton, parameters, secrets } = player.asked.at(-1);
  assert.deepEqual([automaton, parameters, secrets], ['tea-shop', { USER: 'ann' }, undefined]);
  assert.deepEqual(complaints, []);
});

test('who has no token is asked for it, and what is missing is said at its field', async () => {
  const page = await open();
  await give(page, JSON.stringify(recorded.automaton));
  await on(page, 'run').click();
  await page.getByLabel('Operator’s token').fill('of the operator');
  await on(page, 'run').click();
  await on(page, 'problem').filter({ hasText: 'USER is missing' }).waitFor();
  const focused = await page.evaluate(() => document.activeElement.labels[0].textContent);
  assert.equal(focused, 'USER');
  await run(page);
  await ended(page, 'completed');
});

test('what the server refuses stands at the state', async () => {
  const page = await prepared();
  await run(page, { limits: { 'Actions at most': '5' } });
  await on(page, 'remarks').filter({ hasText: 'a comma is expected' }).waitFor();
  assert.match(await card(page, 'Detail of the tea').getAttribute('class'), /remarked/);
});

test('the address of a run shows it to others, who cannot stop it', async () => {
  const page = await prepared();
  const go = holdAt(1);
  await run(page);
  await on(page, 'stop').waitFor();
  const other = await browser.newContext(WIDE);
  try {
    const there = await other.newPage();
    await there.goto(page.url());
    await on(there, 'node').nth(4).waitFor();
    assert.equal(await on(there, 'stop').isVisible(), false);
    await on(page, 'stop').click();
    await on(page, 'stop').filter({ hasText: 'Stopping' }).waitFor();
    go();
    await ended(there, 'stopped');
  } finally {
    await other.close();
  }
  await ended(page, 'stopped');
  const focused = await page.evaluate(() => document.activeElement.tagName);
  assert.equal(focused, 'H1', 'the focus is not lost with the button');
});

test('a page that has drifted: what is gone, what is nearest, and the run changed and started again', async () => {
  const page = await prepared(WIDE, recorded.drifted);
  await run(page, { limits: { 'Seconds at most': '1' } });
  await ended(page, 'failed');
  assert.match(await on(page, 'status').textContent(), /^Failed at Detail of the tea, action 1\.$/);
  assert.match(await card(page, 'Detail of the tea').textContent(), /✕.*failed/);
  assert.match(await on(page, 'failures').textContent(), /Gone: button\.buy.*Nearest to it: button\[id="order"\].*66 % alike/);
  assert.equal(await on(page, 'kept-states').count(), 0, 'nothing was made');
  await on(page, 'again').click();
  await on(page, 'run').waitFor();
  assert.equal(await page.getByLabel('USER', { exact: true }).inputValue(), 'ann');
  await page.goBack();
  await ended(page, 'failed');
});

test('what models make is marked in words, and given back as a file', async () => {
  const page = await prepared(WIDE, recorded.incomplete);
  assert.equal(await on(page, 'node').count(), 3);
  // A line that stands for a moment only is seen by whoever watches the page change.
  await page.evaluate(() => {
    window.linesSeen = [];
    const look = () => window.linesSeen.push(document.querySelector('[data-testid="status"]')?.textContent ?? '');
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await run(page, { prompts: '[{"name": "Detail of the tea", "triggers": [], "actions": ["order it"]}]' });
  await ended(page, 'completed');
  const lines = await page.evaluate(() => window.linesSeen);
  assert.ok(lines.some((line) => line.includes('Making a state: a model is asked')), lines.join('\n'));
  assert.equal(await on(page, 'node').count(), 4);
  assert.match(await card(page, 'Detail of the tea').textContent(), /made by a model/);
  assert.match(await page.locator('.trace').textContent(), /this does not count: There is no prompt with the number 7/);
  assert.match(await on(page, 'difference').textContent(), /New state: Detail of the tea/);
  assert.match(await on(page, 'kept-states').getAttribute('href'), /^\/runs\/s\d+\.A+\/automaton$/);
  await card(page, 'Detail of the tea').click();
  assert.match(await page.locator('automaton-values').textContent(), /Kept: nothing has proven it yet/);
  assert.deepEqual(complaints, []);
});

test('a sealed run is executed again in the browser, and one that is forged is told so first', async () => {
  const sealed = await readFile(join(root, 'tests', 'sealed', 'automaton_runs', 'strict.json'), 'utf8');
  const page = await open();
  const asked = player.asked.length;
  await give(page, sealed);
  await on(page, 'checked').filter({ hasText: 'executed again without a call, it tells the same' }).waitFor();
  assert.equal(await on(page, 'status').textContent(), 'Completed.');
  assert.match(await on(page, 'page-click').textContent(), /digest|No picture/);
  await on(page, 'leave').click();
  const file = JSON.parse(sealed);
  file.body.events.at(-1).payload.message = 'Something else';
  await give(page, JSON.stringify(file));
  await on(page, 'claims').waitFor();
  assert.match(await on(page, 'run-name').textContent(), /do not believe it/);
  assert.match(await page.title(), /^Do not believe this/);
  assert.equal(await on(page, 'node').count(), 0, 'nothing of it is shown unasked');
  await on(page, 'claims').click();
  await on(page, 'why').filter({ hasText: 'Something else' }).waitFor();
  assert.equal(player.asked.length, asked, 'a server was asked for a run');
});

test('all by keyboard: paste, along the states, into the values and back', async () => {
  const page = await open();
  await page.evaluate(() => sessionStorage.setItem('visual-degrees-token', 'of the operator'));
  await page.locator('summary', { hasText: 'Paste' }).press('Enter');
  await on(page, 'pasted').fill(JSON.stringify(recorded.automaton));
  await on(page, 'read').press('Enter');
  await page.getByLabel('USER', { exact: true }).fill('ann');
  await page.getByLabel('USER', { exact: true }).press('Enter');
  await on(page, 'stop').waitFor();
  await card(page, 'On the empty page').focus();
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate(() => document.activeElement.querySelector('.name')?.textContent);
  assert.equal(await focused(), 'Log in');
  await ended(page, 'completed');
  assert.equal(await focused(), 'Log in', 'a graph that is drawn anew keeps the focus');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'List of teas');
  await page.keyboard.press('Escape');
  assert.equal(await focused(), 'List of teas');
});

test('names and pages of strangers are text', async () => {
  const evil = '<img src=x onerror=alert(1)>';
  const state = { name: evil, description: evil, checks: [{ type: evil, value: evil }], actions: [evil, `click('${evil}')`], end_state: evil };
  const page = await prepared(WIDE, [state]);
  await on(page, 'node').click();
  await on(page, 'actions').waitFor();
  assert.match(await on(page, 'actions').textContent(), /<img src=x/);
  assert.equal(await page.locator('.card img, h1 img, .known img').count(), 0);
  assert.deepEqual(complaints, []);
});

test('axe finds nothing, wide, dark, on a phone and on the narrowest screen', async () => {
  const screens = { wide: WIDE, dark: { ...WIDE, colorScheme: 'dark' }, phone: PHONE, narrow: NARROW };
  for (const [state, options] of Object.entries(screens)) {
    const page = await prepared(options);
    await page.locator('summary', { hasText: 'Limits' }).click();
    await page.locator('summary', { hasText: 'Models' }).click();
    await assertAccessible(page, `${state}, prepared`);
    if (state === 'phone') await assertReachable(page);
    await page.getByLabel('Seconds at most').fill('1');
    await page.getByLabel('USER', { exact: true }).fill('ann');
    const go = holdAt(2);
    await on(page, 'run').click();
    await page.locator('.clicked:not([hidden])').waitFor();
    await assertAccessible(page, `${state}, running`);
    go();
    await ended(page, 'failed');
    await card(page, 'Log in').click();
    await assertAccessible(page, `${state}, values`);
    if (state === 'phone') await assertReachable(page);
    await context.close();
  }
});
