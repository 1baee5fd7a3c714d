// What strangers may spend: the budget of the day, runs at once, starts a minute, the check for
// humans, and what the operator's token lifts.
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { configIn } from './config.mjs';
import {
  bought, books, clientOf, closedBooks, dayOf, startSmall, storm, TOKEN,
} from './spending.mjs';
import {
  assertProblem, assertWhole, created, eventsOf, forgetCalls, inBody, investigation, ownSandbox,
  ownWorker, post, read, request, startRun, STATE, stopRun, TOGETHER,
} from './support.mjs';

const OPERATOR = { authorization: `Bearer ${TOKEN}` };
const RUNS = 12;
const SETTLED_LIMIT_MS = 20_000;
/** A run that is under way for as long as a test needs it. */
const SLOW = 'google=4000';

let sandbox = null;
let slow = null;
const workers = [];

before(async () => {
  [sandbox, slow] = await Promise.all([ownSandbox([]), ownSandbox(['--latency', SLOW])]);
});
after(() => Promise.all([sandbox, slow, ...workers].map((service) => service?.stop())));

async function worker(settings, more = {}) {
  const one = await ownWorker({ settings, ...more });
  workers.push(one);
  return one;
}

test('of many creations at once exactly those that fit into the day begin', async (t) => {
  await forgetCalls(sandbox.listening);
  const { base } = await worker(dayOf(sandbox, RUNS, { LIVE_RUNS_MAX: '6' }));
  const server = { base, kills: 0, up: async () => {} };
  const { runs, refusals, told } = await storm(server, { creations: 60, clients: 20 });
  const { spent, reserved } = await closedBooks(base, SETTLED_LIMIT_MS);
  const { searches, recognitions } = await bought(sandbox);
  assert.deepEqual([runs.length, refusals.length], [RUNS, 60 - RUNS]);
  assert.deepEqual([spent.searches, spent.recognitions], [searches, recognitions]);
  assert.deepEqual([told.searches, told.found], [RUNS, RUNS], told.others.join());
  assert.equal(searches, RUNS);
  assert.equal(spent.nanoUsd, searches * 5_000_000 + recognitions * 1_000_000);
  assert.deepEqual(reserved, { searches: 0, recognitions: 0, nanoUsd: 0 });
  t.diagnostic(`60 creations, ${runs.length} begun, ${searches} searches bought of ${RUNS}`);

  const used = await assertProblem(await startSmall(base, clientOf(99)), 429);
  assert.equal(used.detail, 'Today\'s budget of this server is used up; it is renewed at midnight UTC.');
  const again = await startSmall(base, OPERATOR);
  assert.equal(again.status, 429, 'the operator has the same day');
  // Watching and reading stay free.
  assertWhole(await read(eventsOf(base, runs[0])), runs[0]);
  assert.equal((await request(`${base}/runs/${runs[0]}`)).status, 200);
});

test('a run that needs less than it may gives the rest back, and a larger one than the day never fits', async () => {
  const { base } = await worker(dayOf(sandbox, 5, { DAILY_USD: 'none', DAILY_RECOGNITIONS: 'none' }));
  const large = () => startSmall(base, clientOf(1), { searches: 5, recognitions: 100 });
  const answer = await large();
  assert.equal(answer.status, 202);
  const { run } = await answer.json();
  await read(eventsOf(base, run));
  const { spent } = await closedBooks(base, SETTLED_LIMIT_MS);
  assert.equal(spent.searches, 1);
  const short = await assertProblem(await large(), 429);
  assert.match(short.detail, /4 searches are left, and this run may take 5 searches/);
  const never = await startSmall(base, clientOf(1), { searches: 6 });
  assert.match((await assertProblem(never, 403)).detail, /up to 6 searches.* 5 searches for a whole day/);
  assert.equal((await startSmall(base, clientOf(1), { searches: 4 })).status, 202);
});

test('a client has so many runs at once and so many starts a minute; the operator any number', async () => {
  const limits = {
    LIVE_RUNS_PER_CLIENT_MAX: '1', LIVE_RUNS_MAX: '2', STARTS_PER_MINUTE_MAX: '3',
    DAILY_SEARCHES: '100', DAILY_RECOGNITIONS: '2000', DAILY_USD: 'none',
  };
  const { base } = await worker({ ...dayOf(slow, 1, limits) });
  const key = { 'idempotency-key': crypto.randomUUID() };
  const first = await startSmall(base, { ...clientOf(1), ...key });
  const run = await created(first);
  const same = await startSmall(base, { ...clientOf(1), ...key });
  assert.deepEqual([same.status, (await same.json()).run], [202, run], 'the same run, nothing new');
  const second = await startSmall(base, clientOf(1));
  assert.ok(Number(second.headers.get('retry-after')) > 0);
  assert.match((await assertProblem(second, 429)).detail, /as one visitor may have, 1;/);
  assert.equal((await startSmall(base, clientOf(2))).status, 202);
  assert.match((await assertProblem(await startSmall(base, clientOf(3)), 429)).detail, /it may have, 2;/);
  assert.equal((await startSmall(base, OPERATOR)).status, 202);
  assert.equal((await books(base)).liveRuns, 3);

  // A stop ends a run at once, and its place is free.
  for (let start = 2; start <= 3; start += 1) {
    await stopRun(base, run);
    await closedBooks(base, SETTLED_LIMIT_MS);
    assert.equal((await startSmall(base, clientOf(1))).status, 202, `start ${start}`);
  }
  await closedBooks(base, SETTLED_LIMIT_MS);
  const fast = await startSmall(base, clientOf(1));
  const seconds = Number(fast.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60, `${seconds} seconds`);
  assert.match((await assertProblem(fast, 429)).detail, /as one visitor may, 3;/);
});

