// Pictures of the pages that show a chain's photos: a real browser opens them once the chain is found.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startBrowser } from '../../scripts/browser.mjs';
import { validatorOf } from '../description/validator.mjs';
import { Server } from './kills.mjs';
import { launch, on, outcome } from './page.mjs';
import {
  asCreator, assertProblem, BASE, endStarted, eventsOfRun, inBody, investigation, keptRecord, ownSandbox, post,
  request, startedOne, startRun,
} from './support.mjs';

let sandbox = null;
let server = null;
let pair = null;

before(async () => {
  sandbox = await startedOne(ownSandbox([]));
  const browser = await startedOne(startBrowser());
  server = await startedOne(Server.start({
    ...sandbox.settings, PUBLIC: '1', BROWSER_CDP: browser.address, STARTS_PER_MINUTE_MAX: 'none', REPLAY: 'open',
  }));
  const health = await (await request(`${server.base}/health`)).json();
  assert.equal(health.capture, true);
  pair = health.example;
});
after(endStarted);

const events = (run, enough) => eventsOfRun(server.base, run, enough);

const pages = (told) => told.filter(({ type }) => type === 'page_capture');

/** Each page of the chain has a picture, which is kept under its digest and stands at its link. */
async function assertPictures(run, told) {
  const last = told.at(-1);
  assert.equal(last.type, 'final', JSON.stringify(last));
  assert.ok(pages(told).length > 0);
  for (const page of pages(told)) {
    assert.ok(page.sha256, JSON.stringify(page));
    assert.deepEqual([page.width, page.height, page.mediaType], [1280, 800, 'image/jpeg']);
    const picture = await request(`${server.base}/runs/${run}/artifacts/${page.sha256}`);
    assert.equal(picture.headers.get('content-type'), 'image/jpeg');
    const bytes = new Uint8Array(await picture.arrayBuffer());
    assert.equal(createHash('sha256').update(bytes).digest('hex'), page.sha256);
    assert.ok(bytes.length > 5_000, `${bytes.length} bytes of a page with a photo`);
  }
  for (const { capture, evidence } of last.edges) {
    assert.equal(capture.ref, evidence[0].ref);
    const page = pages(told).find(({ evidenceRefs }) => evidenceRefs.includes(capture.ref));
    assert.deepEqual([page.url, page.sha256, page.at], [evidence[0].contextUrl, capture.sha256, capture.at]);
  }
}

test('each page is opened, its picture is kept, sealed and published, and proves nothing', async () => {
  // One call at a time, so that both runs find the same chain.
  const run = await startRun(server.base, pair, { capture: true, pace: 'frugal' });
  const told = await events(run);
  await assertPictures(run, told);
  const wrongWith = validatorOf(await (await request(`${server.base}/openapi.json`)).json());
  for (const event of told) assert.equal(wrongWith('Event', event), null, event.type);
  const plain = await events(await startRun(server.base, pair, { pace: 'frugal' }));
  assert.equal(pages(plain).length, 0);
  const proof = ({ path, edges, certificate }) => ({ path, certificate, edges: edges.map(({ capture, ...edge }) => edge) });
  assert.deepEqual(proof(told.at(-1)), proof(plain.at(-1)));

  const sealed = await (await request(`${server.base}/runs/${run}/sealed`)).text();
  assert.equal(wrongWith('Sealed', JSON.parse(sealed)), null);
  assert.ok(sealed.includes(pages(told)[0].sha256));
  const replayed = await request(`${server.base}/replay`, { method: 'POST', body: sealed });
  assert.equal((await replayed.json()).result, 'identical');
  const record = await keptRecord(server.base, run);
  assert.equal(wrongWith('Record', record), null);
  assert.equal(record.meta.capture, true);
  const kinds = record.calls.map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === 'capture').length, pages(told).length);
  const published = await request(`${server.base}/runs/${run}/publish`, { method: 'POST', headers: asCreator(run) });
  assert.equal(published.status, 201, await published.text());
});

test('a fork has the pictures of its run', async () => {
  const run = await startRun(server.base, pair, { capture: true });
  const first = await events(run);
  const answer = await post(`${server.base}/runs`, { fork: { run } }, asCreator(run));
  assert.equal(answer.status, 202, await answer.clone().text());
  const { run: fork } = await answer.json();
  const told = await events(fork);
  await assertPictures(fork, told);
  assert.deepEqual(pages(told).map(({ sha256, at }) => [sha256, at]), pages(first).map(({ sha256, at }) => [sha256, at]));
});

test('killed while pages are opened it opens them again', async () => {
  const run = await startRun(server.base, pair, { capture: true });
  const isOpening = ({ data }) => data.type === 'status' && data.message.startsWith('Taking a picture');
  await events(run, isOpening);
  await server.killAndRestart();
  await assertPictures(run, await events(run));
});

test('without a browser of the operator it is refused, in both spellings', async () => {
  const people = { a: 'Elizabeth Bennet', b: 'Charlotte Lucas' };
  await assertProblem(await post(`${BASE}/runs`, inBody(people, { capture: true })), 409, 'capture');
  await assertProblem(await request(investigation(BASE, people, { capture: 1 })), 409, 'capture');
});

test('the page shows the picture beside the credit, as what it is', async () => {
  const browser = await startedOne(launch().then((one) => ({ one, stop: () => one.close() })));
  const page = await browser.one.newPage();
  await page.goto(investigation(server.base, pair, { capture: 1 }));
  await outcome(page, 'final').waitFor();
  const line = on(page, 'page-picture').first();
  await line.waitFor();
  assert.match(await line.textContent(), /^Picture of the page as it was on .+ UTC\. It shows the page, and is no proof\.$/);
  const address = await line.locator('a').getAttribute('href');
  assert.equal((await request(address)).status, 200);
});
