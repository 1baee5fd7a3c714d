// A graph of very many people: the forces that keep them apart, and what is saved in drawing them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { forceApart, forceRepel } from '../../public/graph-forces.js';
import { GraphLayout } from '../../public/graph-layout.js';
import { Pace } from '../../public/graph-pace.js';
import { placeOf } from '../../public/graph-stamps.js';
import { graphOf, isSameGraph } from '../../public/graph.js';
import { blank, reduce } from '../../public/model.js';

const node = (x, y) => ({ x, y, vx: 0, vy: 0 });

/** Nodes at places that look random and are the same every time. */
const scattered = (count) =>
  Array.from({ length: count }, (_, i) => node((i * 7_919) % 701, (i * 104_729) % 401));

function moved(force, nodes, alpha = 1) {
  force.initialize(nodes);
  force(alpha);
  return nodes;
}

test('everybody is pushed off by all who are near, as if each were compared with each', () => {
  const [strength, reach, alpha] = [30, 90, 0.5];
  const nodes = moved(forceRepel({ strength, reach }), scattered(200), alpha);
  for (const one of nodes) {
    let [vx, vy] = [0, 0];
    for (const other of nodes) {
      const [dx, dy] = [one.x - other.x, one.y - other.y];
      const away = Math.hypot(dx, dy);
      if (other === one || away >= reach) continue;
      vx += (dx * strength * alpha) / away ** 2;
      vy += (dy * strength * alpha) / away ** 2;
    }
    assert.ok(Math.hypot(one.vx - vx, one.vy - vy) < 1e-6, `${one.vx} ${one.vy}, not ${vx} ${vy}`);
  }
});

test('whoever has changed places since the last step is compared with those who are beside them now', () => {
  const nodes = [node(0, 0), node(500, 0), node(505, 0)];
  const force = forceRepel({ strength: 10, reach: 20 });
  moved(force, nodes);
  assert.deepEqual(nodes.map(({ vx }) => Math.sign(vx)), [0, -1, 1]);
  Object.assign(nodes[0], { x: 512 });
  for (const one of nodes) Object.assign(one, { vx: 0, vy: 0 });
  force(1);
  assert.deepEqual(nodes.map(({ vx }) => Math.sign(vx)), [1, -1, 1]);
});

test('two at the very same place part, and not by more than a little', () => {
  for (const force of [forceRepel({ strength: 10, reach: 50 }), forceApart(() => 10)]) {
    const [one, other] = moved(force, [node(5, 5), node(5, 5)]);
    const apart = Math.hypot(one.x + one.vx - other.x - other.vx, one.y + one.vy - other.y - other.vy);
    assert.ok(apart > 1 && apart < 25, `${apart} pixels`);
  }
});

test('nobody stands on another, and who has less room gives way more', () => {
  const [large, small, far] = moved(forceApart(({ half }) => half), [
    { ...node(100, 100), half: 20 }, { ...node(110, 100), half: 5 }, { ...node(200, 100), half: 20 },
  ]);
  assert.ok(Math.abs(small.x + small.vx - (large.x + large.vx) - 25) < 1e-9);
  assert.ok(Math.abs(small.vx) > 10 * Math.abs(large.vx));
  assert.deepEqual([far.vx, far.vy], [0, 0]);
});

test('in a crowd nobody stands on the ends', () => {
  const person = (i) => ({ id: `p${i}`, name: `Name ${i}`, end: { 0: 'a', 1: 'b' }[i] ?? '', step: null });
  const people = Array.from({ length: 800 }, (_, i) => person(i));
  const links = people.slice(2).flatMap(({ id }, i) =>
    [i % 2, (i * 7) % (i + 2)].map((to) => ({ key: `${id} ${to}`, from: id, to: `p${to}`, kind: 'proven' })));
  const layout = new GraphLayout();
  layout.resize(768, 416);
  layout.take({ people, links });
  layout.settle();
  const ends = layout.nodes.filter(({ person: { end } }) => end);
  const others = layout.nodes.filter(({ person: { end } }) => !end);
  for (const end of ends) {
    for (const { x, y, person: { name } } of others) {
      assert.ok(Math.hypot(x - end.x, y - end.y) > 18, `${name} stands on ${end.person.name}`);
    }
  }
});

test('a small picture is put down on whole pixels, a quarter of one being the picture’s own', () => {
  assert.deepEqual(placeOf(12), { pixel: 12, part: 0 });
  assert.deepEqual(placeOf(12.3), { pixel: 12, part: 1 });
  assert.deepEqual(placeOf(12.9), { pixel: 13, part: 0 });
  assert.deepEqual(placeOf(-0.3), { pixel: -1, part: 3 });
});

/** Whether a device is behind after frames that took so long each, one after the other. */
function isBehindAfter(...frames) {
  const pace = new Pace();
  let now = 0;
  for (const ms of [0, ...frames]) {
    now += ms;
    pace.frame(now, true);
  }
  return pace.isBehind;
}

test('a device is behind when many frames come late, and not after one', () => {
  const often = (count, ...frames) => Array.from({ length: count }, () => frames).flat();
  assert.ok(!isBehindAfter(...often(100, 16.7)));
  assert.ok(!isBehindAfter(300, 50, ...often(10, 16.7, 16.7, 16.7, 16.7, 33.3)));
  assert.ok(isBehindAfter(...often(5, 33.3)));
  assert.ok(isBehindAfter(...often(20, 16.7, 16.7, 33.3)));
});

test('time in which nothing moves is not late', () => {
  const pace = new Pace();
  for (let i = 0; i < 20; i += 1) {
    pace.frame(2_000 * i, true);
    pace.frame(2_000 * i + 16, false);
  }
  assert.ok(!pace.isBehind);
});

test('a graph is the same while it tells the same, whatever objects tell it', () => {
  const link = (to, edgeConfidence) => ({
    type: 'evidence',
    edge: { from: 'a', to, fromName: 'Ann', toName: `Name ${to}`, edgeConfidence, evidence: [] },
  });
  const after = (...events) => graphOf(events.reduce(
    (state, event, i) => reduce(state, { kind: 'event', n: i + 1, event }),
    reduce(reduce(blank(), { kind: 'starting', a: 'Ann', b: 'Bob' }), { kind: 'following', run: 's.1' }),
  ));
  const graph = after(link('b', 90), link('c', 90));
  assert.ok(isSameGraph(graph, after(link('b', 90), link('c', 90))));
  const final = { type: 'final', path: ['a', 'c'].map((id) => ({ id, name: id })) };
  for (const other of [[], [link('b', 90)], [link('b', 90), link('c', 91)], [link('b', 90), link('c', 90), final]]) {
    assert.ok(!isSameGraph(graph, after(...other)));
    assert.ok(!isSameGraph(after(...other), graph));
  }
});