test('strangers may ask for the default budgets, the operator for the caps', async () => {
  const { base } = await worker(dayOf(sandbox, 1_000, { PUBLIC_BUDGETS: 'default' }));
  const larger = inBody(TOGETHER, { searches: 21 });
  const problem = await assertProblem(await post(`${base}/runs`, larger), 401);
  assert.equal(problem.field, 'searches');
  assert.match(problem.detail, /from 1 to 20; more needs the operator's token/);
  const inLink = investigation(base, TOGETHER, { recognitions: 101 });
  await assertProblem(await request(inLink), 401);
  assert.equal((await post(`${base}/runs`, larger, OPERATOR)).status, 202);
  const run = await startRun(base, TOGETHER, { searches: 20 });
  assertWhole(await read(eventsOf(base, run)), run);
});

test('without settings strangers have the default limits', async () => {
  const { DAILY_SEARCHES, DAILY_RECOGNITIONS, DAILY_USD, ...rest } = dayOf(sandbox, 1);
  const names = ['LIVE_RUNS_MAX', 'LIVE_RUNS_PER_CLIENT_MAX', 'STARTS_PER_MINUTE_MAX'];
  const settings = Object.fromEntries(Object.entries(rest).filter(([name]) => !names.includes(name)));
  const { base } = await worker(settings);
  assert.deepEqual((await books(base)).limits, {
    dailySearchesMax: 400, dailyRecognitionsMax: 2_000, dailyNanoUsdMax: 5_000_000_000,
    liveRunsMax: 10, liveRunsPerClientMax: 2, startsPerMinuteMax: 6,
  });
  await assertProblem(await request(`${base}/health?budget=1`), 401);
});

test('where the platform has a limiter of its own, it counts the starts', async () => {
  const folder = await mkdtemp(join(STATE, 'limited-'));
  const binding = '\n[[ratelimits]]\nname = "RATE_LIMITER"\nnamespace_id = "1001"\nsimple = { limit = 2, period = 60 }\n';
  const args = ['--config', await configIn(folder, binding)];
  const settings = dayOf(sandbox, 1_000, { STARTS_PER_MINUTE_MAX: '500' });
  const { base } = await worker(settings, { folder, args });
  const statuses = [];
  for (const client of [1, 1, 1, 2]) {
    statuses.push((await startSmall(base, clientOf(client))).status);
  }
  assert.deepEqual(statuses, [202, 202, 429, 202]);
  assert.equal((await startSmall(base, { ...clientOf(1), ...OPERATOR })).status, 202);
});

test('with Turnstile a stranger starts with a good token, once; the operator needs none', async () => {
  const { base } = await worker(dayOf(sandbox, 1_000, {
    TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: 'sandbox-turnstile-secret',
  }));
  const { turnstile } = await (await request(`${base}/health`)).json();
  assert.deepEqual(turnstile, { siteKey: 'site' });
  const token = async (hostname = '127.0.0.1', action = 'start-run') => {
    const query = new URLSearchParams({ hostname, action });
    const answer = await request(`${sandbox.listening}/turnstile/token?${query}`);
    return { 'turnstile-token': (await answer.json()).token };
  };
  const missing = await assertProblem(await startSmall(base, {}), 403);
  assert.match(missing.detail, /open this server's page/);
  await assertProblem(await request(investigation(base, TOGETHER)), 403);
  for (const other of [await token('other.example'), await token('127.0.0.1', 'log-in')]) {
    await assertProblem(await startSmall(base, other), 403);
  }
  await assertProblem(await startSmall(base, { 'turnstile-token': 'x'.repeat(2_049) }), 400);
  const good = await token();
  const key = { 'idempotency-key': crypto.randomUUID() };
  const first = await startSmall(base, { ...good, ...key });
  assert.equal(first.status, 202);
  const repeated = await startSmall(base, { ...good, ...key });
  assert.deepEqual(await repeated.json(), await first.json(), 'the same request again');
  assert.match((await assertProblem(await startSmall(base, good), 403)).detail, /used before/);
  const inBodyToo = { ...inBody(TOGETHER), turnstileToken: (await token())['turnstile-token'] };
  assert.equal((await post(`${base}/runs`, inBodyToo)).status, 202);
  assert.equal((await startSmall(base, OPERATOR)).status, 202);
});
