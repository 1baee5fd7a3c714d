// The page of workflows in a browser, against a played run: in, looked at, started, followed, touched, ended.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { assertAccessible, assertReachable, NARROW, PHONE, WIDE } from './run-page-checks.mjs';
import { hear, launch, on } from './page.mjs';
import { LIMIT_MS } from './support.mjs';
import { playWorkflows, recorded } from './workflow-server.mjs';

let browser = null;
let player = null;
let context = null;
let complaints = [];

before(async () => {
  [browser, player] = await Promise.all([launch(), playWorkflows({ everyMs: 15 })]);
});
after(() => Promise.all([browser?.close(), player?.close()]));
beforeEach(() => {
  complaints = [];
});
afterEach(() => context?.close());

async function open(options = WIDE, path = '/workflow') {
  context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  hear(page, complaints);
  await page.goto(player.base + path);
  return page;
}

/** Chooses a file of this text. */
const give = (page, text) =>
  on(page, 'file').setInputFiles({ name: 'workflow.json', mimeType: 'application/json', buffer: Buffer.from(text) });

async function prepared(options) {
  const page = await open(options);
  await on(page, 'file').waitFor();
  await give(page, JSON.stringify(recorded.workflow));
  await on(page, 'node').first().waitFor();
  return page;
}

async function run(page, limits = {}) {
  await page.locator('summary', { hasText: 'Limits' }).click();
  for (const [label, value] of Object.entries(limits)) await page.getByLabel(label).fill(value);
  await on(page, 'run').click();
}

const card = (page, name) => page.locator(`.card:has(.name bdi:text-is("${name}"))`);
const ended = (page, kind) => page.locator(`run-page-head[data-outcome="${kind}"]`).waitFor();

test('what is no workflow is told in words, and starts nothing', async () => {
  const page = await open();
  await give(page, '{"nodes": [');
  await on(page, 'unreadable').filter({ hasText: 'not JSON' }).waitFor();
  await give(page, '{"nodes": []}');
  await on(page, 'unreadable').filter({ hasText: 'no nodes' }).waitFor();
  assert.equal(await on(page, 'node').count(), 0);
  assert.deepEqual(player.asked, []);
  assert.deepEqual(complaints, []);
});

test('a run: the graph first, nodes that light up, values on touch, the trace of one node', async () => {
  const page = await prepared();
  assert.equal(await on(page, 'node').count(), 10);
  assert.deepEqual(player.asked, [], 'nothing is started before somebody wants it');
  await run(page, { 'Steps at most': '500' });
  await page.locator('.card.lit').first().waitFor();
  await page.locator('.edge.lit').first().waitFor({ state: 'attached' });
  const { workflow, servers, options } = player.asked.at(-1);
  assert.deepEqual([workflow, servers, options], [
    recorded.workflow, ['desk'], { dialect: 'seed', steps: 500 },
  ]);
  await ended(page, 'completed');
  await card(page, 'Next order').hover();
  await page.locator('workflow-values h2', { hasText: 'Next order' }).waitFor();
  assert.match(await on(page, 'variables').textContent(), /next_order\.number1043/);
  await card(page, 'Next order').click();
  await on(page, 'only').check();
  const names = await page.locator('.trace b').allTextContents();
  assert.deepEqual([...new Set(names)], ['Next order']);
  await on(page, 'only-bad').check();
  assert.deepEqual(await page.locator('.trace b').allTextContents(), ['Next order'], 'one was tried again');
  const first = recorded.completed.find(({ type }) => type === 'tool_result').nodeName;
  await card(page, first).click();
  await on(page, 'pictures').click();
  await on(page, 'picture').evaluate((image) => image.decode());
  assert.ok(await on(page, 'picture').evaluate(({ naturalWidth }) => naturalWidth > 0));
  assert.deepEqual(complaints, []);
});

test('the address of a run shows it to others, who cannot stop it', async () => {
  const page = await prepared();
  // However long the other page takes, the run waits for it.
  const go = player.hold(({ type }) => type === 'node_started');
  await run(page);
  await on(page, 'stop').waitFor();
  const other = await browser.newContext(WIDE);
  try {
    const there = await other.newPage();
    await there.goto(page.url());
    await on(there, 'node').nth(9).waitFor();
    assert.equal(await on(there, 'stop').isVisible(), false);
    await Promise.all([page.waitForResponse(/\/stop$/), on(page, 'stop').click()]);
    go();
    await ended(there, 'stopped');
  } finally {
    await other.close();
  }
  await ended(page, 'stopped');
  const focused = await page.evaluate(() => document.activeElement.tagName);
  assert.equal(focused, 'H1', 'the focus is not lost with the button');
});

test('a failure stands at its node, and the run can be changed and started again', async () => {
  const page = await prepared();
  await run(page, { 'Seconds at most': '1' });
  await ended(page, 'failed');
  assert.match(await on(page, 'status').textContent(), /^Failed at Send report\./);
  assert.match(await card(page, 'Send report').textContent(), /✕.*failed/);
  await card(page, 'Send report').click();
  assert.match(await on(page, 'node-error').textContent(), /out of paper/);
  await on(page, 'again').click();
  await on(page, 'run').waitFor();
  await page.goBack();
  await ended(page, 'failed');
});

test('what the server refuses stands at the node', async () => {
  const page = await prepared();
  await run(page, { 'Steps at most': '1' });
  await on(page, 'remarks').waitFor();
  assert.match(await card(page, 'Paid?').getAttribute('class'), /remarked/);
  await on(page, 'remarks').getByRole('button', { name: 'Paid?' }).click();
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Paid\?.*missing one of its two edges/);
});

