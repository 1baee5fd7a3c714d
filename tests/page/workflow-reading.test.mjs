// What the page makes of a workflow that is dropped on it, and of one that is none.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { exactly } from '../../public/run-page/exactly.js';
import { rangeOf } from '../../public/run-page/limits.js';
import { lineOf, typeWords } from '../../public/workflow/node-words.js';
import {
  canonical, graphOf, readWorkflow, remarksOf, WORKFLOW_BYTES_MAX,
} from '../../public/workflow/reading.js';
import { questionOf } from '../../public/workflow/starting.js';
import { storedOf } from '../../public/workflow/stored.js';

const { workflow } = JSON.parse(await readFile(new URL('orders-run.json', import.meta.url), 'utf8'));
const written = JSON.stringify(workflow);
const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const node = (n, node_type, more = {}) => ({ id: id(n), node_type, name: `Node ${n}`, ...more });

test('a workflow becomes a graph, with its ways out in the order in which they are drawn', () => {
  const { graph, remarks } = readWorkflow(written);
  assert.equal(graph.name, 'Open orders');
  assert.equal(graph.nodes.length, 10);
  assert.deepEqual(remarks, []);
  const from = (n) => graph.edges.filter((edge) => edge.from === id(n)).map(({ label, to }) => [label, to]);
  assert.deepEqual(from(2), [['body', id(3)], ['done', id(8)]]);
  assert.deepEqual(from(4), [['true', id(5)], ['false', id(6)]]);
  assert.deepEqual(graph.edges.filter(({ isReturn }) => isReturn).map((edge) => edge.from), [id(7)]);
  assert.equal(graph.nodes[8].isEnabled, false);
});

test('what cannot be read is told in words', () => {
  const told = (value) => readWorkflow(typeof value === 'string' ? value : JSON.stringify(value)).problem ?? '';
  assert.match(told(''), /nothing in it/);
  assert.match(told('{"nodes": ['), /not JSON/);
  for (const none of ['[]', '7', 'null', '"text"', '{}', '{"nodes": {}}']) {
    assert.match(told(none), /no list “nodes”/);
  }
  assert.match(told({ nodes: [] }), /no nodes/);
  assert.match(told({ nodes: [{ name: 'x' }] }), /Node 1 .* no id/);
  assert.match(told({ nodes: [node(1, {})], edges: {} }), /“edges” is not a list/);
  assert.match(told({ nodes: [node(1, {})], edges: [{ from: id(1) }] }), /Edge 1/);
  assert.match(told(' '.repeat(WORKFLOW_BYTES_MAX + 1)), /larger than 4 MB/);
  // Bytes, and not letters.
  assert.match(told('é'.repeat(WORKFLOW_BYTES_MAX / 2 + 1)), /larger than 4 MB/);
  const many = Array.from({ length: 20_001 }, (_, i) => ({ id: `n${i}` }));
  assert.match(told({ nodes: many }), /over 20000 nodes/);
});

test('what will surprise is told at its node or edge, and is drawn all the same', () => {
  const { graph, remarks } = graphOf({
    nodes: [node(1, { type: 'Fly' }), node(2, { type: 'EndLoop', loop_id: id(9) }), node(2, { type: 'If' })],
    edges: [{ from: id(1), to: id(7), output: null }],
  });
  assert.deepEqual(remarks.map((one) => [one.node ?? one.edge.to, one.detail.split(' ').slice(0, 3).join(' ')]), [
    [id(1), 'The type “Fly”'], [id(2), 'Two nodes have'], [id(7), 'This edge names'], [id(2), 'It ends a'],
  ]);
  assert.deepEqual(graph.nodes.map((one) => [one.id, one.isMissing]), [[id(1), false], [id(2), false], [id(7), true]]);
});

