// What is known of an automaton's run by its events: its states, its page, what models make, and its graph.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { isTrouble, wordsOf } from '../../public/automaton/event-words.js';
import { graphOf } from '../../public/automaton/graph.js';
import { HEAD_WORDS } from '../../public/automaton/head-words.js';
import { knownOf } from '../../public/automaton/state-known.js';
import { blank, reduce } from '../../public/automaton/state.js';
import { layoutOf } from '../../public/run-page/layout.js';
import { edgesGone, linesOf } from '../../public/run-page/run-state.js';
import { asText } from '../../public/run-page/told-words.js';

const recorded = JSON.parse(await readFile(new URL('tea-run.json', import.meta.url), 'utf8'));
const kept = { name: '', origins: [], secrets: [] };
const begun = (document) => [
  { kind: 'following', run: 'r', isOwn: true }, { kind: 'known', kept, document },
].reduce(reduce, blank());
const numbered = (events, from = 0) => events.map((event, i) => ({ n: from + i + 1, event }));
const after = (document, events) => reduce(begun(document), { kind: 'events', events: numbered(events) });
const until = (events, type, nth = 1) => {
  const places = events.flatMap((event, i) => (event.type === type ? [i] : []));
  return events.slice(0, places[nth - 1] + 1);
};
const graph = (state) => graphOf({ ...state, family: 'x' });
const names = (shown) => shown.nodes.map(({ name }) => name);
const event = (type, payload) => ({ type, runId: 'r', timestamp: '2026-11-25T12:00:00.000Z', payload });

test('the state that acts is known, with its actions and the place of the last one', () => {
  const state = after(recorded.automaton, until(recorded.completed, 'action_done', 2));
  assert.equal(state.at, 's3');
  const { status, visits, actions } = knownOf(state, 's3');
  assert.deepEqual([status, visits, actions.get(1).status], ['running', 1, 'done']);
  assert.deepEqual([state.click.node, state.click.line, state.click.point.x], ['s3', 1, 166]);
  assert.equal(state.picture.url, 'https://tea.example/');
  assert.match(state.picture.digest, /^[0-9a-f]{64}$/);
  assert.match(HEAD_WORDS.now(state, graph(state)), /^Now: Log in$/);
  assert.equal(knownOf(state, 's4').status, 'done');
});

test('a place is of the picture before it: a newer one has none yet', () => {
  const looks = until(recorded.completed, 'looked', 3);
  assert.equal(after(recorded.automaton, looks).click, null);
  const blind = [...looks.slice(0, -1), event('looked', { ...looks.at(-1).payload, picture: null })];
  const state = after(recorded.automaton, blind);
  assert.notEqual(state.click, null, 'the picture is still the earlier one');
  assert.notEqual(state.look.url, state.picture.url);
  assert.equal(state.click.isPictured, true, 'it was done before the page was another one');
  const later = after(recorded.automaton, [...blind, looks.findLast(({ type }) => type === 'action_done')]);
  assert.equal(later.click.isPictured, false, 'nobody has seen where');
});

test('a wait tells no end: it is over when the next action begins', () => {
  const state = after(recorded.automaton, until(recorded.completed, 'action_begun', 6));
  const { actions } = knownOf(state, 's2');
  assert.deepEqual([actions.get(1).status, actions.get(2).status], ['done', 'running']);
});

test('the graph goes by what has happened: ways that were gone, and dotted ones that were not', () => {
  const state = after(recorded.automaton, until(recorded.completed, 'state_entered', 3));
  const shown = graph(state);
  assert.deepEqual(shown.edges.map(({ from, to, isPlanned }) => `${from}>${to} ${isPlanned ? '?' : ''}`.trim()), [
    's4>s3', 's3>s2', 's2>s1 ?', 's1>s0 ?',
  ]);
  const { gone, lit } = edgesGone(state, shown);
  assert.deepEqual([gone.size, lit], [2, 'gone s3 s2']);
  assert.equal(layoutOf(shown).rows.length, 5, 'one column');
});

