// What the page of the atlas makes of addresses, answers and walks, also of those that mean it no good.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  furtherAddress, pathAddress, personAddress, placeOf, searchAddress,
} from '../../public/atlas/addresses.js';
import { moveOf } from '../../public/atlas/moves.js';
import {
  chainOf, neighboursOf, peopleOf, PEOPLE_MAX, shownChain, sizeOf,
} from '../../public/atlas/reading.js';
import { noChainWords, sizeWords, titleOf } from '../../public/atlas/told-words.js';
import { graphAround, Walked } from '../../public/atlas/walked.js';
import { GraphLayout } from '../../public/graph-layout.js';
import { graphOf } from '../../public/graph.js';
import { chainOf as rowOf } from '../../public/views.js';

const at = (path) => placeOf(`https://host.example${path}`);
const HOSTILE = [undefined, null, true, 7, 'text', [], [[]], {}, { people: 'seven' }, { person: 'x' }, { edges: {} }];

const link = (from, to, more = {}) => ({
  from, to, fromName: `Name ${from}`, toName: `Name ${to}`, edgeConfidence: 90, photos: 3, evidence: [], ...more,
});
const answer = (id, others, more = {}) =>
  ({ person: { id, name: `Name ${id}`, photos: 4 }, edges: others.map((other) => link(id, other)), ...more });
const around = (...given) => neighboursOf(answer(...given));
const many = (count, start = 'n') => Array.from({ length: count }, (_, i) => `${start}${i}`);

test('an address says what is shown, whatever a person is called', () => {
  assert.deepEqual(at('/atlas'), { page: 'home', typed: '' });
  assert.deepEqual(at('/atlas/?q=+Ann'), { page: 'home', typed: 'Ann' });
  assert.deepEqual(at('/atlas/path?a=x&b=Ann+Lee'), { page: 'path', a: 'x', b: 'Ann Lee' });
  for (const id of ['3Ir0du6', 'name:محمد', 'a/b?c#d', '__proto__', '100%']) {
    assert.deepEqual(at(personAddress(id)), { page: 'person', id });
  }
  assert.deepEqual(at('/atlas/people/%E0%A4%A'), { page: 'person', id: '%E0%A4%A' });
  for (const path of ['/', '/atlas/people', '/atlas/people/a/b', '/atlases']) assert.equal(at(path).page, 'nowhere');
  assert.deepEqual(at(pathAddress('a&b', 'c=d')), { page: 'path', a: 'a&b', b: 'c=d' });
  assert.deepEqual(at(searchAddress('Ann & Bob')), { page: 'home', typed: 'Ann & Bob' });
});

test('a run of two starts at once, of one it waits for the other name', () => {
  const [ann, bob] = [{ name: 'Ann', wikidata: 'Q1' }, { name: 'Bob & Co', wikidata: '' }];
  assert.equal(furtherAddress(ann), '/?a=Ann&wikidataA=Q1');
  assert.equal(furtherAddress(ann, bob), '/investigate?a=Ann&b=Bob+%26+Co&wikidataA=Q1');
});

test('answers of the wrong kind are harmless', () => {
  for (const told of HOSTILE) {
    assert.deepEqual(sizeOf(told), {
      people: 0, photos: 0, pairs: 0, recognitions: 0, usd: 0,
    });
    assert.deepEqual(peopleOf(told), []);
    assert.equal(neighboursOf(told), null);
    assert.deepEqual(chainOf(told).path, []);
    assert.deepEqual(chainOf(told).edges, []);
  }
  assert.equal(sizeOf({ people: -3, photos: 'x', saved: { usd: Infinity } }).people, 0);
  assert.deepEqual(peopleOf({ people: [{ id: 'a', name: 'Ann', photos: -1, wikidata: 'javascript:1' }, { id: 'a' }, 7] }), [
    { id: 'a', name: 'Ann', photos: 0, wikidata: '' },
  ]);
});

