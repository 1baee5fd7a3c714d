// A chain that proves itself: published, opened and checked in the reader's browser; and a file that
// somebody drops on the page.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import { ask, assertProofsAreShown, chain, hear, launch, on, outcome } from './page.mjs';
import { LIMIT_MS, ownPair, request, TOGETHER } from './support.mjs';

let browser = null;
let pair = null;
let context = null;
let complaints = [];
let allowed = null;

before(async () => {
  [browser, pair] = await Promise.all([launch(), ownPair([], { PUBLIC: '1' })]);
});
after(() => Promise.all([browser?.close(), pair?.stop()]));
beforeEach(async () => {
  [complaints, allowed] = [[], null];
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(LIMIT_MS);
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(complaints.filter((one) => !allowed?.test(one)), [], 'the browser complained');
});

async function open(address) {
  const page = await context.newPage();
  hear(page, complaints);
  await page.goto(address);
  return page;
}

const checked = (page, result) =>
  page.locator(`[data-testid="verification"][data-result="${result}"]`);

async function finished() {
  const page = await open(`${pair.base}/`);
  await ask(page, pair.example);
  await outcome(page, 'final').waitFor();
  return page;
}

test('a chain is published, read and checked by a stranger, and taken back', async () => {
  const mine = await finished();
  await mine.getByRole('button', { name: 'Publish' }).click();
  await mine.getByRole('button', { name: 'Take it back' }).waitFor();
  assert.match(await on(mine, 'life').textContent(), /^Published\. This link lives until \d+ \w+ \d{4}\.$/);
  const link = await mine.locator('visual-degrees .share input').inputValue();
  assert.match(link, /\/chains\/[0-9a-f]{64}$/);

  const asked = [];
  const theirs = await context.newPage();
  hear(theirs, complaints);
  theirs.on('request', (one) => asked.push(one.url()));
  await theirs.goto(link);
  await outcome(theirs, 'final').waitFor();
  await checked(theirs, 'identical').waitFor();
  assert.deepEqual(await chain(theirs), await chain(mine));
  await assertProofsAreShown(theirs, (await chain(mine)).length - 1);
  const said = await checked(theirs, 'identical').textContent();
  assert.match(said, /fits its digest [0-9a-f]{64}/);
  assert.match(said, /recogniser really gave/);
  const names = await chain(mine);
  for (let i = 1; i < names.length; i += 1) assert.ok(said.includes(`${names[i - 1]} with ${names[i]}: `), said);
  // Nobody but the server of the page, and the photos of the sandbox.
  const sandbox = pair.sandbox.listening;
  const others = asked.filter((one) => !one.startsWith(pair.base) && !one.startsWith(sandbox));
  assert.deepEqual(others.filter((one) => !one.startsWith('data:')), []);

  // It stays known here when the page is loaded anew, and it is taken back where it is shown, too.
  await mine.reload();
  await mine.getByRole('button', { name: 'Take it back' }).waitFor();
  assert.equal(await mine.locator('visual-degrees .share input').inputValue(), link);
  await mine.goto(link);
  await mine.getByRole('button', { name: 'Take it back' }).click();
  await outcome(mine, 'unpublished').waitFor();
  allowed = /status of 404/;
  assert.equal((await request(link)).status, 404);
  const late = await open(link);
  await outcome(late, 'unpublished').waitFor();
});

test('a dropped file is shown and checked, and a changed one is found', async () => {
  const mine = await finished();
  const sealed = await (await request(await on(mine, 'sealed').getAttribute('href'))).text();
  const page = await open(`${pair.base}/`);
  const give = (text) => on(page, 'sealed-file').setInputFiles({
    name: 'run.sealed.json', mimeType: 'application/json', buffer: Buffer.from(text),
  });
  await give(sealed);
  await outcome(page, 'final').waitFor();
  await checked(page, 'identical').waitFor();
  assert.deepEqual(await chain(page), await chain(mine));

  const file = JSON.parse(sealed);
  file.body.events.at(-1).path[1].name = 'Count Dracula';
  await drop(page, JSON.stringify(file));
  await checked(page, 'different').waitFor();
  // It is told before it is shown: first and large, and what it claims only for who asks.
  const forged = checked(page, 'different');
  assert.match(await forged.getByRole('heading').textContent(), /do not believe it/);
  assert.match(await page.title(), /^Do not believe this/);
  assert.equal(await on(page, 'chain-person').filter({ visible: true }).count(), 0);
  assert.equal(await page.locator('.print img').filter({ visible: true }).count(), 0);
  assert.equal(await forged.getByText('Count Dracula').isVisible(), false);
  await forged.getByText('Show what this file claims').click();
  await forged.getByText('Count Dracula').waitFor();
  assert.equal(await page.locator('.print img').filter({ visible: true }).count(), 0);
  // One that was cut off at its end is forged as well, and says so.
  const cut = JSON.parse(sealed);
  cut.body.events.pop();
  await drop(page, JSON.stringify(cut));
  await forged.filter({ hasNotText: 'Count Dracula' }).getByRole('heading').waitFor();
  await forged.getByText('Show what this file claims').click();
  await forged.getByText('It ends before its search does.').waitFor();
  await drop(page, '{"format":"a letter"}');
  await outcome(page, 'unreadable').waitFor();
});

