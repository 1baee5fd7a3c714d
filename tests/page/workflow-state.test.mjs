// What a run's events make of the page: its nodes, its edges, its trace, its end.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { edgesGone, linesOf } from '../../public/run-page/run-state.js';
import { worstOf } from '../../public/run-page/standing.js';
import { asText, shown } from '../../public/run-page/told-words.js';
import { graphOf } from '../../public/workflow/reading.js';
import { blank, reduce } from '../../public/workflow/state.js';
import { wordsOf } from '../../public/workflow/trace-words.js';

const recorded = JSON.parse(await readFile(new URL('orders-run.json', import.meta.url), 'utf8'));
const { graph } = graphOf(recorded.workflow);
const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const begun = () => reduce(blank(), { kind: 'following', run: 's1.AAAAAAAAAAAAAAAAAAAAAA', isOwn: true });
const numbered = (events) => events.map((event, i) => ({ n: i + 1, event }));
const after = (events, state = begun()) => reduce(state, { kind: 'events', events: numbered(events) });
const until = (test_) => recorded.completed.slice(0, recorded.completed.findIndex(test_) + 1);
const failing = [...until(({ nodeName }) => nodeName === 'Send report'), ...recorded.failed];
const event = (type, payload = {}, node = 1) => ({ type, nodeId: id(node), nodeName: `Node ${node}`, payload });

test('a completed run: how often each node was visited, and how it stands', () => {
  const state = after(recorded.completed);
  const stands = [...state.nodes].map(([node, { status, visits }]) => [Number(node.slice(-2)), status, visits]);
  assert.deepEqual(stands.sort(([one], [other]) => one - other), [
    [1, 'done', 1], [2, 'done', 4], [3, 'done', 3], [4, 'done', 3], [5, 'done', 2], [6, 'done', 1],
    [7, 'done', 3], [8, 'done', 1], [9, 'skipped', 1], [10, 'done', 1],
  ]);
  assert.equal(state.phase, 'ended');
  assert.equal(state.outcome.kind, 'completed');
  assert.equal(state.outcome.spent.tool_calls, 10);
});

test('the edges that were gone along are counted, and the one just gone is lit', () => {
  const { gone } = edgesGone(after(recorded.completed), graph);
  const of = (from, to) => gone.get(graph.edges.find((edge) => edge.from === id(from) && edge.to === id(to)).key) ?? 0;
  assert.deepEqual([of(1, 2), of(2, 3), of(2, 8), of(4, 5), of(4, 6), of(7, 2), of(9, 10)], [1, 3, 1, 2, 1, 3, 1]);
  const ways = [...after(recorded.completed).travelled.keys()];
  assert.ok(ways.includes(`${id(4)} ${id(6)} IfFalse`));
  assert.ok(ways.includes(`${id(6)} ${id(7)} `), 'a plain node takes no way by name');
  const live = after(until(({ nodeName, type }) => nodeName === 'Remind' && type === 'node_started'));
  const lit = graph.edges.find(({ key }) => key === edgesGone(live, graph).lit);
  assert.deepEqual([lit.from, lit.to, lit.label], [id(4), id(6), 'false']);
  assert.equal(live.nodes.get(id(6)).status, 'running');
  assert.equal(live.at, id(6));
  assert.equal(edgesGone(after(recorded.completed), graph).lit, '', 'nothing is lit at the end');
});

test('two edges between the same nodes are told apart by the way that was taken', () => {
  const both = graphOf({
    nodes: [{ id: id(1) }, { id: id(2) }],
    edges: ['IfTrue', 'IfFalse'].map((type) => ({ from: id(1), to: id(2), output: { type } })),
  }).graph;
  const decision = event('branch_evaluated', { output_taken: 'IfFalse' });
  const state = after([event('node_evaluated'), decision, event('node_evaluated', {}, 2)]);
  const { lit } = edgesGone(state, both);
  assert.equal(both.edges.find(({ key }) => key === lit).label, 'false');
});

