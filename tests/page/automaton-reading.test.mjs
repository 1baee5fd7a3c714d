// What the page makes of a file of states that is dropped on it, in either format, and of one that is none.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { callOf } from '../../public/automaton/calls.js';
import { AUTOMATON_BYTES_MAX, documentOf, readAutomaton, refusedStates } from '../../public/automaton/reading.js';
import { viewOf } from '../../public/automaton/states.js';

const { automaton } = JSON.parse(await readFile(new URL('tea-run.json', import.meta.url), 'utf8'));
const written = JSON.stringify(automaton);
const state = (more) => ({ name: 'A state', checks: [{ type: 'text', value: 'x' }], actions: [], ...more });

test('a file of states becomes a column, from its last state to its first', () => {
  const read = readAutomaton(written);
  assert.deepEqual(read.graph.nodes.map(({ name }) => name), [
    'On the empty page', 'Log in', 'List of teas', 'Detail of the tea', 'Order is placed',
  ]);
  assert.equal(read.graph.edges.every(({ isPlanned }) => isPlanned), true, 'nobody knows yet where a page leads');
  assert.equal(read.graph.edges.length, 4);
  const [first, logIn] = read.graph.nodes;
  assert.deepEqual([first.kind, first.line], ['1 check, 1 action', 'navigate_to']);
  assert.deepEqual([logIn.kind, logIn.line], ['2 checks, 3 actions', 'type, type, click']);
  assert.equal(read.graph.nodes.at(-1).line, 'ends: The tea is ordered');
  assert.match(read.name, /^An automaton of 5 states, to “The tea is ordered”$/);
  assert.deepEqual([read.parameters, read.origins, read.remarks], [['USER', 'PASSWORD'], ['https://tea.example'], []]);
});

test('a wrapper, and a document with what belongs to it, are read as well', () => {
  const wrapped = readAutomaton(JSON.stringify({ state_repository: automaton }));
  assert.deepEqual([wrapped.graph.nodes.length, wrapped.member], [5, '']);
  const whole = { automaton, parameters: { USER: 'ann' }, origins: ['https://a.example'], prompts: [] };
  const read = readAutomaton(JSON.stringify(whole));
  assert.deepEqual([read.graph.nodes.length, read.member], [5, 'automaton']);
  assert.deepEqual(read.given, { parameters: { USER: 'ann' }, origins: ['https://a.example'], prompts: [] });
  const none = readAutomaton('[]');
  assert.deepEqual([none.problem, none.graph], [undefined, null], 'models may make its states');
});

test('what cannot be read is told in words', () => {
  const told = (value) => readAutomaton(typeof value === 'string' ? value : JSON.stringify(value)).problem ?? '';
  assert.match(told(''), /nothing in it/);
  assert.match(told('[{'), /not JSON/);
  for (const none of ['7', 'null', '"text"', '{}', '{"automaton": {}}']) assert.match(told(none), /no automaton/);
  assert.match(told({ nodes: [] }), /a workflow/);
  assert.match(told([state(), { checks: [] }]), /State 2 .* no name/);
  assert.match(told([state({ actions: {} })]), /State 1 .* lists/);
  assert.match(told(Array.from({ length: 1_001 }, () => state())), /over 1000 states/);
  assert.match(told(' '.repeat(2 * AUTOMATON_BYTES_MAX + 1)), /larger than 1 MB/);
});

test('what will surprise is told at its state', () => {
  const { remarks } = documentOf([state({ checks: [] }), state({ actions: ["save_html('x')"] })]);
  assert.deepEqual(remarks.map((one) => [one.node, one.detail.split(',')[0].slice(0, 24)]), [
    ['s0', 'It has no checks'], ['s1', 'Another state has its na'], ['s1', 'Action 1'],
  ]);
});

test('calls are shown by what they are about, whatever their strings hold', () => {
  const shown = (call) => {
    const { verb, about } = callOf(call);
    return `${verb} | ${about}`;
  };
  for (const [call, expected] of [
    ["click(by='css selector', selector='a[title=\"(x, y)\"]')", 'click | a[title="(x, y)"]'],
    ["click('css selector', 'b', 'right')", 'click | b (right button)'],
    ["type(by='id', selector='q', text='it\\'s ' + parameters['NAME'])", "type | 'it\\'s ' + parameters['NAME'] into q"],
    ['wait(seconds=2.5)', 'wait | 2.5 s'],
    ['navigate_to("https://a.example/?a=1,2")', 'navigate_to | https://a.example/?a=1,2'],
    ['scroll()', 'scroll | down'],
    [{ type: 'navigate', params: { url: 'https://a.example/' } }, 'navigate_to | https://a.example/'],
    [{ type: 'scroll', params: { direction: 'up', pixels: 300 } }, 'scroll | up 300'],
    [{ type: 'terminate', params: { reason: 'done' } }, 'terminate | done'],
    ['not a call', 'no call | not a call'],
    [7, 'no call | {}'],
    ["click('never closed", "no call | click('never closed"],
  ]) assert.equal(shown(call), expected);
});

test('only what a call refers to is a parameter, and a hostile string takes no time', () => {
  assert.deepEqual(callOf("type('id', 'x', parameters['A'] + \"b\" + parameters[\"B\"])").parameters, ['A', 'B']);
  assert.deepEqual(callOf("type('id', 'x', \"parameters['A']\")").parameters, [], 'that is a text');
  const start = performance.now();
  callOf(`type(${"parameters['".repeat(1_600)})`);
  callOf(`type(${'\\'.repeat(20_000)}')`);
  assert.ok(performance.now() - start < 500);
});

test('checks of both formats are said in words', () => {
  const { checks } = viewOf({
    name: 'x',
    checks: [
      { type: 'url', value: 'https://a.example/' },
      { type: 'element', params: { by: 'xpath', selector: '//b', check_visibility: false } },
      { type: 'smell', value: 7 },
    ],
  });
  assert.deepEqual(checks, [
    { words: 'the address is', is: 'https://a.example/', note: '' },
    { words: 'the page has', is: '//b', note: 'by xpath, seen or not' },
    { words: 'a check of the type “smell”:', is: '', note: '' },
  ]);
});

test('what the server refuses is found at its state', () => {
  const prepared = readAutomaton(written);
  const refused = (message) => refusedStates({ message }, prepared).map(({ node }) => node);
  assert.deepEqual(refused('The automaton cannot be executed: state 2: line 1: byte 4: a comma.'), ['s1']);
  assert.deepEqual(refused('The automaton cannot be executed: state 9: a fault.'), []);
  assert.deepEqual(refused('The day’s budget is spent.'), []);
});
