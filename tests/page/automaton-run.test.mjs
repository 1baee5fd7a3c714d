// What is asked to start an automaton, what the operator keeps, and a sealed run that somebody drops.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { readAutomaton } from '../../public/automaton/reading.js';
import { AutomatonRun, sealedRunOf } from '../../public/automaton/run.js';
import { LIMITS, questionOf, soundsSecret } from '../../public/automaton/starting.js';
import { aboutOf, storedOf } from '../../public/automaton/stored.js';
import { verificationWords } from '../../public/run-page/sealed-run.js';
import { engineOf } from '../../public/sealed-file.js';

globalThis.location ??= { href: 'https://vd.example/automaton' };
const recorded = JSON.parse(await readFile(new URL('tea-run.json', import.meta.url), 'utf8'));
const sealedText = (name) => readFile(new URL(`../sealed/automaton_runs/${name}.json`, import.meta.url), 'utf8');
const asked = (more) => questionOf({
  automaton: 'tea-shop', prompts: null, fields: [], origins: '', isRegenerated: false, limits: {}, ...more,
});

test('only what was filled in is asked, and secrets are kept apart from parameters', () => {
  assert.deepEqual(asked({}), { automaton: 'tea-shop', options: {} });
  const fields = [
    { name: 'USER', value: 'ann', isSecret: false }, { name: 'PASSWORD', value: 'geheim', isSecret: true },
    { name: 'KEPT', value: '', isSecret: true },
  ];
  const question = asked({
    fields, origins: ' https://a.example, https://b.example\n', isRegenerated: true, prompts: [{ name: 'x' }],
    limits: { ...LIMITS, runtimeMs: '30', actions: '5', llm: 'many' },
  });
  assert.deepEqual(question, {
    automaton: 'tea-shop',
    prompts: [{ name: 'x' }],
    parameters: { USER: 'ann' },
    secrets: { PASSWORD: 'geheim' },
    origins: ['https://a.example', 'https://b.example'],
    options: { regenerate: true, runtimeMs: 30_000, actions: 5, llm: 'many' },
  });
});

test('what sounds like a secret is one before anybody says so', () => {
  for (const name of ['PASSWORD', 'accessToken', 'PIN', 'CARD_NUMBER', 'api_key']) assert.equal(soundsSecret(name), true, name);
  for (const name of ['USER', 'PINE', 'CITY', 'LINK']) assert.equal(soundsSecret(name), false, name);
});

test('the operator’s automata and secrets are read, whatever is told', () => {
  const told = storedOf(JSON.stringify({
    automata: [{ name: 'tea-shop', states: 5, prompts: 1, parameters: ['USER', 7] }, { states: 2 }, null],
    secrets: [{ name: 'PASSWORD', origins: ['https://tea.example'] }, {}],
    hasBrowser: false,
  }));
  assert.deepEqual(told.automata, [{ name: 'tea-shop', states: 5, prompts: 1, parameters: ['USER'] }]);
  assert.equal(aboutOf(told.automata[0]), '5 states, 1 prompt');
  assert.deepEqual([told.secrets.map(({ name }) => name), told.hasBrowser], [['PASSWORD'], false]);
  for (const odd of ['', 'null', '[]', '{"automata": 7}']) assert.deepEqual(storedOf(odd).automata, []);
});

test('a sealed run is shown with its states, its way and its end, and nobody is asked', async (t) => {
  t.mock.method(globalThis, 'fetch', () => assert.fail('a server was asked'));
  for (const [name, kind] of [['strict', 'completed'], ['netgent', 'completed'], ['no-state', 'failed']]) {
    const run = new AutomatonRun(() => {});
    const checked = run.show(sealedRunOf(await sealedText(name)), Promise.resolve({ kind: 'checked', isSame: true, says: '' }));
    assert.equal(run.state.outcome.kind, kind, name);
    assert.ok(run.states.nodes.length > 0);
    assert.deepEqual([run.state.isFile, run.state.isOwn], [true, false]);
    await checked;
    assert.equal(run.state.verification.kind, 'checked');
  }
});

test('an older run that is no longer executed is neither proven nor called forged', async () => {
  const isOlder = async (name) => sealedRunOf(await sealedText(name)).isOlder;
  assert.deepEqual([await isOlder('strict'), await isOlder('netgent')], [false, true]);
  const words = verificationWords({ kind: 'unavailable', why: 'older' });
  assert.match(words, /because it is of an older kind of run that is no longer executed\. So it is neither proven/);
});

test('a sealed run of another engine is sent to its page', async () => {
  const file = JSON.parse(await sealedText('strict'));
  assert.equal(engineOf(file), 'automaton');
  const other = (order) => sealedRunOf(JSON.stringify({ ...file, body: { ...file.body, order } })).problem;
  assert.match(other({ engine: 'workflow' }), /\/workflow shows/);
  assert.match(other({ personA: 'A' }), /first page/);
  assert.match(other({ engine: 'automaton', automaton: 7 }), /no automaton/);
  assert.equal(sealedRunOf(JSON.stringify(recorded.automaton)), null);
});

test('what is run once more has its states and values as they were, and no secret’s value', () => {
  const run = new AutomatonRun(() => {});
  const order = {
    engine: 'automaton', automaton: recorded.automaton, parameters: { USER: 'ann' },
    secrets: ['PASSWORD'], origins: ['https://tea.example', 'https://pay.example'],
  };
  const file = { format: 'visual-degrees sealed run', version: 2, body: { run: 's1', order, events: recorded.completed } };
  run.show(sealedRunOf(JSON.stringify(file)), new Promise(() => {}));
  const again = readAutomaton(run.again);
  assert.deepEqual(again.states, recorded.automaton);
  assert.deepEqual([again.given.parameters, again.given.secrets], [{ USER: 'ann' }, ['PASSWORD']]);
  assert.deepEqual(again.given.origins, order.origins);
});

test('the graph is made anew only where it has changed', () => {
  const run = new AutomatonRun(() => {});
  const file = (events) => JSON.stringify({
    format: 'visual-degrees sealed run', body: { run: 's1', order: { engine: 'automaton', automaton: recorded.automaton }, events },
  });
  run.show(sealedRunOf(file(recorded.completed)), new Promise(() => {}));
  assert.equal(run.states, run.states);
  const before = run.states;
  run.show(sealedRunOf(file(recorded.completed.slice(0, 3))), new Promise(() => {}));
  assert.notEqual(run.states, before);
});