test('only links of the person in the middle are read, from them outwards', () => {
  const { edges, next } = neighboursOf({
    person: { id: 'a', name: 'Ann' },
    edges: [link('b', 'a'), link('b', 'c'), link('a', 'a'), null, 'x', link('a', 'b', { edgeConfidence: 1 })],
    next: 24,
  });
  assert.deepEqual(edges.map(({ from, to, toName, photoCount }) => [from, to, toName, photoCount]), [['a', 'b', 'Name b', 3]]);
  assert.equal(next, 24);
  for (const wrong of ['24', -1, 0, 1.5, NaN, {}]) assert.equal(around('a', ['b'], { next: wrong }).next, null);
});

test('no address but of the web is taken from a photo, and nobody says that it is still the same', () => {
  const evidence = [{
    ref: 'r', imageUrl: 'javascript:alert(1)', contextUrl: 'data:text/html,x', licenseUrl: 'vbscript:x',
    remembered: { at: '2026-11-24T10:00:00Z' }, faces: [{ id: 'a', box: { left: 'x' } }, 7],
  }];
  const [{ photos: [photo] }] = neighboursOf({ person: { id: 'a' }, edges: [link('a', 'b', { evidence })] }).edges;
  assert.deepEqual([photo.imageUrl, photo.contextUrl, photo.licenseUrl], ['', '', '']);
  assert.deepEqual([photo.rememberedAt, photo.recognisedAt], [null, '2026-11-24T10:00:00Z']);
});

test('the picture grows as somebody walks, and marks who is in the middle', () => {
  const walked = new Walked();
  walked.take(around('a', ['b', 'c']));
  walked.take(around('b', ['a', 'd']));
  const { people, links } = graphAround(walked, 'b', walked.around('b').edges[1].key);
  assert.deepEqual(people.map(({ id }) => id).sort(), ['a', 'b', 'c', 'd']);
  assert.deepEqual(people.filter(({ isMiddle }) => isMiddle).map(({ id }) => id), ['b']);
  assert.deepEqual(people.filter(({ isNear }) => isNear).map(({ id }) => id).sort(), ['a', 'd']);
  assert.deepEqual(people.filter(({ isFar }) => isFar).map(({ id }) => id), ['c']);
  assert.deepEqual(links.map(({ from, to, kind }) => `${from}${to} ${kind}`).sort(), ['ac far', 'ba proven', 'bd path']);
});

test('more of the same person stands behind what was there, each once', () => {
  const walked = new Walked();
  walked.take(around('a', ['b', 'c'], { next: 2 }));
  walked.add(around('a', ['c', 'd']));
  assert.deepEqual(walked.around('a').edges.map(({ to }) => to), ['b', 'c', 'd']);
  assert.equal(walked.around('a').next, null);
});

test('no more than a thousand people are kept: whoever was walked through first goes', () => {
  const walked = new Walked();
  walked.take(around('a', many(400, 'x')));
  walked.take(around('b', many(400, 'y')));
  walked.return('a');
  walked.take(around('c', many(400, 'z')));
  assert.equal(walked.around('b'), null);
  assert.equal(walked.around('a').edges.length, 400);
  walked.take(around('big', many(1_500), { next: 1_500 }));
  assert.equal(walked.names.size, PEOPLE_MAX);
  assert.equal(walked.around('big').next, null, 'and asks for no more');
  assert.equal(walked.around('a'), null);
});

test('a person may be called like a part of the language', () => {
  const walked = new Walked();
  walked.take(around('__proto__', ['constructor', 'toString']));
  assert.deepEqual(graphAround(walked, '__proto__').people.map(({ id }) => id).sort(), ['__proto__', 'constructor', 'toString']);
  assert.equal({}.person, undefined);
});

