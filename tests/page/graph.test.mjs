// What the graph shows of a run: who stands where, and what is no evidence.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GraphLayout } from '../../public/graph-layout.js';
import { graphOf, linksInWords } from '../../public/graph.js';
import { blank, reduce } from '../../public/model.js';

const [ANN, BOB, CAT, DAN] = ['Ann', 'Bob', 'Cat', 'Dan'].map((name) => ({ id: name[0], name }));

/** The state after these events of a run from Ann to Bob. */
function after(...events) {
  let state = reduce(blank(), { kind: 'starting', a: 'Ann', b: 'Bob' });
  state = reduce(state, { kind: 'following', run: 's.1' });
  events.forEach((event, i) => {
    state = reduce(state, { kind: 'event', n: i + 1, event });
  });
  return state;
}

const link = (from, to, edgeConfidence) => ({
  type: 'evidence',
  edge: { from: from.id, to: to.id, fromName: from.name, toName: to.name, edgeConfidence, evidence: [] },
});
const kinds = ({ links }) => links.map(({ from, to, kind }) => `${from}${to} ${kind}`);
const person = (graph, name) => graph.people.find((one) => one.name === name);

test('both names stand there before anybody is recognised, and are searched for', () => {
  const { people, links } = graphOf(after());
  assert.deepEqual(people.map(({ name, end, isSeen, isSearched }) => [name, end, isSeen, isSearched]), [
    ['Ann', 'a', false, true], ['Bob', 'b', false, true],
  ]);
  assert.deepEqual(links, []);
});

test('whoever is recognised takes the place of the typed name', () => {
  const graph = graphOf(after(link(CAT, { id: 'x', name: 'ÁNN' }, 91)));
  assert.deepEqual(graph.people.map(({ id, end, isSeen }) => [id, end, isSeen]), [
    ['C', '', true], ['x', 'a', true], ['typed b', 'b', false],
  ]);
  assert.deepEqual(kinds(graph), ['Cx proven']);
});

test('who is searched for is marked, and nobody is at the end', () => {
  const around = { type: 'status', state: 'S2', message: 'x', frontier: CAT };
  const live = after(link(ANN, CAT, 91), around);
  assert.deepEqual(graphOf(live).people.filter((one) => one.isSearched).map(({ id }) => id), ['C']);
  const ended = reduce(live, { kind: 'event', n: 9, event: { type: 'no_path', reason: 'stopped' } });
  assert.equal(graphOf(ended).people.some((one) => one.isSearched), false);
});

test('a guess is a link of no confidence, until a photo proves it, and none at the end', () => {
  const guess = { type: 'status', state: 'S3', message: 'x', frontier: CAT, guess: 'Dan' };
  const guessed = graphOf(after(link(ANN, CAT, 91), guess));
  assert.deepEqual(kinds(guessed), ['AC proven', 'Cguess dan guess']);
  assert.equal(person(guessed, 'Dan').isSeen, false);
  assert.deepEqual(kinds(graphOf(after(link(ANN, CAT, 91), guess, link(DAN, CAT, 85)))), [
    'AC proven', 'DC proven',
  ]);
  assert.deepEqual(kinds(graphOf(after(link(ANN, CAT, 91), guess, { type: 'no_path' }))), ['AC proven']);
});

test('a hint is a link of no confidence, and gone when a photo was looked at or proves it', () => {
  const hint = (...hinted) => ({ type: 'status', state: 'S2', message: 'x', hinted });
  const hinted = graphOf(after(link(ANN, CAT, 91), hint([CAT, DAN], [{ id: 'name:eve', name: 'Eve' }, ANN])));
  assert.deepEqual(kinds(hinted), ['AC proven', 'CD hint', 'name:eveA hint']);
  assert.equal(person(hinted, 'Eve').isSeen, false);
  const line = { type: 'status', state: 'S2', message: 'y' };
  const still = graphOf(after(link(ANN, CAT, 91), hint([CAT, DAN]), line));
  assert.deepEqual(kinds(still), ['AC proven', 'CD hint'], 'another line says nothing of it');
  assert.deepEqual(kinds(graphOf(after(link(ANN, CAT, 91), hint([CAT, DAN]), hint()))), ['AC proven']);
  assert.deepEqual(kinds(graphOf(after(hint([CAT, DAN]), link(CAT, DAN, 85)))), ['CD proven']);
  assert.deepEqual(kinds(graphOf(after(link(ANN, CAT, 91), hint([CAT, DAN]), { type: 'no_path' }))), ['AC proven']);
});

test('the chain is marked, and the whole graph of the last event is there', () => {
  const final = {
    type: 'final',
    path: [ANN, CAT, BOB],
    graph: {
      nodes: [ANN, BOB, CAT, { ...DAN, urls: ['https://www.imdb.com/name/nm1', 'javascript:alert(1)'] }],
      edges: [
        { from: 'A', to: 'C', edgeConfidence: 91, evidenceRefs: [] },
        { from: 'C', to: 'D', edgeConfidence: 82, evidenceRefs: ['ev9'] },
      ],
      evidence: { ev9: { imageUrl: 'https://photos.example/9.jpg' } },
    },
  };
  const state = after(link(ANN, CAT, 91), link(BOB, CAT, 88), final);
  const graph = graphOf(state);
  assert.deepEqual(kinds(graph), ['AC path', 'BC path', 'CD proven']);
  assert.deepEqual(graph.people.map(({ id, end }) => id + end), ['Aa', 'C', 'Bb', 'D']);
  assert.deepEqual(state.people.D.urls, ['https://www.imdb.com/name/nm1']);
  const told = linksInWords(graph).map(({ fromName, toName }) => `${fromName} ${toName}`);
  assert.deepEqual(told, ['Ann Cat', 'Bob Cat', 'Cat Dan']);
});

test('a layout keeps the ends at the sides, and everybody inside', () => {
  const layout = new GraphLayout();
  layout.resize(600, 300);
  layout.take(graphOf(after(link(ANN, CAT, 91), link(BOB, DAN, 88), link(CAT, DAN, 80))));
  layout.settle();
  const at = Object.fromEntries(layout.nodes.map(({ person: { id }, x, y }) => [id, { x, y }]));
  assert.ok(at.A.x < at.C.x && at.C.x < at.D.x && at.D.x < at.B.x, JSON.stringify(at));
  for (const { x, y } of Object.values(at)) assert.ok(x > 0 && x < 600 && y > 0 && y < 300);
});

test('what is found later moves nobody far', () => {
  const layout = new GraphLayout();
  layout.resize(600, 300);
  const first = [link(ANN, CAT, 91), link(ANN, DAN, 88)];
  layout.take(graphOf(after(...first)));
  layout.settle();
  const before = layout.nodes.map(({ person: { id }, x, y }) => ({ id, x, y }));
  layout.take(graphOf(after(...first, link(ANN, { id: 'E', name: 'Eve' }, 90))));
  const newcomer = layout.nodes.find(({ person: { id } }) => id === 'E');
  assert.ok(Math.hypot(newcomer.x - before[0].x, newcomer.y - before[0].y) < 60, 'from beside Ann');
  for (const { id, x, y } of before) {
    const now = layout.nodes.find((node) => node.person.id === id);
    assert.deepEqual([now.x, now.y], [x, y]);
  }
});
