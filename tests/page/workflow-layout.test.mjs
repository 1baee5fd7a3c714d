// Where the nodes of a workflow stand, and where the keyboard goes from one to the next.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { CARD, layoutOf, NODES_DRAWN_MAX } from '../../public/run-page/layout.js';
import { move, ways } from '../../public/run-page/moves.js';
import { headOf, pathOf } from '../../public/run-page/paths.js';
import { graphOf } from '../../public/workflow/reading.js';

const { workflow } = JSON.parse(await readFile(new URL('orders-run.json', import.meta.url), 'utf8'));
const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const orders = graphOf(workflow).graph;
const LOOP = { id: 'l', node_type: { type: 'Loop' } };
const END = { id: 'e', node_type: { type: 'EndLoop', loop_id: 'l' } };

/** A graph of plain nodes a, b, ... and of edges such as "ab" or "ab:IfTrue". */
function graph(...edges) {
  const names = [...new Set(edges.flatMap((edge) => [...edge.slice(0, 2)]))].sort();
  return graphOf({
    nodes: names.map((name) => ({ id: name, name, node_type: { type: 'McpToolCall' } })),
    edges: edges.map((edge) => {
      const [, type] = edge.split(':');
      return { from: edge[0], to: edge[1], output: type ? { type } : null };
    }),
  }).graph;
}
const at = (layout) => new Map(layout.cards.map((card) => [card.id, card]));
const middle = ({ x }) => x + CARD.width / 2;

test('each node stands below all that lead to it, and no two stand in one place', () => {
  const layout = layoutOf(orders);
  const cards = at(layout);
  for (const { from, to, isReturn } of orders.edges) {
    if (!isReturn) assert.ok(cards.get(to).y >= cards.get(from).y + CARD.height, `${from} ${to}`);
  }
  assertApart(layout);
});

test('what follows a loop stands below its body, and the way back passes at its left', () => {
  const layout = layoutOf(orders);
  const cards = at(layout);
  assert.ok(cards.get(id(8)).y > cards.get(id(7)).y);
  const [back] = layout.edges.filter(({ isBack }) => isBack);
  const body = [3, 4, 5, 6].map((n) => cards.get(id(n)).x);
  assert.ok(Math.min(...back.points.map(({ x }) => x)) < Math.min(...body));
  assert.deepEqual(back.points.at(-1).x, cards.get(id(2)).x, 'it ends at the left of the loop');
});

test('each way back passes beside what it goes around', () => {
  const { cards, edges } = layoutOf(orders);
  const [back] = edges.filter(({ isBack }) => isBack);
  const lane = Math.min(...back.points.map(({ x }) => x));
  assert.ok(lane <= Math.min(...cards.map(({ x }) => x)) - 15, `${lane}`);
  // A loop around one node has the lane at the same distance.
  const small = layoutOf(graphOf({
    nodes: [LOOP, { id: 'n' }, END],
    edges: [{ from: 'l', to: 'n', output: { type: 'LoopBody' } }, { from: 'n', to: 'e' }, { from: 'e', to: 'l' }],
  }).graph);
  const around = Math.min(...small.edges.find(({ isBack }) => isBack).points.map(({ x }) => x));
  assert.ok(around <= small.cards[0].x - 15 && around >= 0, `${around}`);
});

test('a circle has one line that leads back, and all others lead down', () => {
  const layout = layoutOf(graph('ab', 'bc', 'ca'));
  assert.deepEqual(layout.edges.map(({ isBack }) => isBack), [false, false, true]);
  assert.deepEqual(layout.rows, [['a'], ['b'], ['c']]);
});

test('what leads into the body of a loop stands above its end, although the loop leads to it', () => {
  const { rows } = layoutOf(graphOf({
    nodes: [LOOP, { id: 'n' }, END, { id: 't' }, { id: 'u' }],
    edges: [['l', 'n', 'LoopBody'], ['n', 'e'], ['e', 'l'], ['l', 't', 'LoopDone'], ['t', 'u'], ['u', 'e']].map(
      ([from, to, type]) => ({ from, to, output: type ? { type } : null }),
    ),
  }).graph);
  const row = (id) => rows.findIndex((ids) => ids.includes(id));
  assert.ok(row('l') < row('t') && row('t') < row('u') && row('u') < row('e') && row('n') < row('e'), JSON.stringify(rows));
});

test('nodes of a row stand so that their lines do not cross', () => {
  const { rows } = layoutOf(graph('ad', 'ae', 'bd', 'cd'));
  assert.deepEqual(rows, [['a', 'b', 'c'], ['e', 'd']]);
});

test('small bends are rare: what can be straight is straight', () => {
  const steps = [];
  for (let seed = 1; seed <= 40; seed += 1) {
    for (const { points } of layoutOf(randomGraph(seed)).edges) {
      steps.push(...points.slice(1).map(({ x }, i) => Math.abs(x - points[i].x)));
    }
  }
  const small = steps.filter((step) => step > 0 && step < 20);
  assert.ok(small.length < steps.length * 0.12, `${small.length} of ${steps.length}`);
});

