// Where people and names of an ended run's graph stand: no name lies on another, and no line of the chain
// passes through somebody who is not on it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { radiusOf } from '../../public/graph-canvas.js';
import { GraphLayout } from '../../public/graph-layout.js';
import { placeNames } from '../../public/graph-names.js';
import { graphOf } from '../../public/graph.js';
import { assertClearChain, assertNamesApart, GRAPH_HEIGHT_PX, WIDTHS_PX } from './graph-checks.mjs';

const NAMES = ['Bo', 'Ann Lee', 'Christopher Montgomery', 'Wolfgang Amadeus von Hohenstaufen the Younger', 'Éponine'];

/** Random numbers from 0 to 1, the same every time. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The state of an ended run with so many people, of whom so many are the chain. */
function endedRun(count, chain, seed) {
  const random = randomFrom(seed);
  const one = (list) => list[Math.floor(random() * list.length)];
  const people = Array.from({ length: count }, (_, i) => ({ id: `p${i}`, name: `${one(NAMES)} ${i}` }));
  const edges = {};
  const join = (from, to) => {
    const key = JSON.stringify([from.id, to.id].sort());
    edges[key] = { key, from: from.id, to: to.id, fromName: from.name, toName: to.name, confidence: 80 + 20 * random() };
  };
  for (let i = 1; i < chain; i += 1) join(people[i - 1], people[i]);
  for (let i = chain; i < count; i += 1) join(people[i], people[Math.floor(random() * i)]);
  for (let i = 0; i < count / 2; i += 1) {
    const [from, to] = [one(people), one(people)];
    if (from !== to) join(from, to);
  }
  const path = people.slice(0, chain);
  return {
    phase: 'ended', edges, guesses: [], status: null, names: { a: path[0].name, b: path.at(-1).name },
    a: path[0].name, b: path.at(-1).name, sides: { a: [], b: [] }, outcome: { kind: 'final', path },
  };
}

/** As wide as the widest letters of the page's font. */
const measure = (text) => [...text].length * 7.5;

test('over random results at three widths no name lies on another and the chain passes nobody by', () => {
  let named = 0;
  for (let seed = 1; seed <= 24; seed += 1) {
    const chain = 2 + (seed % 6);
    const graph = graphOf(endedRun(chain + ((seed * 7) % 90), chain, seed));
    for (const width of WIDTHS_PX) {
      const layout = new GraphLayout();
      layout.resize(width, GRAPH_HEIGHT_PX);
      layout.take(graph);
      layout.settle();
      const { nodes } = layout;
      const radius = ({ person }) => radiusOf(person, nodes.length);
      const names = placeNames(nodes, { width, height: GRAPH_HEIGHT_PX, measure, radiusOf: radius });
      const which = `seed ${seed}, ${width} px`;
      assertNamesApart(names, width, which);
      assertClearChain(layout, radius, which);
      const ends = nodes.filter(({ person }) => person.end).map(({ person }) => person.id);
      for (const id of ends) assert.ok(names.some((name) => name.id === id), `${which}: ${id} has no name`);
      named += names.length;
    }
  }
  assert.ok(named > 300, `${named} names`);
});

test('a name is shortened before it is left out, and who is pointed at is named first', () => {
  const person = (id, name, more = {}) => ({ id, name, end: '', isOnPath: false, isSearched: false, step: null, ...more });
  const node = (x, one) => ({ x, y: 50, person: one });
  const nodes = [
    node(60, person('a', 'Wolfgang Amadeus von Hohenstaufen', { end: 'a' })),
    node(100, person('b', 'Somebody Between')),
    node(140, person('c', 'Another Long Name', { isOnPath: true })),
  ];
  const place = (pointed) =>
    placeNames(nodes, { width: 200, height: 100, measure, radiusOf: () => 13, pointed });
  const texts = new Map(place(null).map(({ id, text }) => [id, text]));
  assert.match(texts.get('a'), /…$/);
  assert.equal(place('b')[0].id, 'b');
  assertNamesApart(place('b'), 200, 'pointed at');
});

test('a name stays on its side while there is room', () => {
  const nodes = [{ x: 100, y: 60, person: { id: 'a', name: 'Ann', end: 'a', step: null } }];
  const given = { width: 200, height: 120, measure, radiusOf: () => 13 };
  const [first] = placeNames(nodes, given);
  assert.equal(first.side, 'below');
  const [again] = placeNames(nodes, { ...given, before: [{ id: 'a', side: 'above' }] });
  assert.equal(again.side, 'above');
});