test('states that run again lead back, and those that run first stand first', () => {
  const enter = (state) => event('state_entered', { state, name: 'x' });
  const state = after(recorded.automaton, [enter(0), enter(3), enter(0), enter(0)]);
  const shown = graph(state);
  assert.deepEqual(shown.nodes.map(({ id }) => id), ['s0', 's3', 's4', 's2', 's1']);
  const back = shown.edges.filter(({ isReturn }) => isReturn).map(({ from, to }) => `${from}>${to}`);
  assert.deepEqual(back, ['s3>s0', 's0>s0']);
  assert.equal(layoutOf(shown).edges.filter(({ isBack }) => isBack).length, 2);
  assert.equal(knownOf(state, 's0').visits, 3);
});

test('the end is told with its words', () => {
  const state = after(recorded.automaton, recorded.completed);
  assert.deepEqual([state.phase, state.outcome.kind, state.outcome.message], ['ended', 'completed', 'The tea is ordered']);
  assert.equal(state.outcome.drift, null);
  assert.match(HEAD_WORDS.more(state).filter(Boolean).join(' · '), /^5 states, 6 actions, 5 looks/);
});

test('a failure stands at its state and action, with what is gone and what is nearest', () => {
  const state = after(recorded.drifted, recorded.failed);
  const known = knownOf(state, 's1');
  assert.deepEqual([known.status, known.actions.get(1).status], ['failed', 'failed']);
  assert.equal(HEAD_WORDS.failed(state, graph(state)), 'Failed at Detail of the tea, action 1.');
  assert.equal(state.outcome.drift.failures[0].nearest.selector, 'button[id="order"]');
});

test('a state that models make comes before the others, which keep what is known of them', () => {
  const asked = after(recorded.incomplete, until(recorded.made, 'asked'));
  assert.match(HEAD_WORDS.now(asked, graph(asked)), /^Making a state: a model is asked which of the prompts/);
  assert.equal(after(recorded.incomplete, until(recorded.made, 'state_made')).making, null);
  const state = after(recorded.incomplete, recorded.made);
  assert.deepEqual(state.states.map(({ id }) => id), ['m1', 's0', 's1', 's2']);
  assert.deepEqual(names(graph(state)), ['On the empty page', 'Log in', 'List of teas', 'Detail of the tea']);
  const made = knownOf(state, 'm1');
  assert.deepEqual([made.mark, made.proof, made.status], ['made by a model', 'none', 'done']);
  assert.equal(knownOf(state, 's1').visits, 1);
  assert.deepEqual(state.outcome.drift.made, ['Detail of the tea']);
});

test('while a state is being made its actions are known as they begin', () => {
  const state = after(recorded.incomplete, until(recorded.made, 'action_begun', 7));
  const [{ id, json }] = state.states;
  assert.deepEqual([id, json.actions.length], ['m1', 1]);
  assert.equal(graph(state).nodes.at(-1).kind, '1 check, 1 action');
  assert.equal(state.states[0].json.end_state, 'The tea is ordered');
});

test('what is made anew is marked, and what is given up is gone', () => {
  const [last] = recorded.automaton;
  const changed = after(recorded.automaton, [event('state_changed', { position: 0, state: { ...last, checks: [] } })]);
  assert.equal(knownOf(changed, 's0').mark, 'made anew');
  assert.equal(graph(changed).nodes.at(-1).kind, '0 checks, 0 actions');
  const dropped = after(recorded.automaton, [
    event('state_made', { state: last }), event('state_entered', { state: 0, name: 'x' }), event('state_dropped', {}),
    event('state_entered', { state: 4, name: 'On the empty page' }),
  ]);
  assert.deepEqual([dropped.states.length, dropped.path, dropped.nodes.has('m1'), dropped.at], [5, ['s4'], false, 's4']);
});

