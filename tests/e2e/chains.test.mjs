// A chain that is published stays when its run is gone, and its creator takes it back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { validatorOf } from '../description/validator.mjs';
import { whatIsKept } from './kept.mjs';
import {
  asCreator, assertProblem, eventsOf, eventually, inBody, ownPair, post, read, request, startRun, TOGETHER,
} from './support.mjs';

/** The shortest time that runs are kept, and one of its own that is enough for the shortest run. */
const SHORT = { RUN_TTL_SECONDS: '60' };
const OPTIONS = { runtimeMs: 15_000 };
const EXPIRED_LIMIT_MS = 120_000;
const TOKEN = 'an-operator-token-of-tests';
const KEY = { 'idempotency-key': crypto.randomUUID() };
const HTML = { headers: { accept: 'text/html' } };
const UNKNOWN = 'ab'.repeat(32);

let pair = null;
let closed = null;
let expiring = null;
let keyed = null;

before(async () => {
  const more = { ...SHORT, OPERATOR_TOKEN: TOKEN, STARTS_PER_MINUTE_MAX: 'none' };
  [pair, closed] = await Promise.all([ownPair([], more), ownPair([], { PUBLISH_DAYS: '0' })]);
  // Its time is over when the last test looks.
  expiring = await ended(TOGETHER, OPTIONS);
  keyed = await askedWithKey();
});
after(() => Promise.all([pair?.stop(), closed?.stop()]));

async function ended(people, options = {}, base = pair.base) {
  const run = await startRun(base, people, options);
  await read(eventsOf(base, run));
  return run;
}

/** A run that is kept for longer than its time to live, since it may take as long itself. */
async function askedWithKey() {
  const body = inBody(TOGETHER, { runtimeMs: 120_000 });
  const ask = async () => {
    const answer = await post(`${pair.base}/runs`, body, KEY);
    assert.equal(answer.status, 202, await answer.clone().text());
    return answer.json();
  };
  return { begun: await ask(), ask };
}

const publish = (run, headers = asCreator(run), base = pair.base) =>
  request(`${base}/runs/${run}/publish`, { method: 'POST', headers });

/** Publishes a run; gives what is told of it. */
async function published(run, headers) {
  const answer = await publish(run, headers);
  assert.equal(answer.status, 201, await answer.clone().text());
  return answer.json();
}

const chain = (path, options = {}) => request(`${pair.base}${path}`, options);
const remove = (path, headers) => chain(path, { method: 'DELETE', headers });

test('a published chain is the sealed file, until its creator deletes it', async () => {
  const { base } = pair;
  const run = await ended(pair.example);
  const answer = await publish(run);
  assert.equal(answer.status, 201, await answer.clone().text());
  const told = await answer.json();
  const description = await (await request(`${base}/openapi.json`)).json();
  assert.equal(validatorOf(description)('Publication', told), null);
  assert.equal(answer.headers.get('location'), told.chain);
  const days = (Date.parse(told.expires) - Date.now()) / 86_400_000;
  assert.ok(days > 29.9 && days <= 30, told.expires);

  const sealed = await (await request(`${base}/runs/${run}/sealed`)).text();
  assert.equal(JSON.parse(sealed).digest, told.digest);
  const file = await chain(told.chain, { headers: { origin: 'https://other.example' } });
  assert.equal(await file.text(), sealed);
  for (const [name, value] of Object.entries({
    'content-type': 'application/json',
    'content-disposition': `inline; filename="${told.digest}.sealed.json"`,
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': '*',
  })) {
    assert.equal(file.headers.get(name), value, name);
  }
  const head = await chain(told.chain, { method: 'HEAD' });
  assert.deepEqual([head.status, await head.text()], [200, '']);
  const page = await chain(told.chain, HTML);
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  const report = await (await post(`${base}/replay`, sealed)).json();
  assert.equal(report.result, 'identical');

  // Once more it is the same address.
  assert.equal((await published(run)).digest, told.digest);
  for (const headers of [{}, { 'run-secret': 'x' }, asCreator(expiring)]) {
    assert.match((await assertProblem(await publish(run, headers), 403)).detail, /publish its chain/);
    assert.match((await assertProblem(await remove(told.chain, headers), 403)).detail, /Run-Secret/);
  }
  assert.equal((await remove(told.chain, asCreator(run))).status, 204);
  await assertProblem(await chain(told.chain), 404);
  await assertProblem(await remove(told.chain, asCreator(run)), 404);
  assert.equal((await chain(told.chain, HTML)).status, 404);
});

test('the operator publishes and deletes any chain', async () => {
  const operator = { authorization: `Bearer ${TOKEN}` };
  const run = await ended(TOGETHER);
  const { chain: path } = await published(run, operator);
  assert.equal((await chain(path)).status, 200);
  assert.equal((await remove(path, operator)).status, 204);
  await assertProblem(await chain(path), 404);
});

test('whoever deletes the run deletes its chain', async () => {
  const run = await ended(TOGETHER);
  const { digest, chain: path } = await published(run);
  const headers = asCreator(run);
  const gone = await request(`${pair.base}/runs/${run}`, { method: 'DELETE', headers });
  assert.equal(gone.status, 204);
  await assertProblem(await chain(path), 404);
  const { documents } = await whatIsKept(pair.worker.folder);
  assert.deepEqual(documents.filter(({ key }) => key.includes(digest)), []);
});

test('what is no chain is not published, and what was not published is not there', async () => {
  const run = await ended(pair.example, { searches: 1 });
  assert.match((await assertProblem(await publish(run), 409)).detail, /found no chain/);
  await assertProblem(await chain(`/chains/${UNKNOWN}`), 404);
  await assertProblem(await chain('/chains/nothing'), 404);
  await assertProblem(await chain(`/chains/${UNKNOWN.toUpperCase()}`), 404);
  await assertProblem(await chain(`/chains/${UNKNOWN}`, { method: 'POST' }), 405);
});

test('nothing is published where the operator has switched it off', async () => {
  const { base } = closed;
  assert.equal('publish' in (await (await request(`${base}/health`)).json()), false);
  const run = await ended(TOGETHER, {}, base);
  const refused = await publish(run, asCreator(run), base);
  assert.match((await assertProblem(refused, 403)).detail, /PUBLISH_DAYS=0/);
});

test('a chain stays when its run has expired, and is still its creator’s', async () => {
  const { base } = pair;
  const { chain: path } = await published(expiring);
  const isGone = async () => {
    const answer = await request(`${base}/runs/${expiring}/sealed`);
    return answer.status === 410 ? answer : answer.body.cancel();
  };
  const gone = await eventually('the run expires', isGone, { limitMs: EXPIRED_LIMIT_MS, everyMs: 1_000 });
  assert.match((await assertProblem(gone, 410)).detail, /are kept for a minute/);
  assert.equal((await (await chain(path)).json()).body.run, expiring);
  await assertProblem(await remove(path, { 'run-secret': 'x' }), 403);
  assert.equal((await remove(path, asCreator(expiring))).status, 204);
  await assertProblem(await chain(path), 404);
});

test('an idempotency key lives as long as its run may', async () => {
  // By now more than the time to live has passed, and less than the run may take beside it.
  assert.deepEqual(await keyed.ask(), keyed.begun);
});
