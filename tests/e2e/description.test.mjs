// The API's description, as it is served, and the answers of a server held against it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validatorOf } from '../description/validator.mjs';
import {
  assertNeverSearched, assertProblem, BASE, eventsOf, inBody, investigation, keptRecord, nobodies,
  post, read, request, SANDBOX, TOGETHER,
} from './support.mjs';

const RUNS = `${BASE}/runs`;
const JSON_ONLY = { headers: { accept: 'application/json' } };

test('/openapi.json lists every route', async () => {
  const answer = await request(`${BASE}/openapi.json`);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const description = await answer.json();
  assert.match(description.openapi, /^3\.1/);
  const routes = Object.entries(description.paths).flatMap(([path, { parameters, ...methods }]) =>
    Object.keys(methods).map((method) => `${method} ${path}`));
  assert.deepEqual(routes.sort(), [
    'delete /atlas/people/{person}', 'delete /atlas/photos/{digest}', 'delete /automata/{name}',
    'delete /chains/{digest}', 'delete /runs/{run}', 'delete /workflows/{name}', 'get /atlas', 'get /atlas/path',
    'get /atlas/people', 'get /atlas/people/{person}',
    'get /automata', 'get /automata/{name}', 'get /chains/{digest}', 'get /health', 'get /investigate',
    'get /openapi.json', 'get /people', 'get /runs/{run}', 'get /runs/{run}/artifacts/{digest}',
    'get /runs/{run}/automaton', 'get /runs/{run}/events', 'get /runs/{run}/sealed', 'get /runs/{run}/trace',
    'get /workflows', 'get /workflows/{name}', 'post /investigate', 'post /replay', 'post /runs',
    'post /runs/{run}/publish', 'post /runs/{run}/stop', 'put /automata/{name}', 'put /workflows/{name}',
  ]);
  const head = await request(`${BASE}/openapi.json`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/json']);
});

test('answers are as /openapi.json describes them', async () => {
  const wrongWith = validatorOf(await (await request(`${BASE}/openapi.json`)).json());
  const check = async (name, answer) => {
    const told = await answer.json();
    assert.equal(wrongWith(name, told), null, `${name}: ${JSON.stringify(told).slice(0, 500)}`);
    return told;
  };
  const { example } = await check('Health', await request(`${BASE}/health`));
  const people = await request(`${BASE}/people?${new URLSearchParams({ q: example.a })}`);
  await check('People', people);
  const { run } = await check('Created', await post(RUNS, inBody(example)));
  await check('Problem', await request(`${RUNS}/${run}/sealed`));
  const early = await (await request(`${RUNS}/${run}`, JSON_ONLY)).json();
  assert.ok(!wrongWith('Record', early) || !wrongWith('Outline', early), JSON.stringify(early));
  for (const { id, type, data } of (await read(eventsOf(BASE, run))).events) {
    assert.equal(wrongWith('Event', data), null, type);
    assert.equal(wrongWith('StreamEvent', { id, event: type, data: '' }), null, id);
  }
  assert.equal(wrongWith('Record', await keptRecord(BASE, run)), null);
  const sealed = await check('Sealed', await request(`${RUNS}/${run}/sealed`));
  await check('Report', await post(`${BASE}/replay`, sealed));
  sealed.body.journal[0] = { nothing: 1 };
  const report = await check('Report', await post(`${BASE}/replay`, sealed));
  assert.deepEqual(report.difference, { in: 'answer', command: 0 });
  await check('LastEvent', await post(`${BASE}/investigate`, inBody(TOGETHER), JSON_ONLY.headers));
  await check('Problem', await post(RUNS, {}));
});

test('headers and queries that it forbids are refused, and nothing is spent', async () => {
  const pair = nobodies();
  for (const [headers, detail] of [
    [{ 'idempotency-key': '' }, /Idempotency-Key must be/],
    [{ 'idempotency-key': 'k'.repeat(201) }, /Idempotency-Key must be/],
    [{ 'turnstile-token': 't'.repeat(2_049) }, /Turnstile-Token/],
  ]) {
    for (const answer of [
      await post(RUNS, inBody(pair), headers), await request(investigation(BASE, pair), { headers }),
    ]) {
      assert.match((await assertProblem(answer, 400)).detail, detail);
    }
  }
  for (const path of ['/health?deep=0', '/health?budget=yes', '/people?q=a', '/people?q=%09ab']) {
    await assertProblem(await request(`${BASE}${path}`), 400);
  }
  await assertNeverSearched(BASE, SANDBOX, pair);
});
