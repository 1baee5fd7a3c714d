// Two people of one name: the server tells them apart by their numbers, and so does the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blank, reduce } from '../../public/model.js';
import { shownNames } from '../../public/pair.js';
import { chainOf } from '../../public/views.js';

const COSETTE = { id: 'c4', name: 'Cosette' };
const FANTINE = { id: 'c5', name: 'Fantine' };
const ONE = { id: 'c9', name: 'Marius (Q1)' };
const OTHER = { id: 'c10', name: 'Marius (Q2)' };
const THIRD = { id: 'c11', name: 'Marius' };

/** What is drawn for two people typed as Marius after these partial chains. */
function drawn(...paths) {
  const typed = { a: 'Marius', b: 'Marius', wikidataA: 'Q1', wikidataB: 'Q2' };
  const events = paths.map((path) => ({ type: 'path_update', path }));
  const state = events.reduce(
    (before, event, i) => reduce(before, { kind: 'event', n: i + 1, event }),
    reduce(blank(), { kind: 'starting', ...typed }),
  );
  const words = ({ kind, name, seen }) => (kind === 'person' ? (seen ? name : `(${name})`) : kind);
  return chainOf(state).map(words);
}

test('a number is told where both have one name, and a name alone else', () => {
  const shown = (a, b, wikidataA = '', wikidataB = '') =>
    Object.values(shownNames({ a, b, wikidataA, wikidataB }));
  assert.deepEqual(shown('Marius', 'MÁRIUS', 'q1', 'Q2'), ['Marius (Q1)', 'MÁRIUS (Q2)']);
  assert.deepEqual(shown('Marius', 'Cosette', 'Q1', 'Q2'), ['Marius', 'Cosette']);
  assert.deepEqual(shown('Marius', 'Marius'), ['Marius', 'Marius']);
  assert.deepEqual(shown('', '', 'Q1'), ['', '']);
});

test('both stand there before anybody is recognised', () => {
  assert.deepEqual(drawn(), ['(Marius (Q1))', 'gap', '(Marius (Q2))']);
});

test('the half from B stands beside the half from A, whichever way it is told', () => {
  const expected = ['Marius (Q1)', 'link', 'Cosette', 'gap', 'Fantine', 'link', 'Marius (Q2)'];
  assert.deepEqual(drawn([ONE, COSETTE], [OTHER, FANTINE]), expected);
  assert.deepEqual(drawn([ONE, COSETTE], [FANTINE, OTHER]), expected);
});

test('a whole chain has no gap', () => {
  const whole = ['Marius (Q1)', 'link', 'Cosette', 'link', 'Marius (Q2)'];
  assert.deepEqual(drawn([ONE, COSETTE], [ONE, COSETTE, OTHER]), whole);
});

test('a third one of the name is neither', () => {
  const expected = ['Marius (Q1)', 'link', 'Marius', 'gap', '(Marius (Q2))'];
  assert.deepEqual(drawn([ONE, THIRD]), expected);
});
