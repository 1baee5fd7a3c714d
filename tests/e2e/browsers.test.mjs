// What the operator says of browsers: what an hour costs, and how many there may be at once.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startBrowser } from '../../scripts/browser.mjs';
import { GO, openGate } from './gate.mjs';
import {
  begin, closedDay, deeds, forgetDeeds, keptPassword, shopper, startAutomaton, state, TOKEN,
} from './shopping.mjs';
import {
  asCreator, endStarted, eventsOfRun, eventually, ownSandbox, ownWorker, pause, request, startedOne, stopRun,
} from './support.mjs';

/** A cent a second, in billionths of a dollar. */
const SECOND_NANO_USD = 10_000_000;
const DAY_USD = 100;
const NO_MONEY = "The run's money does not last for more of a browser.";
/** Long enough for a run that need not wait to open its browser. */
const MEANWHILE_MS = 1_500;

let sandbox = null;
let worker = null;
let watched = null;
let gate = null;

before(async () => {
  sandbox = await startedOne(ownSandbox([]));
  const browser = await startedOne(startBrowser());
  watched = await startedOne(watchTargets(browser.address));
  gate = await startedOne(openGate());
  const settings = {
    ...sandbox.settings, PUBLIC: '1', OPERATOR_TOKEN: TOKEN, BROWSER_CDP: browser.address,
    AUTOMATON_SECRETS: keptPassword(sandbox.listening), DAILY_USD: String(DAY_USD),
    PRICE_BROWSER_USD_PER_HOUR: '36', BROWSERS_MAX: '1',
  };
  worker = await startedOne(ownWorker({ settings }));
});
beforeEach(() => forgetDeeds(sandbox.listening));
after(endStarted);

/** Hears of every page that the browser has, from the browser itself: how many of runs there were at once. */
async function watchTargets(address) {
  const { webSocketDebuggerUrl } = await (await request(`${address}/json/version`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error('the browser takes no connection')), { once: true });
  });
  const pages = new Set();
  const seen = { most: 0, all: 0 };
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(data);
    if (method === 'Target.targetDestroyed') pages.delete(params.targetId);
    if (method !== 'Target.targetCreated' || params.targetInfo.type !== 'page') return;
    pages.add(params.targetInfo.targetId);
    seen.all += 1;
    seen.most = Math.max(seen.most, pages.size);
  });
  socket.send(JSON.stringify({ id: 1, method: 'Target.setDiscoverTargets', params: { discover: true } }));
  // The page that the browser itself begins with is none of a run's.
  await eventually('the first page of the browser', () => seen.all === 1);
  const now = () => pages.size - 1;
  const forget = () => Object.assign(seen, { most: pages.size, all: 0 });
  return { now, forget, most: () => seen.most - 1, all: () => seen.all, stop: () => socket.close() };
}

const events = (run, enough) => eventsOfRun(worker.base, run, enough);
const shop = (options) => startAutomaton(worker.base, {
  automaton: shopper(sandbox.listening), parameters: { USER: 'visitor' }, options,
});

/** A run that has its browser until the gate lets it go on. */
async function holder() {
  const run = await startAutomaton(worker.base, { automaton: [begin(gate.base), state('Free', [GO], [], 'Free')] });
  await eventually('a run is at the gate', () => gate.waiting() === 1);
  return run;
}

const nanoUsd = ({ spent }) => Math.round(spent.usd * 1e9);

test('seconds of a browser are charged to the run and to the day', async (t) => {
  const { spent: before } = await closedDay(worker.base);
  const run = await shop();
  const { type, payload } = (await events(run)).at(-1);
  assert.deepEqual([type, payload.message], ['completed', 'The cup is in the basket.'], JSON.stringify(payload));
  const cost = nanoUsd(payload);
  const most = payload.spent.runtimeMs * SECOND_NANO_USD / 1_000;
  assert.ok(cost > 0 && cost <= most, `${cost} of at most ${most}`);

  const { spent, reserved } = await closedDay(worker.base);
  assert.equal(spent.nanoUsd - before.nanoUsd, cost);
  assert.equal(reserved.nanoUsd, 0);
  const { runtimeMs, usd } = payload.spent;
  t.diagnostic(`${cost / SECOND_NANO_USD} s of a browser in a run of ${runtimeMs / 1_000} s: ${usd} dollars`);
});