test('a node shows its newest variables, its last call and answer, and the retries of its last visit', () => {
  const second = after(until(({ type, payload }) => type === 'variable_set' && payload.value === 1042));
  const node = second.nodes.get(id(3));
  assert.deepEqual(node.retries, [{ attempt: 1, error: 'Tool next_order failed: the list is locked' }]);
  assert.equal(node.calls, 2);
  assert.equal(node.call.name, 'next_order');
  assert.match(node.result.text, /1042/);
  assert.equal(node.variables.get('next_order.number'), 1042);
  const last = after(recorded.completed).nodes.get(id(3));
  assert.equal(last.variables.get('next_order.number'), 1043);
  assert.deepEqual(last.retries, []);
  assert.deepEqual(after(recorded.completed).nodes.get(id(8)).verdicts.map(({ word }) => word), ['pass']);
  assert.equal(after(recorded.completed).nodes.get(id(4)).decision, 'Compares "paid" with "paid", goes on by true');
});

test('a failure stands at its node; what still ran was cut off', () => {
  const state = after(failing);
  assert.equal(state.nodes.get(id(10)).status, 'failed');
  assert.match(state.nodes.get(id(10)).error, /out of paper/);
  assert.equal(state.outcome.reason, 'node_failed');
  const stopped = after([event('node_started'), { type: 'stopped', payload: {} }]);
  assert.equal(stopped.nodes.get(id(1)).status, 'stopped');
  const late = { type: 'failed', payload: { reason: 'time_limit', node: id(1), message: 'late' } };
  const limit = after([event('node_started'), late]);
  assert.deepEqual([limit.nodes.get(id(1)).status, limit.nodes.get(id(1)).error], ['failed', 'late']);
});

test('taken one by one or all at once, with repetitions, it is the same', () => {
  const events = numbered(recorded.completed);
  const whole = reduce(begun(), { kind: 'events', events });
  let state = begun();
  for (const [i, one] of events.entries()) {
    state = reduce(state, { kind: 'events', events: [one] });
    state = reduce(state, { kind: 'events', events: events.slice(Math.max(0, i - 3), i + 1) });
  }
  assert.deepEqual(state, whole);
  const later = reduce(whole, { kind: 'events', events: [{ n: 999, event: event('node_started') }] });
  assert.deepEqual(later, whole, 'nothing counts after the last word');
});

test('a state that was given out is never changed', () => {
  const state = after(until(({ nodeName }) => nodeName === 'Paid?'));
  const before = structuredClone(state);
  reduce(state, { kind: 'events', events: numbered(recorded.completed) });
  assert.deepEqual(structuredClone(state), before);
});

test('the trace is bounded, says how many are before it, and can be of one node', () => {
  const many = Array.from({ length: 5_000 }, (_, i) => event('warning', { message: `word ${i}` }, 1 + (i % 2)));
  const state = after(many);
  const { lines, before } = linesOf(state, { most: 500 });
  assert.deepEqual([lines.length, before, asText(lines.at(-1).words)], [500, 4_500, 'Warning: word 4999']);
  assert.ok(state.lines.length <= 2_000);
  const own = linesOf(state, { node: id(1), most: 500 });
  assert.deepEqual([own.lines.length, own.before], [500, 2_000]);
  assert.ok(own.lines.every(({ node }) => node === id(1)));
});

test('what is bad is kept for longer, counted, and can be looked at alone', () => {
  const check = (verdict) => event('check_evaluated', { check_name: 'c', verdict });
  const first = [event('warning', { message: 'its body never runs.' }), check('pass'), check('warn')];
  const calm = Array.from({ length: 3_000 }, () => event('node_started', {}, 2));
  const state = after([...first, ...calm, event('retry', { attempt: 1, error: 'e' })]);
  assert.deepEqual(state.counts, { troubles: 3, warnings: 1, checks: 2, passed: 1 });
  const { lines, before } = linesOf(state, { isBad: true, most: 2 });
  assert.deepEqual(lines.map(({ words }) => asText(words)), ['Check c: warns', 'Is tried again (1): e']);
  assert.equal(before, 1);
  const node = state.nodes.get(id(1));
  assert.deepEqual(node.warnings, ['its body never runs.']);
  assert.equal(worstOf(node), 'warn');
  assert.equal(worstOf(after([check('warn'), check('fail')]).nodes.get(id(1))), 'fail');
});

test('pictures are those of the last visit, each once, by digests that are some', () => {
  const [one, other] = ['a'.repeat(64), 'b'.repeat(64)];
  const gives = (...images) => event('tool_result', { name: 'take_screenshot', images, image_count: images.length });
  const visit = [event('node_started'), gives(one, '../x'), gives(other, one, 7)];
  assert.deepEqual(after(visit).nodes.get(id(1)).pictures, [one, other]);
  assert.deepEqual(after([...visit, event('node_started')]).nodes.get(id(1)).pictures, []);
});