test('what simply goes on is one straight line', () => {
  const cards = at(layoutOf(graph('ab', 'bc', 'cd')));
  assert.deepEqual([...new Set([...cards.values()].map(({ x }) => x))].length, 1);
  const spine = [1, 2, 3, 4].map((n) => Math.round(middle(at(layoutOf(orders)).get(id(n)))));
  assert.ok(Math.max(...spine) - Math.min(...spine) <= 2, String(spine));
});

test('labels stand between the rows and on their line, true at the left of false', () => {
  const layout = layoutOf(orders);
  const labels = new Map(layout.edges.filter(({ label }) => label).map(({ label }) => [label.text, label]));
  assert.deepEqual([...labels.keys()].sort(), ['body', 'done', 'false', 'true']);
  assert.ok(labels.get('true').x < labels.get('false').x);
  for (const { text, y } of labels.values()) {
    assert.ok(layout.cards.every((card) => y < card.y || y > card.y + CARD.height), text);
  }
});

test('the same graph is laid out in the same way', () => {
  assert.deepEqual(layoutOf(graphOf(workflow).graph), layoutOf(orders));
});

test('circles, islands, a node that leads to itself and edges to nowhere are drawn as well', () => {
  for (const edges of [['ab', 'bc', 'ca'], ['aa'], ['ab', 'cd'], ['ab', 'ba', 'ab'], ['ax:LoopBody', 'xa', 'xx']]) {
    const layout = layoutOf(graph(...edges));
    assertApart(layout);
    assert.equal(layout.edges.length, edges.length);
    for (const edge of layout.edges) {
      assert.match(pathOf(edge), /^M[-\d. MLCQVHZ]+$/);
      assert.match(headOf(edge), /z$/);
    }
  }
  const { graph: loose } = graphOf({ nodes: [{ id: 'a' }], edges: [{ from: 'a', to: 'b' }] });
  assert.equal(layoutOf(loose).cards.length, 2);
});

test('random graphs: nothing overlaps, and everything is inside', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const layout = layoutOf(randomGraph(seed));
    assertApart(layout);
    for (const { x, y } of layout.cards) {
      const isInside = x + CARD.width <= layout.width && y + CARD.height <= layout.height;
      assert.ok(x >= 0 && y >= 0 && isInside, `seed ${seed}`);
    }
  }
});

test('as many nodes as are drawn take no time that is felt, and more are not drawn', () => {
  const line = (count) => graphOf({
    nodes: Array.from({ length: count }, (_, i) => ({ id: `n${i}` })),
    edges: Array.from({ length: count - 1 }, (_, i) => ({ from: `n${i}`, to: `n${i + 1}` })),
  }).graph;
  const before = performance.now();
  assert.equal(layoutOf(line(NODES_DRAWN_MAX)).cards.length, NODES_DRAWN_MAX);
  const ms = performance.now() - before;
  assert.ok(ms < 2_000, `${ms} ms`);
  assert.equal(layoutOf(line(NODES_DRAWN_MAX + 1)), null);
});

test('the keyboard goes along the edges, and back as it came', () => {
  const layout = layoutOf(orders);
  const go = ways(orders, layout.rows);
  const to = (from, key, came) => move(go, id(from), key, came && id(came));
  assert.equal(to(1, 'ArrowDown'), id(2));
  assert.equal(to(4, 'ArrowDown'), id(5));
  assert.equal(to(5, 'ArrowRight'), id(6));
  assert.equal(to(6, 'ArrowUp'), id(4));
  assert.equal(to(7, 'ArrowUp', 6), id(6));
  assert.equal(to(7, 'ArrowDown'), id(2), 'along the only edge, back to its loop');
  assert.equal(to(2, 'ArrowUp'), id(1), 'and not to where it comes back from');
  const turned = { ...orders, edges: [...orders.edges].reverse() };
  assert.equal(move(ways(turned, layout.rows), id(2), 'ArrowUp'), id(1), 'in whichever order the edges are');
  assert.equal(to(1, 'ArrowUp'), id(1));
  assert.equal(to(5, 'Home'), id(1));
  assert.equal(to(5, 'End'), id(10));
  assert.equal(move(go, 'nobody', 'ArrowDown'), id(1));
});

function assertApart({ cards }) {
  for (const [i, one] of cards.entries()) {
    for (const other of cards.slice(i + 1)) {
      const isApart = Math.abs(one.x - other.x) >= CARD.width || Math.abs(one.y - other.y) >= CARD.height;
      assert.ok(isApart, `${one.id} and ${other.id} overlap`);
    }
  }
}

/** Always the same one for a seed. */
function randomGraph(seed) {
  let state = seed * 2654435761;
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const names = [...'abcdefghijklmnopqrst'].slice(0, 4 + next(16));
  const labels = ['', '', ':IfTrue', ':IfFalse', ':LoopBody', ':LoopDone'];
  const edges = names.slice(1).map((name, i) => `${names[next(i + 1)]}${name}${labels[next(6)]}`);
  for (let i = 0; i < names.length / 2; i += 1) {
    edges.push(`${names[next(names.length)]}${names[next(names.length)]}${labels[next(6)]}`);
  }
  return graph(...edges);
}
