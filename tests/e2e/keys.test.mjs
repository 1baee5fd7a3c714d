// Idempotency keys: each is its sender's, and its object keeps nothing that it need not keep.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { textsOfObjects, whatIsKept } from './kept.mjs';
import {
  asCreator, assertProblem, created, eventsOf, inBody, LIMIT_MS, nobodies, ownPair, post, read, request, TOGETHER,
} from './support.mjs';

const TOKEN = 'an-operator-token-of-tests';
const OPERATOR = { authorization: `Bearer ${TOKEN}` };
/** A whole day has fewer than a run may ask for. */
const LIMITS = { DAILY_SEARCHES: '30', STARTS_PER_MINUTE_MAX: 'none', LIVE_RUNS_PER_CLIENT_MAX: 'none' };
const TOO_MANY = { searches: 31 };
/** Rows are at rest that so many looks in a row find the same. */
const LOOKS = 20;
const LOOK_EVERY_MS = 200;

let pair = null;

before(async () => {
  pair = await ownPair([], { OPERATOR_TOKEN: TOKEN, PUBLIC_BUDGETS: 'caps', ...LIMITS });
});
after(() => pair?.stop());

const newKey = () => ({ 'idempotency-key': crypto.randomUUID() });
const clientOf = (number) => ({ 'cf-connecting-ip': `192.0.2.${number}` });
const question = inBody(TOGETHER, { searches: 1 });
const start = (headers, body = question) => post(`${pair.base}/runs`, body, headers);

/** The runs that the tests have begun. */
const runs = new Set();

/** What a creation answers: the run and its secret. */
async function begun(headers, body) {
  const answer = await start(headers, body);
  assert.equal(answer.status, 202, await answer.clone().text());
  const { run, secret, events } = await answer.json();
  runs.add(run);
  return { run, secret, events };
}

/** The rows of all objects once every run has ended and written its last, after its last event. */
async function rowsAtRest() {
  await Promise.all([...runs].map((run) => read(eventsOf(pair.base, run))));
  const looks = [];
  const isAtRest = () => looks.length >= LOOKS && new Set(looks.slice(-LOOKS)).size === 1;
  const until = Date.now() + LIMIT_MS;
  while (!isAtRest() && Date.now() < until) {
    looks.push(JSON.stringify((await whatIsKept(pair.worker.folder)).rows));
    await setTimeout(LOOK_EVERY_MS);
  }
  return JSON.parse(looks.at(-1));
}

test('a key that somebody else sends gives another run', async () => {
  const key = newKey();
  const own = await begun({ ...key, ...clientOf(1) });
  assert.deepEqual(await begun({ ...key, ...clientOf(1) }), own);
  const others = [
    await begun({ ...key, ...clientOf(2) }),
    await begun({ ...key, ...clientOf(1), ...OPERATOR }),
    await begun({ ...key, ...clientOf(1) }, { ...question, sessionId: 's1' }),
  ];
  const all = [own, ...others];
  assert.equal(new Set(all.map(({ run }) => run)).size, all.length);
  assert.equal(new Set(all.map(({ secret }) => secret)).size, all.length);
  // The operator is the operator wherever they are.
  assert.deepEqual(await begun({ ...key, ...clientOf(9), ...OPERATOR }), others[1]);
});

test('requests with one key that come at the same time give one run', async () => {
  const headers = { ...newKey(), ...clientOf(3) };
  const answers = await Promise.all([1, 2, 3, 4].map(() => begun(headers)));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test('a start that is refused stores nothing, and its key is free', async () => {
  const headers = { ...newKey(), ...clientOf(4) };
  const before = await rowsAtRest();
  await assertProblem(await start(headers, inBody(TOGETHER, TOO_MANY)), 403);
  assert.deepEqual((await whatIsKept(pair.worker.folder)).rows, before);
  await begun(headers);
  await assertProblem(await start(headers, inBody(TOGETHER, { searches: 2 })), 409);
});

test('a key keeps digests alone, and none of them once its run is deleted', async () => {
  // Nobody's: no other run here has seen them.
  const people = nobodies();
  const headers = { ...newKey(), ...clientOf(5) };
  const body = inBody(people, { searches: 1 });
  const answer = await start(headers, body);
  const { secret } = await answer.clone().json();
  const run = await created(answer);
  await read(eventsOf(pair.base, run));
  const kept = await textsOfObjects(pair.worker.folder);
  assert.ok(kept.includes(people.b), 'the run keeps its question');
  assert.ok(!kept.includes(secret), 'nothing keeps its secret');

  const removed = await request(`${pair.base}/runs/${run}`, { method: 'DELETE', headers: asCreator(run) });
  assert.equal(removed.status, 204);
  const left = await textsOfObjects(pair.worker.folder);
  for (const word of [people.b, secret]) assert.ok(!left.includes(word), word);
  const digests = (texts) => texts.split('"question"').length;
  assert.equal(digests(left), digests(kept) - 1);
  const again = await start(headers, body);
  assert.match((await assertProblem(again, 409)).detail, /was deleted/);
});