/** The sealed file of a run, as nobody has sealed it. */
const unsealed = () => JSON.stringify({
  format: 'visual-degrees sealed run',
  version: 2,
  digest: 'ab'.repeat(32),
  body: {
    run: `s1.${'A'.repeat(22)}`,
    engine: '0.3.1',
    order: { engine: 'workflow', dialect: 'strict', servers: ['desk'], workflow: recorded.workflow },
    journal: [],
    decisions: [],
    events: recorded.completed,
  },
});

test('a sealed run that is forged is told so first, and what it claims only to who asks', async () => {
  const page = await open();
  const asked = player.asked.length;
  await give(page, unsealed());
  await on(page, 'claims').waitFor();
  assert.match(await on(page, 'run-name').textContent(), /do not believe it/);
  assert.match(await on(page, 'checked').textContent(), /do not believe it/);
  assert.equal(await on(page, 'checked').getAttribute('role'), 'alert');
  assert.match(await page.title(), /^Do not believe this/);
  const isShown = async () => (await page.locator('body').innerText()).includes(recorded.workflow.name);
  assert.deepEqual([await on(page, 'node').count(), await isShown()], [0, false], 'nothing of it is shown unasked');
  await on(page, 'claims').click();
  await on(page, 'status').filter({ hasText: /^The file claims: Completed/ }).waitFor();
  assert.match(await on(page, 'run-name').textContent(), /do not believe it/);
  assert.match(await page.title(), /^Do not believe this/);
  assert.equal(await on(page, 'node').count(), 10);
  assert.equal(await on(page, 'sealed').count(), 0, 'the file is here already');
  await on(page, 'leave').click();
  await on(page, 'file').waitFor();
  assert.doesNotMatch(await page.title(), /believe/);
  assert.equal(player.asked.length, asked, 'a server was asked for a run');
});

test('a sealed run that cannot be checked here is neither forged nor proven, and says why', async () => {
  const reasons = {
    'it could not be loaded': [/could not be loaded/, () => context.route('**/verifier/**', (route) => route.abort())],
    'no WebAssembly': [/runs no WebAssembly/, (page) => page.evaluate(() => { delete globalThis.WebAssembly; })],
  };
  for (const [what, [words, breakIt]] of Object.entries(reasons)) {
    const page = await open();
    await breakIt(page);
    await give(page, unsealed());
    const said = on(page, 'checked').filter({ hasNotText: 'being checked' });
    await said.waitFor();
    assert.match(await said.textContent(), words, what);
    assert.match(await said.textContent(), /^From a file\. This could not be checked here.*neither proven nor refuted/, what);
    assert.equal(await said.getAttribute('role'), 'status', what);
    assert.equal(await on(page, 'status').textContent(), 'Completed.', what);
    assert.equal(await on(page, 'run-name').textContent(), recorded.workflow.name, what);
    assert.equal(await page.title(), `${recorded.workflow.name} · Visual Degrees`, what);
    assert.equal(await on(page, 'claims').isVisible(), false, what);
    assert.doesNotMatch(await page.locator('body').innerText(), /tells the same|do not believe/i, what);
    await context.close();
  }
});

test('all by keyboard: paste, along the edges, into the values and back', async () => {
  const page = await open();
  await page.locator('summary', { hasText: 'Paste' }).press('Enter');
  await on(page, 'pasted').fill(JSON.stringify(recorded.workflow));
  await on(page, 'read').press('Enter');
  await on(page, 'run').press('Enter');
  await ended(page, 'completed');
  await card(page, 'Open list').focus();
  for (let down = 0; down < 4; down += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Remind');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.querySelector('.name').textContent), 'Remind');
});

test('names of strangers are text, and ten thousand nodes are a list', async () => {
  const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const node_type = { type: 'If' };
  const nodes = Array.from({ length: 10_000 }, (_, i) => ({ id: id(i), name: `<img src=x>${i}`, node_type }));
  const edges = nodes.slice(1).map((_, i) => ({ from: id(i), to: id(i + 1), output: null }));
  const page = await open();
  await give(page, JSON.stringify({ name: '<b>many</b>', nodes, edges }));
  await on(page, 'too-large').filter({ hasText: '10000 nodes' }).waitFor();
  assert.equal(await on(page, 'node').count(), 100);
  assert.equal(await page.locator('.card img, h1 b').count(), 0);
  await page.getByRole('button', { name: 'Later' }).click();
  assert.match(await on(page, 'node').first().textContent(), /<img src=x>100/);
  assert.deepEqual(complaints, []);
});

test('axe finds nothing, wide, dark, on a phone and on the narrowest screen', async () => {
  const screens = { wide: WIDE, dark: { ...WIDE, colorScheme: 'dark' }, phone: PHONE, narrow: NARROW };
  for (const [state, options] of Object.entries(screens)) {
    const page = await open(options);
    await on(page, 'stored').waitFor();
    await assertAccessible(page, `${state}, empty`);
    await give(page, JSON.stringify(recorded.workflow));
    await page.locator('summary', { hasText: 'Limits' }).click();
    await assertAccessible(page, `${state}, prepared`);
    await page.getByLabel('Seconds at most').fill('1');
    if (state === 'phone') await assertReachable(page);
    await on(page, 'run').click();
    await page.locator('.card.lit').first().waitFor();
    await assertAccessible(page, `${state}, running`);
    await ended(page, 'failed');
    await card(page, 'Send report').click();
    await assertAccessible(page, `${state}, values`);
    if (state === 'phone') await assertReachable(page);
    await context.close();
  }
});