test('whoever is in the middle glides there, their own around them and the others outside', () => {
  const layout = new GraphLayout();
  layout.resize(700, 400);
  const walked = new Walked();
  walked.take(around('a', many(24)));
  layout.take(graphAround(walked, 'a'));
  layout.settle();
  walked.take(around('n3', ['a', ...many(10, 'm')]));
  const before = layout.nodes.find(({ person: { id } }) => id === 'n3');
  const start = { x: before.x, y: before.y };
  layout.take(graphAround(walked, 'n3'));
  layout.step();
  assert.ok(Math.hypot(before.x - start.x, before.y - start.y) < 60, 'step by step');
  layout.settle();
  assert.ok(Math.hypot(before.x - 350, before.y - 200) < 2, 'until it is in the middle');
  const away = ({ x, y }) => Math.hypot((x - 350) / 700, (y - 200) / 400);
  const near = layout.nodes.filter(({ person }) => person.isNear).map(away);
  const far = layout.nodes.filter(({ person }) => person.isFar).map(away);
  assert.ok(Math.max(...near) < Math.min(...far), `${Math.max(...near)} and ${Math.min(...far)}`);
});

const CHAIN = {
  a: { id: 'a', name: 'Ann', wikidata: 'Q1' },
  b: { id: 'c', name: 'Cat' },
  path: ['a', 'b', 'c'].map((id) => ({ id, name: `Name ${id}` })),
  edges: [link('b', 'a', { edgeConfidence: 85 }), link('b', 'c', { edgeConfidence: 85 })],
  weakest: { from: 'c', to: 'b' },
};

test('a chain is read in its order, and its weakest link is the one that the server names', () => {
  const chain = chainOf(CHAIN);
  assert.deepEqual(chain.edges.map(({ from, to }) => from + to), ['ab', 'bc']);
  const shown = shownChain(chain);
  assert.deepEqual(rowOf(shown).filter(({ kind }) => kind === 'link').map(({ weakest }) => weakest), [false, true]);
  const graph = graphOf(shown);
  assert.deepEqual(graph.people.map(({ id, step, end }) => [id, step, end]), [['a', 0, 'a'], ['b', 1, ''], ['c', 2, 'b']]);
  assert.deepEqual(shown.people.a.urls, ['https://www.wikidata.org/wiki/Q1']);
});

test('a chain with a link that was not told is none, and says whether all was looked at', () => {
  assert.deepEqual(chainOf({ ...CHAIN, edges: CHAIN.edges.slice(1) }).path, []);
  assert.match(noChainWords(chainOf({ ...CHAIN, path: [], edges: [] })), /is known here/);
  assert.match(noChainWords(chainOf({ ...CHAIN, path: [], isWhole: false })), /more than was looked at/);
});

test('how large it is stands in one line, and each page has a title', () => {
  const size = { people: 1_200, pairs: 25, photos: 1, recognitions: 40, usd: 1.5 };
  assert.equal(sizeWords(size), '1,200 people, 25 lines, 1 photo. 40 recognitions were not bought again: $1.50 saved.');
  assert.equal(sizeWords({ ...size, recognitions: 0 }), '1,200 people, 25 lines, 1 photo.');
  assert.equal(titleOf({ page: 'home' }), 'Atlas · Visual Degrees');
  assert.equal(titleOf({ page: 'person', person: { name: 'Ann' } }), 'Ann · Atlas · Visual Degrees');
  assert.equal(titleOf({ page: 'path', chain: chainOf(CHAIN) }), 'Ann to Cat · Atlas · Visual Degrees');
});

test('keys move among the rows, show a photo and lead back', () => {
  const from = (at) => (key) => moveOf(key, { at, rows: 3 });
  assert.deepEqual(from(-1)('ArrowDown'), { kind: 'row', at: 0 });
  assert.deepEqual(from(2)('ArrowDown'), { kind: 'row', at: 2 });
  assert.deepEqual(from(0)('ArrowUp'), { kind: 'row', at: 0 });
  assert.deepEqual(from(1)('End'), { kind: 'row', at: 2 });
  assert.deepEqual([from(1)('p'), from(1)(' '), from(-1)('p')], [{ kind: 'photo' }, { kind: 'photo' }, null]);
  assert.deepEqual([from(-1)('Backspace'), from(1)('Enter')], [{ kind: 'back' }, null]);
  assert.equal(moveOf('ArrowDown', { at: -1, rows: 0 }), null);
});