test('where the record comes late, states have their names first and their checks then', () => {
  const early = after(null, until(recorded.completed, 'state_entered'));
  assert.equal(early.states.length, 5);
  assert.ok(names(graph(early)).includes('On the empty page'));
  const state = reduce(early, { kind: 'known', kept, document: recorded.automaton });
  assert.equal(graph(state).nodes.find(({ id }) => id === 's0').name, 'Order is placed');
  const made = reduce(after(null, recorded.made), { kind: 'known', kept, document: recorded.incomplete });
  assert.deepEqual(made.states.map(({ id }) => id), ['m1', 's0', 's1', 's2']);
  assert.equal(viewActions(made, 's1'), 3);
});

const viewActions = (state, id) => graph(state).nodes.find((node) => node.id === id).view.actions.length;

test('what did not hold at the last look is known of each state', () => {
  const failed = event('failed', {
    reason: 'no_states_timeout', message: 'No state has passed.', unmet: [{ state: 0, check: 0 }, { state: 3, check: 1 }, {}],
  });
  const state = after(recorded.automaton, [failed]);
  assert.deepEqual([knownOf(state, 's0').unmet, knownOf(state, 's3').unmet, knownOf(state, 's1').unmet], [0, 1, null]);
});

test('an action that was under way at the end is not told as done, nor as going on', () => {
  const begun = ['action_begun', 'action_done', 'action_begun'];
  const line = (type, at) => event(type, { state: 3, line: Math.ceil((at + 1) / 2), call: 'wait(20)' });
  const way = [event('state_entered', { state: 3, name: 'Log in' }), ...begun.map(line)];
  for (const last of ['failed', 'stopped']) {
    const actions = (events) => [...knownOf(after(recorded.automaton, events), 's3').actions.values()];
    const statuses = (events) => actions(events).map(({ status }) => status);
    assert.deepEqual(statuses(way), ['done', 'running']);
    assert.deepEqual(statuses([...way, event(last, { reason: 'time_limit', message: 'over' })]), ['done', 'stopped']);
  }
});

test('events that come twice count once, and the trace of one state is its own', () => {
  const twice = reduce(after(recorded.automaton, recorded.completed.slice(0, 9)), {
    kind: 'events', events: numbered(recorded.completed.slice(0, 9)),
  });
  assert.equal(twice.events, 9);
  const state = after(recorded.automaton, recorded.completed);
  const { lines, before } = linesOf(state, { node: 's3', most: 100 });
  assert.deepEqual([before, new Set(lines.map(({ name }) => name))], [0, new Set(['Log in'])]);
});

test('every kind of event has words, and odd ones do no harm', () => {
  const all = [...recorded.completed, ...recorded.failed, ...recorded.made];
  for (const one of all) assert.notEqual(asText(wordsOf(one)), '', one.type);
  const kinds = [
    'automaton_started', 'warning', 'waiting', 'looked', 'state_entered', 'action_begun', 'action_done', 'action_failed',
    'recovering', 'state_left', 'making', 'offered', 'state_made', 'asked', 'answered', 'state_changed', 'state_kept',
    'state_dropped', 'trace_bounded', 'completed', 'failed', 'stopped',
  ];
  const odd = [undefined, null, 7, [], {}, { state: -1, position: 1e9, line: 'x', point: [null], states: 1e12, passed: [9, 'x'] }];
  for (const type of kinds) {
    for (const payload of odd) {
      const one = event(type, payload);
      assert.notEqual(wordsOf(one).length, 0, type);
      const state = after(recorded.automaton, [one]);
      assert.ok(state.states.length <= 6);
      graph(state);
    }
  }
});

test('a refused answer, a warning and a failure are troubles; others are not', () => {
  const state = after(recorded.incomplete, recorded.made);
  assert.deepEqual(state.troubles.map(({ words }) => asText(words).slice(0, 8)), ['scripted']);
  assert.equal(isTrouble(event('answered', { refused: null })), false);
  assert.equal(after(recorded.drifted, recorded.failed).counts.troubles, 2);
});