test('a record that holds a workflow gives it, and only it is sent', () => {
  const { graph, member } = readWorkflow(JSON.stringify({ run: 'x', workflow }));
  assert.equal(graph.name, 'Open orders');
  assert.equal(exactly(JSON.stringify({ run: 'x', workflow }), member).name, 'Open orders');
});

test('spellings of one id are equal', () => {
  const one = '00000000-0000-4000-8000-00000000000a';
  for (const spelling of ['0000000000004000800000000000000A', `{${one}}`, `urn:uuid:${one}`, one.toUpperCase()]) {
    assert.equal(canonical(spelling), one);
  }
  assert.equal(canonical('node 1'), 'node 1');
  assert.equal(canonical(7), '');
});

test('numbers are sent as they were written', () => {
  const text = '{"whole":12345678901234567890,"float":3.0,"plain":7,"list":[1e2]}';
  assert.equal(JSON.stringify(exactly(text)), text);
});

test('a node says what it does in one line, whatever stands in it', () => {
  const { graph } = readWorkflow(written);
  assert.deepEqual(graph.nodes.slice(0, 4).map((one) => [typeWords(one), lineOf(one)]), [
    ['Tool call', 'list_orders'],
    ['Loop', 'until next_order.left = 0, at most 20 times'],
    ['Tool call', 'next_order'],
    ['If', 'next_order.state = "paid"'],
  ]);
  for (const given of [null, 7, {}, { node_type: 7 }, { node_type: { type: 'Switch', cases: 7 } }]) {
    for (const type of ['If', 'Loop', 'Switch', 'Click', 'PressKey', 'toString', '']) {
      assert.equal(typeof lineOf({ type, given: given ?? {} }), 'string');
    }
  }
});

test("the server's problems are taken, the operator's lists too, and nothing else", () => {
  const { graph } = readWorkflow(written);
  const loop = graph.nodes.find(({ type }) => type === 'Loop');
  const body = graph.edges.find(({ from, output }) => from === loop.id && output === 'LoopBody');
  const found = (about) => remarksOf({ kind: 'UnpairedLoop', about }, graph, 'why');
  assert.deepEqual(found([loop.name]), [{ node: loop.id, detail: 'why' }]);
  assert.deepEqual(found([loop.name, 'LoopBody']), [{ edge: { from: loop.id, to: body.to }, detail: 'why' }]);
  assert.deepEqual(found([loop.name, 'another']), [{ node: loop.id, detail: 'why' }]);
  for (const nothing of [[], ['nobody'], [7], 'x', null]) assert.deepEqual(found(nothing), []);
  assert.deepEqual(remarksOf('x', null, 'why'), []);
  const lists = storedOf('{"workflows":[{"name":"orders","nodes":7},{}],"servers":[{"name":"desk"},{"name":"desk"},3]}');
  assert.deepEqual(lists, {
    mayChooseServers: true, workflows: [{ name: 'orders', nodes: 7, description: '' }], servers: ['desk'],
  });
  assert.equal(storedOf('{"startedBy":"stored"}').mayChooseServers, false);
  for (const none of ['', '<html>', '7']) assert.deepEqual(storedOf(none), { mayChooseServers: true, workflows: [], servers: [] });
});

test('the question of a run has what was chosen; what is no number is left to the server', () => {
  const limits = { steps: '50', runtimeMs: 'long', toolCalls: '1000' };
  assert.deepEqual(questionOf({ workflow: 'orders', servers: ['desk'], dialect: 'seed', limits }), {
    workflow: 'orders', servers: ['desk'], options: { dialect: 'seed', steps: 50, runtimeMs: 'long' },
  });
  const bare = questionOf({ workflow: {}, servers: null, dialect: 'clickweave', limits: { runtimeMs: '30' } });
  assert.deepEqual(bare, { workflow: {}, options: { dialect: 'clickweave', runtimeMs: 30_000 } });
  assert.equal(rangeOf('runtimeMs', { least: 1_000, most: 840_000 }), '1 to 840');
});