/** No command of a run was begun for which its money might not have lasted. */
async function assertWithin(run, most) {
  const { body } = await (await request(`${worker.base}/runs/${run}/sealed`)).json();
  let spent = 0;
  const intended = new Map();
  for (const { intent, answer } of body.journal) {
    if (intent) {
      const all = (intended.get(intent.command) ?? 0) + intent.nanoUsd;
      assert.ok(spent + all <= most, `${spent} were spent, and ${all} might have been, of ${most}`);
      intended.set(intent.command, all);
    }
    spent += answer?.nanoUsd ?? 0;
  }
  assert.ok(intended.size > 0);
}

test('money that does not last for more of a browser ends the run in words', async (t) => {
  const budgetUsd = 0.002;
  const run = await shop({ budgetUsd });
  const { type, payload } = (await events(run)).at(-1);
  assert.deepEqual([type, payload.reason, payload.message], ['failed', 'budget', NO_MONEY], JSON.stringify(payload));
  await assertWithin(run, budgetUsd * 1e9);
  t.diagnostic(`${payload.spent.usd} dollars of ${budgetUsd}`);
});

test('a wait for which the money does not last is charged, and is not taken for done', async (t) => {
  const budgetUsd = 0.04;
  const waits = state('Wall', ['This shop uses cookies'], ['wait(60)'], 'Waited');
  const run = await startAutomaton(worker.base, {
    automaton: [begin(`${sandbox.listening}/site/v0/`), waits], options: { budgetUsd },
  });
  const { type, payload } = (await events(run)).at(-1);
  assert.deepEqual([type, payload.reason, payload.message], ['failed', 'budget', NO_MONEY], JSON.stringify(payload));
  assert.ok(nanoUsd(payload) > 0.9 * budgetUsd * 1e9, `${payload.spent.usd} dollars`);
  t.diagnostic(`${payload.spent.usd} dollars of ${budgetUsd}`);
});

test('where one browser is allowed, a second run waits in turn, and both come to their ends', async () => {
  watched.forget();
  const first = await holder();
  const second = await shop();
  await events(second, ({ type }) => type === 'automaton_started');
  await pause(MEANWHILE_MS);
  assert.deepEqual([watched.now(), await deeds(sandbox.listening)], [1, []], 'the second run did not wait');
  gate.letGo();
  const [told, others] = await Promise.all([events(first), events(second)]);
  assert.deepEqual([told, others].map((all) => all.at(-1).payload.message), ['Free', 'The cup is in the basket.']);
  assert.deepEqual([watched.all(), watched.most()], [2, 1], 'pages of runs: in all, and at once');
});

test('a run that is stopped while it waits gives up its place', async () => {
  watched.forget();
  const first = await holder();
  const [second, third] = [await shop(), await shop()];
  for (const run of [second, third]) await events(run, ({ type }) => type === 'automaton_started');
  const stopped = await stopRun(worker.base, second, asCreator(second));
  assert.ok(stopped.ok, `${stopped.status}`);
  assert.equal((await events(second)).at(-1).type, 'stopped');
  assert.equal(watched.all(), 1);
  gate.letGo();
  const ends = await Promise.all([first, third].map((run) => events(run)));
  assert.deepEqual(ends.map((all) => all.at(-1).payload.message), ['Free', 'The cup is in the basket.']);
  assert.deepEqual([watched.all(), watched.most()], [2, 1]);
  const added = (await deeds(sandbox.listening)).filter(({ action }) => action === 'add');
  assert.equal(added.length, 1);
});

test('a run that waits too long for its turn ends in words, and pays nothing', async () => {
  const first = await holder();
  const { type, payload } = (await events(await shop({ callMs: 1_000 }))).at(-1);
  assert.deepEqual([type, payload.reason], ['failed', 'browser'], JSON.stringify(payload));
  assert.deepEqual([payload.message, payload.spent.usd], ['the wait for a free browser took too long', 0]);
  gate.letGo();
  assert.equal((await events(first)).at(-1).payload.message, 'Free');
});