/** As the mouse does it. */
async function drop(page, text) {
  await page.evaluate((content) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'x.json', { type: 'application/json' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, text);
}

test('a copy of the page checks a file by itself, years after its server is gone', async () => {
  allowed = /status of 404/;
  const mine = await finished();
  const sealed = await (await request(await on(mine, 'sealed').getAttribute('href'))).text();
  const copy = await staticCopy();
  try {
    const page = await open(copy.base);
    await on(page, 'sealed-file').setInputFiles({
      name: 'run.sealed.json', mimeType: 'application/json', buffer: Buffer.from(sealed),
    });
    await checked(page, 'identical').waitFor();
    assert.deepEqual(await chain(page), await chain(mine));
  } finally {
    await copy.stop();
  }
});

const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm' };

/** The files alone, as any web server gives them out. */
async function staticCopy() {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://copy');
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const bytes = await readFile(join(root, 'dist', name)).catch(() => null);
    response.writeHead(bytes ? 200 : 404, { 'content-type': TYPES[name.split('.').at(-1)] ?? 'text/plain' });
    response.end(bytes ?? 'nothing');
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const stop = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return { base: `http://127.0.0.1:${server.address().port}/`, stop };
}

test('whoever goes back while a run is being started is not shown it, and finds it again', async () => {
  const page = await finished();
  const before = page.url();
  let go;
  const late = new Promise((resolve) => { go = resolve; });
  await page.route('**/runs', (route) => late.then(() => route.continue()));
  await ask(page, { a: pair.example.a, b: 'Irene Adler' });
  await page.goBack();
  const answered = page.waitForResponse('**/runs');
  go();
  await answered;
  await page.waitForTimeout(500);
  assert.notEqual(page.url(), before);
  assert.equal(new URL(page.url()).pathname, '/');
  assert.equal(await page.locator('visual-degrees').evaluate((view) => view.state.phase), 'idle');
  assert.match(await on(page, 'recent').locator('li').first().textContent(), /Irene Adler/);
});

test('a file that is dropped after another one has its own steps', async () => {
  const mine = await finished();
  const sealed = await (await request(await on(mine, 'sealed').getAttribute('href'))).text();
  const page = await open(`${pair.base}/`);
  await drop(page, sealed);
  await checked(page, 'identical').waitFor();
  assert.ok((await page.locator('.log').textContent()).includes(pair.example.a));
  await ask(mine, TOGETHER);
  await mine.getByText(TOGETHER.b).first().waitFor();
  await outcome(mine, 'final').waitFor();
  const other = await (await request(await on(mine, 'sealed').getAttribute('href'))).text();
  await drop(page, other);
  await checked(page, 'identical').getByText(TOGETHER.a).first().waitFor({ state: 'attached' });
  const steps = await page.locator('.log').textContent();
  assert.ok(steps.includes(TOGETHER.a) && !steps.includes(pair.example.a), steps);
});

test('Back goes back, and starts nothing again', async () => {
  const page = await finished();
  const run = page.url();
  await page.goBack();
  await on(page, 'start').waitFor();
  assert.equal(new URL(page.url()).pathname, '/');
  assert.equal(await outcome(page, 'final').count(), 0);
  assert.equal(await on(page, 'person-a').inputValue(), pair.example.a);
  await page.goForward();
  await outcome(page, 'final').waitFor();
  assert.equal(page.url(), run);
});
