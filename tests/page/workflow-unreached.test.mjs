// Why nodes of a workflow were not reached, once its run has ended.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { standing } from '../../public/run-page/standing.js';
import { unreachedOf } from '../../public/run-page/unreached.js';
import { graphOf } from '../../public/workflow/reading.js';
import { unvisited } from '../../public/workflow/node-state.js';
import { blank, reduce } from '../../public/workflow/state.js';

const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const names = ['', 'Begin', 'Is it empty?', 'Fill it', 'Save it', 'Read it', 'Close'];
const edge = (from, to, type) => ({ from: id(from), to: id(to), output: type ? { type } : null });
/** Begin, a branch with two nodes on one side and one on the other, and a last node behind both. */
const { graph } = graphOf({
  nodes: [1, 2, 3, 4, 5, 6].map((n) => ({ id: id(n), name: names[n], enabled: true, node_type: { type: n === 2 ? 'If' : 'ListWindows' } })),
  edges: [edge(1, 2), edge(2, 3, 'IfTrue'), edge(3, 4), edge(4, 6), edge(2, 5, 'IfFalse'), edge(5, 6)],
});

const visit = (n) => ({ type: n === 2 ? 'node_evaluated' : 'node_started', nodeId: id(n), nodeName: names[n], payload: {} });
const takes = (way) => ({ type: 'branch_evaluated', nodeId: id(2), nodeName: names[2], payload: { output_taken: way } });
const end = (type, payload = {}) => ({ type, payload });

function after(...events) {
  const begun = reduce(blank(), { kind: 'following', run: 's1.AAAAAAAAAAAAAAAAAAAAAA' });
  return reduce(begun, { kind: 'events', events: events.map((event, i) => ({ n: i + 1, event })) });
}
const reasons = (state) => Object.fromEntries([...unreachedOf(graph, state)].map(([node, words]) => [Number(node.slice(-2)), words]));
const OTHER_WAY = 'not reached: “Is it empty?” went another way';

test('while a run goes on, what was not visited waits', () => {
  const state = after(visit(1), visit(2), takes('IfFalse'), visit(5));
  assert.deepEqual(reasons(state), {});
  assert.equal(standing(graph.nodes[2], unvisited), 'waiting');
});

test('what a branch passed by was not reached because of it', () => {
  const one = after(visit(1), visit(2), takes('IfFalse'), visit(5), visit(6), end('completed'));
  assert.deepEqual(reasons(one), { 3: OTHER_WAY, 4: OTHER_WAY });
  const other = after(visit(1), visit(2), takes('IfTrue'), visit(3), visit(4), visit(6), end('completed'));
  assert.deepEqual(reasons(other), { 5: OTHER_WAY });
  assert.equal(standing(graph.nodes[4], unvisited, OTHER_WAY), OTHER_WAY);
});

test('what lies behind the place where a run failed or was stopped was just not reached', () => {
  for (const last of [end('failed', { node: id(3), message: 'No.' }), end('stopped')]) {
    const state = after(visit(1), visit(2), takes('IfTrue'), visit(3), last);
    assert.deepEqual(reasons(state), { 4: 'not reached', 6: 'not reached', 5: OTHER_WAY });
  }
  assert.deepEqual(reasons(after(visit(1), end('stopped'))), {
    2: 'not reached', 3: 'not reached', 4: 'not reached', 5: 'not reached', 6: 'not reached',
  });
});

test('where a server told no more, nobody knows', () => {
  const state = after(visit(1), { type: 'trace_bounded', payload: { events: 5 } }, end('completed'));
  assert.equal(reasons(state)[3], 'not told');
});

test('a run that is gone says nothing of its nodes, and one that is switched off is that', () => {
  const gone = reduce(after(visit(1)), { kind: 'gone', why: 'expired' });
  assert.deepEqual(reasons(gone), {});
  assert.equal(standing({ isEnabled: false }, unvisited, 'not reached'), 'switched off');
});

test('every node of a recorded run is visited or has a reason', async () => {
  const recorded = JSON.parse(await readFile(new URL('orders-run.json', import.meta.url), 'utf8'));
  const orders = graphOf(recorded.workflow).graph;
  const begun = reduce(blank(), { kind: 'following', run: 's1.AAAAAAAAAAAAAAAAAAAAAA' });
  for (const told of [recorded.completed, recorded.failed]) {
    const state = reduce(begun, { kind: 'events', events: told.map((event, i) => ({ n: i + 1, event })) });
    const found = unreachedOf(orders, state);
    for (const node of orders.nodes) {
      const isVisited = (state.nodes.get(node.id)?.visits ?? 0) > 0;
      assert.notEqual(isVisited, found.has(node.id), node.name);
    }
  }
});
