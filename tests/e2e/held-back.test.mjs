// The page behind a proxy that holds a stream back: the run is seen as it goes, and no connection is said to be lost.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chain, firstLink, launch, on, outcome } from './page.mjs';
import { buffering } from './proxy.mjs';
import {
  assertProblem, assertWhole, eventsOf, LAST_WORDS, LIMIT_MS, read, request, slowPair, startRun, stopRun,
} from './support.mjs';

let browser = null;
let pair = null;
let proxy = null;

before(async () => {
  [browser, pair] = await Promise.all([launch(), slowPair('google=2500,image=1000,rekognition=1500,gemini=2000')]);
  proxy = await buffering(pair.base);
});
after(async () => {
  await browser?.close();
  proxy?.stop();
  await pair?.stop();
});

test('a run is seen as it goes behind a proxy that holds its stream back', async () => {
  const context = await browser.newContext();
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  let lost = 0;
  await page.exposeFunction('tellLost', () => (lost += 1));
  await page.addInitScript(() => {
    setInterval(() => {
      const words = document.querySelector('visual-degrees')?.shadowRoot?.textContent ?? document.body?.textContent ?? '';
      if (words.includes('Connection lost')) globalThis.tellLost();
    }, 50);
  });
  const begun = Date.now();
  await page.goto(`${proxy.base}/investigate?${new URLSearchParams(pair.example)}`);
  await firstLink(page);
  assert.ok(await on(page, 'stop').isVisible(), 'it goes on');
  assert.ok(Date.now() - begun < 25_000, `the first link is seen after ${Date.now() - begun} ms`);
  await outcome(page, 'final').waitFor();
  assert.ok((await chain(page)).length > 2);
  const streams = proxy.asked.filter((path) => /\/events(\?|$)/.test(path));
  const waiting = streams.filter((path) => !path.includes('wait=0'));
  assert.equal(waiting.length, 2, `one silent reconnection: ${streams}`);
  const asked = streams.length;
  await page.waitForTimeout(5_000);
  assert.equal(proxy.asked.filter((path) => /\/events(\?|$)/.test(path)).length, asked, 'nothing is asked after the end');
  assert.equal(lost, 0, 'no connection was lost');
  await context.close();
});

test('what there is of a run is told at once, and the answer ends', async () => {
  const run = await startRun(pair.base, pair.example);
  const events = eventsOf(pair.base, run);
  const begun = Date.now();
  const first = await read(`${events}?wait=0`);
  assert.ok(Date.now() - begun < 2_000, 'at once');
  assert.equal(first.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.ok(first.events.every(({ type }) => !LAST_WORDS.includes(type)), 'the run goes on');
  await stopRun(pair.base, run);
  const seen = first.events.at(-1)?.id ?? `${run}.0`;
  const rest = await read(`${events}?lastEventId=${seen}`);
  const all = [...first.events, ...rest.events];
  assertWhole({ events: all }, run);
  const whole = await read(`${events}?wait=0`);
  assert.deepEqual(whole.events.map(({ id }) => id), all.map(({ id }) => id));
  assert.equal((await request(`${events}?wait=0&lastEventId=${all.at(-1).id}`)).status, 204);
  for (const wrong of ['wait=1', 'wait=', 'wait=0&wait=0']) {
    await assertProblem(await request(`${events}?${wrong}`), 400);
  }
});
