// States that the sandbox's models make while a real browser is driven: whole automata, and what of one is mended.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { startBrowser } from '../../scripts/browser.mjs';
import { root } from '../../scripts/places.mjs';
import { closedDay, deeds, forgetDeeds, keptPassword, publish, startAutomaton, TOKEN } from './shopping.mjs';
import {
  calls, endStarted, eventsOfRun, forgetCalls, ownSandbox, ownWorker, request, startedOne,
} from './support.mjs';

const END = 'The tea cup is in the basket.';
const WANTED = ['consent', 'log-in', 'add'];
/** What no state knows is given up sooner than usual. A page that is still loading is not looked at. */
const QUICK = { noStatesTimeoutMs: 1_000 };
const { automaton: byRole, prompts } = JSON.parse(await readFile(join(root, 'tests', 'automata', 'shop.json'), 'utf8'));
/** The elements of the file by their ids, which a translation leaves as they are. */
const IDS = {
  'Only necessary cookies': '#cookie-necessary', 'User name': '#user-name', 'Password': '#password', 'Log in': '#log-in',
  'Add to basket': '#add-to-basket',
};
const byId = (call) => call.replace(/'role', '\w+\[name="([^"]+)"\]'/, (_, name) => `'css selector', '${IDS[name]}'`);
const automaton = byRole.map((state) => ({ ...state, actions: state.actions.map(byId) }));
/** Prompts in whose words the sandbox's models find each page of the way, and what is to be clicked there. */
const WHOLE = prompts.flatMap((prompt) => {
  if (prompt.name === 'Tea cup') return [{ ...prompt, triggers: ['The button "Add to basket" is shown.'] }];
  if (prompt.name !== 'Signed in') return [prompt];
  const list = { name: 'List', description: 'All products', triggers: ['The title "All products" is shown.'] };
  return [{ ...prompt, actions: ['Click "Products"'] }, { ...list, actions: ['Click "Tea cup"'], end_state: '' }];
});

let sandbox = null;
let worker = null;

before(async () => {
  sandbox = await startedOne(ownSandbox([]));
  const browser = await startedOne(startBrowser());
  const settings = {
    ...sandbox.settings, PUBLIC: '1', OPERATOR_TOKEN: TOKEN, BROWSER_CDP: browser.address,
    AUTOMATON_SECRETS: keptPassword(sandbox.listening), DAILY_USD: '100',
  };
  worker = await startedOne(ownWorker({ settings }));
});
beforeEach(() => forgetCalls(sandbox.listening));
after(endStarted);

/** What a run told in the variant of the shop that is published for it, which it knows by its address alone. */
async function eventsIn(variant, body) {
  await forgetDeeds(sandbox.listening);
  await publish(sandbox.listening, variant);
  const parameters = { SHOP: `${sandbox.listening}/site/shop`, USER: 'visitor' };
  const run = await startAutomaton(worker.base, { parameters, origins: [sandbox.listening], ...body });
  const told = await eventsOfRun(worker.base, run);
  return { run, told, last: told.at(-1).payload };
}

/** Runs an automaton that buys a tea cup, and checks that it does nothing else. */
async function shop(variant, body) {
  const found = await eventsIn(variant, body);
  assert.deepEqual([found.told.at(-1).type, found.last.message], ['completed', END], JSON.stringify(found.last));
  const done = await deeds(sandbox.listening);
  assert.deepEqual(done.map(({ action }) => action), WANTED, JSON.stringify(done));
  return found;
}

const ofType = (told, wanted) => told.filter(({ type }) => type === wanted).map(({ payload }) => payload);
const file = async (run) => (await request(`${worker.base}/runs/${run}/automaton`)).json();
const nanoUsd = ({ spent }) => Math.round(spent.usd * 1e9);

/** What the models of the sandbox were asked since the last test began. */
const questions = () => calls(sandbox.listening, 'gemini');

/** The file of a run comes to the same end, and no model is asked. */
async function assertRunsWithoutModels(variant, states) {
  const before = (await questions()).length;
  const { told, last } = await shop(variant, { automaton: states });
  assert.deepEqual([last.spent.asks, last.spent.statesMade, last.spent.usd], [0, 0, 0]);
  assert.equal(ofType(told, 'asked').length, 0);
  assert.equal((await questions()).length, before);
  return last;
}

