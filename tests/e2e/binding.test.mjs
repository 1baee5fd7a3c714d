// The platform's own browsers, by the binding BROWSER, as `wrangler dev` has it on this machine.
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { configIn } from './config.mjs';
import { BINDING, cacheChromium } from './platform-browser.mjs';
import {
  deeds, forgetDeeds, keptPassword, OPERATOR, PASSWORD, publish, shopper, startAutomaton, state, TOKEN,
} from './shopping.mjs';
import {
  endStarted, eventsOfRun, eventually, ownSandbox, ownWorker, request, startedOne, STATE,
} from './support.mjs';

/** The platform's price of a second, in billionths of a dollar. */
const SECOND_NANO_USD = 25_000;
const ENDS = ['completed', 'failed', 'stopped'];

let sandbox = null;
let worker = null;

before(async () => {
  sandbox = await startedOne(ownSandbox([]));
  const folder = await mkdtemp(join(STATE, 'binding-'));
  await cacheChromium(join(folder, 'cache'));
  const args = ['--config', await configIn(folder, BINDING, 'tests/e2e/bound.mjs')];
  const settings = {
    ...sandbox.settings, PUBLIC: '1', OPERATOR_TOKEN: TOKEN, AUTOMATON_SECRETS: keptPassword(sandbox.listening),
  };
  worker = await startedOne(ownWorker({ folder, settings, args }));
});
beforeEach(() => forgetDeeds(sandbox.listening));
after(endStarted);

const events = (run, enough) => eventsOfRun(worker.base, run, enough);

/** The browsers that the platform has at this moment. */
async function browsers() {
  const { sessions } = await (await request(`${worker.base}/health?browsers`)).json();
  return sessions.map(({ sessionId }) => sessionId);
}

test('a run has a browser of the platform, gives it back, and is executed again without one', async (t) => {
  assert.deepEqual(await browsers(), []);
  const automaton = shopper(sandbox.listening);
  const run = await startAutomaton(worker.base, { automaton, parameters: { USER: 'visitor' } });
  const told = await events(run);
  const { type, payload } = told.at(-1);
  assert.deepEqual([type, payload.message], ['completed', 'The cup is in the basket.'], JSON.stringify(payload));
  const done = await deeds(sandbox.listening);
  assert.deepEqual(done.map(({ action }) => action), ['consent', 'log-in', 'add'], JSON.stringify(done));
  assert.equal(done[1].is_password_right, true);
  // Those until the password is typed.
  assert.ok(told.filter((event) => event.type === 'looked' && event.payload.picture).length >= 3);
  const { spent } = payload;
  const [cost, most] = [Math.round(spent.usd * 1e9), spent.runtimeMs * SECOND_NANO_USD / 1_000];
  assert.ok(cost > 0 && cost <= most, `${cost} of at most ${most}`);
  await eventually('the browser is given back', async () => (await browsers()).length === 0);

  const sealed = await (await request(`${worker.base}/runs/${run}/sealed`)).text();
  assert.equal(sealed.includes(PASSWORD), false);
  const replayed = await request(`${worker.base}/replay`, { method: 'POST', headers: OPERATOR, body: sealed });
  assert.equal((await replayed.json()).result, 'identical');
  assert.deepEqual(await browsers(), []);
  const { looks, actions, runtimeMs, usd } = spent;
  t.diagnostic(`${looks} looks and ${actions} actions in ${runtimeMs} ms: ${usd} dollars`);
});

/** Logs in, and goes to and fro between two pages until the shop speaks German. */
function stroller() {
  const shop = `${sandbox.listening}/site/shop`;
  const [empty, wall, logIn, , , basket] = shopper(sandbox.listening, 'shop');
  return [
    empty, wall, logIn,
    state('In', ['Welcome to the shop'], [`navigate_to('${shop}/products')`]),
    state('Products', ['All products'], [`navigate_to('${shop}/basket')`]),
    { ...basket, actions: [`navigate_to('${shop}/products')`], end_state: '' },
    state('German', ['Angemeldet als visitor'], [], 'Still signed in'),
  ];
}

test('a run whose program traps attaches to its browser and page again', async () => {
  await publish(sandbox.listening, 'v0');
  const run = await startAutomaton(worker.base, {
    automaton: stroller(), parameters: { USER: 'visitor' }, options: { recursionLimit: 10_000 },
  });
  await events(run, ({ data }) => data.type === 'state_entered' && data.payload.name === 'Products');
  assert.equal((await browsers()).length, 1);
  const trap = async (kind) => (await request(`${worker.base}/health?trap=${kind}`)).json();
  const { traps } = await trap('none');
  // In the very next thing that the run does.
  await trap('abort');
  await publish(sandbox.listening, 'v4');
  // Its streams are cut with the program that traps.
  const { type, payload } = await eventually('the run has ended', async () => {
    const last = (await events(run).catch(() => [])).at(-1);
    return ENDS.includes(last?.type) ? last : null;
  });
  assert.deepEqual([type, payload.message], ['completed', 'Still signed in'], JSON.stringify(payload));
  assert.equal((await trap('none')).traps, traps + 1);
  assert.deepEqual((await deeds(sandbox.listening)).map(({ action }) => action), ['consent', 'log-in']);
  await eventually('the browser is given back', async () => (await browsers()).length === 0);
});
