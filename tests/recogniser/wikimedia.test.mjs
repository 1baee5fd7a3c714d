import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Batches } from '../../recogniser/people/batches.mjs';
import { Wikimedia, WikimediaDown, WikimediaRefuses } from '../../recogniser/people/wikimedia.mjs';
import { clockOf, standIn } from './wikimedia-stand-in.mjs';

let site;
afterEach(() => site?.close());

async function client({ people = [{ number: 'Q1', names: ['Ann Lee'], portrait: Buffer.from('p') }], ...more } = {}) {
  site = await standIn(people);
  const clock = clockOf();
  const wikimedia = new Wikimedia({ contact: 'a@b.example', wikidata: site.origin, commons: site.origin, clock, ...more });
  return { wikimedia, clock };
}

const idOf = async (wikimedia) => (await wikimedia.items(['Q1'])).get('Q1').id;

test('a request tells who asks, and gives way only in the background', async () => {
  const { wikimedia } = await client();
  assert.equal(await idOf(wikimedia), 'Q1');
  const [{ agent, query }] = site.requests;
  assert.match(agent, /^VisualDegrees-Recogniser\/1 \(a@b\.example\) node\//);
  assert.equal(query.maxlag, undefined);
  await site.close();
  const background = await client({ isBackground: true });
  await idOf(background.wikimedia);
  assert.equal(site.requests[0].query.maxlag, '5');
});

test('a request is repeated after the time that the answer names, and not for ever', async () => {
  const { wikimedia, clock } = await client();
  const passing = { status: 429, headers: { 'retry-after': '7' } };
  const lags = { headers: { 'retry-after': '3' }, body: { error: { code: 'maxlag', info: 'lag' } } };
  site.faults.push(passing, lags);
  assert.equal(await idOf(wikimedia), 'Q1');
  assert.deepEqual(clock.slept, [7_000, 3_000]);
  site.faults.push(passing, passing, passing);
  const isDown = ({ message, retryMs }) => message.endsWith(': status 429') && retryMs > 29_000;
  await assert.rejects(idOf(wikimedia), isDown);
  assert.equal(site.requests.length, 6);
});

test('a pause holds for everybody, is never shortened, and may be a date', async () => {
  const { wikimedia, clock } = await client();
  const until = new Date(Date.now() + 91_000).toUTCString();
  site.faults.push({ status: 503, headers: { 'retry-after': until } }, { status: 503 });
  const both = await Promise.allSettled([idOf(wikimedia), idOf(wikimedia)]);
  assert.ok(both.every(({ reason }) => reason instanceof WikimediaDown));
  clock.pass(60_000);
  await assert.rejects(idOf(wikimedia), ({ retryMs }) => retryMs > 25_000 && retryMs <= 31_000);
  assert.deepEqual([site.requests.length, clock.slept], [2, []]);
});

test('a site that failed, or asks for a long pause, is not asked until that is over', async () => {
  const { wikimedia, clock } = await client();
  site.faults.push({ status: 403 });
  await assert.rejects(idOf(wikimedia), /status 403/);
  await assert.rejects(idOf(wikimedia), (error) => error instanceof WikimediaDown && error.retryMs > 29_000);
  assert.equal(site.requests.length, 1);
  assert.match(wikimedia.failure, /status 403/);
  clock.pass(30_000);
  assert.equal(await idOf(wikimedia), 'Q1');
  assert.equal(wikimedia.failure, null);
  site.faults.push({ status: 429, headers: { 'retry-after': '90' } });
  await assert.rejects(idOf(wikimedia), ({ retryMs }) => retryMs > 89_000);
  clock.pass(50_000);
  await assert.rejects(idOf(wikimedia), ({ retryMs }) => retryMs > 39_000 && retryMs <= 40_000);
  assert.equal(site.requests.length, 3);
});

test('what is refused is not repeated, and says nothing about other requests', async () => {
  const { wikimedia } = await client();
  site.faults.push({ status: 404 });
  await assert.rejects(wikimedia.bytes(`${site.origin}/files/x`), WikimediaRefuses);
  site.faults.push({ body: { error: { code: 'no-such-entity', info: 'none' } } });
  await assert.rejects(idOf(wikimedia), /answers "no-such-entity": none/);
  site.faults.push({ body: 'x'.repeat(17_000_000) });
  await assert.rejects(idOf(wikimedia), /more than 16000000 bytes/);
  assert.equal(site.requests.length, 3);
  site.faults.push({ body: '<html>' });
  await assert.rejects(idOf(wikimedia), (error) => error instanceof WikimediaDown && /no JSON/.test(error.message));
  assert.equal(await idOf(wikimedia), 'Q1');
});

test('no more than so many requests wait', async () => {
  const { wikimedia } = await client();
  const all = await Promise.allSettled(Array.from({ length: 520 }, () => idOf(wikimedia)));
  const refused = all.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 18);
  assert.ok(refused.every(({ reason }) => /500 requests wait/.test(reason.message)));
});

test('an item that was merged into another one is told under the number that was asked for', async () => {
  const { wikimedia } = await client({ people: [{ number: 'Q1', names: ['Ann Lee'] }, { number: 'Q7', mergedInto: 'Q1' }] });
  assert.equal((await wikimedia.items(['Q7'])).get('Q7').id, 'Q1');
});

test('people with the most links come page by page', async () => {
  const { wikimedia } = await client();
  assert.deepEqual(await wikimedia.mostLinked(50, 0), ['Q1']);
  assert.deepEqual(await wikimedia.mostLinked(50, 1), []);
  assert.equal(site.requests[0].query.srsort, 'incoming_links_desc');
});

test('what is asked for meanwhile goes into the next request, and one that is refused spoils no other', async () => {
  site = null;
  const asked = [];
  const batches = new Batches(async (keys) => {
    asked.push(keys.join(''));
    await new Promise(setImmediate);
    if (keys.includes('x')) throw new WikimediaRefuses('x is none');
    return new Map(keys.map((key) => [key, key.toUpperCase()]));
  }, 3);
  const first = [batches.load('a'), batches.load('a'), batches.load('b')];
  await new Promise(setImmediate);
  const all = await Promise.all([...first, ...['c', 'x', 'd', 'e'].map((key) => batches.load(key))]);
  assert.deepEqual(all, ['A', 'A', 'B', 'C', undefined, 'D', 'E']);
  assert.deepEqual(asked, ['ab', 'cxd', 'cx', 'c', 'x', 'd', 'e']);
  const failing = new Batches(async () => {
    throw new WikimediaDown('down');
  }, 3);
  const failed = await Promise.allSettled([failing.load('a'), failing.load('b')]);
  assert.ok(failed.every(({ reason }) => reason instanceof WikimediaDown));
});