test('models make the states of a whole purchase, which are charged, and then run without a model', async (t) => {
  const { spent: before } = await closedDay(worker.base);
  const wanted = { automaton: automaton.slice(0, 1), prompts: WHOLE, options: QUICK };
  const { run, told, last } = await shop('v0', wanted);
  const kept = ofType(told, 'state_kept').map(({ state }) => state.name);
  assert.deepEqual(new Set(kept), new Set(WHOLE.map(({ name }) => name)));
  const answered = ofType(told, 'answered');
  assert.ok(answered.length > 0 && answered.every(({ model }) => model === sandbox.settings.GEMINI_MODEL));
  assert.deepEqual(last.drift.made.length, kept.length, JSON.stringify(last.drift));
  assert.deepEqual([last.spent.asks, (await questions()).length], [answered.length, answered.length]);
  assert.ok(nanoUsd(last) > 0);
  const { spent: day } = await closedDay(worker.base);
  assert.equal(day.nanoUsd - before.nanoUsd, nanoUsd(last));

  const states = await file(run);
  assert.deepEqual(new Set(states.map(({ name }) => name)), new Set(['Begin', ...kept]));
  const again = await assertRunsWithoutModels('v0', states);
  t.diagnostic(`${last.spent.asks} questions, ${kept.length} states, ${last.spent.usd} dollars, `
    + `${last.spent.runtimeMs} ms; without models ${again.spent.asks} questions, ${again.spent.runtimeMs} ms`);
});

test('checks that fail on a changed page are made anew, and the last event says which', async (t) => {
  // The same shop in German: whatever is told by a text is gone, what is told by an id is there.
  const { run, told, last } = await shop('v4', { automaton, prompts, options: { ...QUICK, regenerate: true } });
  const names = automaton.slice(1).map(({ name }) => name);
  const { failures, regenerated, made, difference } = last.drift;
  assert.deepEqual([regenerated, made], [names, []]);
  const [first] = failures;
  assert.deepEqual(first.state, { position: 1, name: 'Cookies' });
  assert.deepEqual(first.check, { position: 0, is: { type: 'text', params: { text: 'This shop uses cookies' } } });
  assert.equal(first.gone, 'This shop uses cookies');
  assert.deepEqual([first.nearest.selector, first.nearest.text], ['h2.cookie-title', 'Dieser Laden verwendet Cookies']);
  assert.equal(first.page.url, `${sandbox.listening}/site/shop/login`);
  assert.deepEqual(failures.map(({ state }) => state.name), names);

  assert.deepEqual([difference.added, difference.removed], [[], []]);
  assert.deepEqual(difference.changed.map(({ name }) => name), names);
  const [cookies] = difference.changed;
  assert.deepEqual(cookies.checks.removed, [{ type: 'text', params: { text: 'This shop uses cookies' } }]);
  assert.ok(cookies.checks.added.some(({ params }) => params.text === first.nearest.text), JSON.stringify(cookies));
  assert.deepEqual(cookies.actions, { added: [], removed: [] });
  assert.equal((await questions()).length, ofType(told, 'asked').length);

  await assertRunsWithoutModels('v4', await file(run));
  t.diagnostic(`${last.spent.asks} questions for ${regenerated.length} states: ${last.spent.usd} dollars`);
});

test('without models the run ends, and says the same of what failed', async () => {
  const { told, last } = await eventsIn('v4', { automaton, options: QUICK });
  assert.deepEqual([told.at(-1).type, last.reason], ['failed', 'no_states_timeout'], JSON.stringify(last));
  const [{ gone, nearest, state }] = last.drift.failures;
  assert.deepEqual([gone, nearest.selector, state.name], ['This shop uses cookies', 'h2.cookie-title', 'Cookies']);
  assert.deepEqual(last.drift.difference, { added: [], changed: [], removed: [], left_out: 0 });
  assert.equal((await questions()).length, 0);
});