test('a hundred thousand events are taken in seconds', () => {
  const kind = (i) => (i % 2 ? 'node_completed' : 'node_started');
  const many = Array.from({ length: 100_000 }, (_, i) => event(kind(i), {}, 1 + (i % 300)));
  const from = performance.now();
  let state = begun();
  for (let i = 0; i < many.length; i += 2_000) {
    const events = many.slice(i, i + 2_000).map((one, k) => ({ n: i + k + 1, event: one }));
    state = reduce(state, { kind: 'events', events });
  }
  assert.equal(state.events, 100_000);
  assert.ok(performance.now() - from < 10_000, `${performance.now() - from} ms`);
});

test('every kind of event has words, and odd ones do no harm', () => {
  const kinds = [
    'workflow_started', 'warning', 'node_started', 'node_evaluated', 'node_skipped', 'tool_call', 'tool_result',
    'target_resolved', 'app_resolved', 'element_resolved', 'vision_summary', 'retry', 'variable_set',
    'branch_evaluated', 'loop_iteration', 'loop_exited', 'investigation', 'automaton', 'node_completed', 'node_failed',
    'trace_bounded', 'check_evaluated', 'completed', 'failed', 'stopped',
  ];
  for (const type of kinds) {
    for (const payload of [{}, null, 7, [], { args: null, text: {}, run: 5, spent: 'much', value: undefined }]) {
      const words = wordsOf({ type, payload });
      const isText = (one) => typeof (one.own ?? one.run ?? one) === 'string';
      assert.ok(words.length > 0 && words.every(isText), type);
      after([{ type, nodeId: id(1), payload }]);
    }
  }
  for (const odd of [null, 7, {}, { type: 'toString' }, { type: '__proto__', nodeId: 5 }]) {
    assert.deepEqual(after([odd]).lines, []);
  }
});

test('words are for people: a loop, an app, a check, an end', () => {
  const said = (type, payload) => asText(wordsOf({ type, payload }));
  assert.equal(said('node_evaluated', { type: 'End Loop' }), 'Goes back to its loop');
  assert.equal(said('node_evaluated', { type: 'If' }), 'Decides');
  assert.equal(said('app_resolved', { user_input: 'Notes', resolved_name: 'Notes' }), 'Finds the app Notes');
  assert.equal(said('element_resolved', { target: 'Store', resolved_name: 'Save' }), 'Takes Store to be the element Save');
  assert.equal(said('loop_exited', { reason: 'max_iterations', iterations_completed: 1 }),
    'Is left after 1 round: it may have no more');
  assert.equal(said('vision_summary', { image_count: 1, vlm_model: 'm', summary_json: '{}' }),
    'The model m looked at 1 picture: {}');
  assert.equal(said('failed', { reason: 'node_failed', message: 'as its node has told', spent: { steps: 2 } }),
    'The run failed, because a node failed after its retries (2 steps)');
  assert.equal(said('completed', { spent: { steps: 3, investigations: 2 } }), 'The run is completed (3 steps, 2 runs begun)');
  assert.equal(said('stopped', { spent: { investigations: 1 } }), 'The run was stopped (1 run begun)');
  assert.match(said('failed', { reason: 'interrupted', message: 'A call may have been made.' }),
    /the server was interrupted.*: A call may have been made\.$/);
});

test("a stranger's words are cut, and kept apart from the page's", () => {
  const payload = { name: '<b>x</b>', text: 'y'.repeat(9_000) };
  const [name, between, answer] = wordsOf({ type: 'tool_result', payload });
  assert.deepEqual([name, between], [{ own: '<b>x</b>' }, ' answers: ']);
  assert.equal(answer.own, `${'y'.repeat(280)}… (9000 characters)`);
  assert.equal(shown({ a: 1 }), '{"a":1}');
  const child = wordsOf({ type: 'investigation', payload: { run: 'javascript:alert(1)', message: 'm' } });
  assert.deepEqual(child, [{ own: 'm' }], 'a run is linked only where it may be one');
  const run = 's1.AAAAAAAAAAAAAAAAAAAAAA';
  for (const type of ['investigation', 'automaton']) {
    assert.deepEqual(wordsOf({ type, payload: { run, message: 'm' } }).at(-1), { run });
  }
});
