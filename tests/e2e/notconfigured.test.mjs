// A deployment that is not set up yet, or lets only its operator start runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  assertProblem, assertWhole, calls, eventsOf, inBody, investigation, nobodies, ownSandbox,
  ownWorker, post, read, request, TOGETHER,
} from './support.mjs';

const TOKEN = 'the-operators-token';
// Commons, which needs no key, is asked where no other search is set.
const KEYS = ['CONTACT', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const WHO_MAY_START = 'OPERATOR_TOKEN (or PUBLIC=1, which lets everybody start runs)';

let sandbox = null;
let bare = null;
let closed = null;
let guarded = null;

before(async () => {
  sandbox = await ownSandbox([]);
  const { settings } = sandbox;
  [bare, closed, guarded] = await Promise.all([
    ownWorker({ settings: {}, mayLack: true }),
    ownWorker({ settings, mayLack: true }),
    ownWorker({ settings: { ...settings, OPERATOR_TOKEN: TOKEN } }),
  ]);
});
after(() => Promise.all([sandbox, bare, closed, guarded].map((service) => service?.stop())));

test('without settings each missing one is named', async () => {
  assert.equal(bare.health.status, 'not_configured');
  assert.deepEqual(bare.health.missing, [...KEYS, WHO_MAY_START]);
  const problem = await assertProblem(await post(`${bare.base}/runs`, inBody(TOGETHER)), 503);
  assert.deepEqual(problem.missing, [...KEYS, WHO_MAY_START]);
  for (const name of KEYS) assert.ok(problem.detail.includes(name), problem.detail);
  // The page still comes; it shows what is missing.
  assert.equal((await request(`${bare.base}/`)).status, 200);
});

test('with keys nobody may start until the operator says who', async () => {
  assert.equal(closed.health.status, 'not_configured');
  assert.deepEqual(closed.health.missing, [WHO_MAY_START]);
  const problem = await assertProblem(await post(`${closed.base}/runs`, inBody(TOGETHER)), 503);
  assert.match(problem.detail, /OPERATOR_TOKEN/);
  assert.match(problem.detail, /PUBLIC=1/);
  await assertProblem(await request(investigation(closed.base, TOGETHER)), 503);
});

test('with a token only who has it may start; who has the run may watch', async () => {
  const pair = nobodies();
  const runs = `${guarded.base}/runs`;
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: TOKEN }]) {
    const answer = await post(runs, inBody(pair), headers);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    await assertProblem(answer, 401);
  }
  await assertProblem(await request(investigation(guarded.base, pair)), 401);

  const authorization = `Bearer ${TOKEN}`;
  const answer = await post(runs, inBody(TOGETHER), { authorization });
  assert.equal(answer.status, 202);
  const { run } = await answer.json();
  assertWhole(await read(eventsOf(guarded.base, run)), run);
  const searches = (await calls(sandbox.listening, 'google')).map(({ key }) => key);
  assert.ok(searches.length > 0);
  assert.deepEqual(searches.filter((key) => key.includes(pair.a)), []);
});

test('a replay needs the token, too, and who tries tokens has to wait', async () => {
  const address = `${guarded.base}/replay`;
  await assertProblem(await post(address, '{}'), 401);
  const authorization = `Bearer ${TOKEN}`;
  await assertProblem(await post(address, '{}', { authorization }), 400);

  let answer = null;
  for (let tries = 0; tries < 6; tries += 1) {
    answer = await post(address, '{}', { authorization: `Bearer wrong ${tries}` });
    if (answer.status === 429) break;
    await assertProblem(answer, 401);
  }
  const seconds = Number(answer.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  await assertProblem(answer, 429);
  // Now the right one is not looked at either; reading is not slowed.
  await assertProblem(await post(address, '{}', { authorization }), 429);
  assert.equal((await request(`${guarded.base}/health`)).status, 200);
});
