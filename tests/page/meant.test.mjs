// Who may be meant by a name that was not recognised: whom is asked for, who is offered, what a press asks with.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { insteadOf, offered, unknownNames } from '../../public/meant.js';
import { blank, reduce } from '../../public/model.js';
import { pair, renamed } from '../../public/pair.js';

const NAMES = { a: 'Lizzy Bennet', b: 'Charlotte Lucas' };
const person = (number, label) => ({ number, label, description: 'of a novel', alias: '' });
const LIZZY = person('Q1', 'Elizabeth Bennet');

/** A run that ended without a chain. */
function ended(event = {}, names = NAMES) {
  const last = { type: 'no_path', reason: 'unknown_person', unknown: ['a'], suggestions: [], ...event };
  return reduce(reduce(blank(), { kind: 'starting', ...names }), { kind: 'event', n: 1, event: last });
}

const offeredOf = (people, state, side = 'a') => offered(people, state, side).map(({ number }) => number);

test('each name that was not recognised is asked for, and no other', () => {
  assert.deepEqual(unknownNames(ended()), [{ side: 'a', name: NAMES.a }]);
  const both = [{ side: 'a', name: NAMES.a }, { side: 'b', name: NAMES.b }];
  assert.deepEqual(unknownNames(ended({ unknown: ['b', 'a', 'a'] })), both);
  assert.deepEqual(unknownNames(ended({ reason: 'no_readable_photos', unknown: ['b'] })), [both[1]]);
  for (const unknown of [[], undefined, null, 'a', ['c']]) assert.deepEqual(unknownNames(ended({ unknown })), []);
});

test('nobody is asked for a name that is not there or too long, nor for one of a file', () => {
  assert.deepEqual(unknownNames(ended({}, { a: '', b: 'Bob' })), []);
  assert.deepEqual(unknownNames(ended({}, { a: 'x'.repeat(101), b: 'Bob' })), []);
  assert.deepEqual(unknownNames({ ...ended(), isFile: true }), []);
  assert.deepEqual(unknownNames(reduce(ended(), { kind: 'blank' })), []);
});

test('four people are offered, in the order of the answer', () => {
  const many = Array.from({ length: 6 }, (_, i) => person(`Q${i + 1}`, `Person ${i}`));
  assert.deepEqual(offeredOf(many, ended()), ['Q1', 'Q2', 'Q3', 'Q4']);
  assert.deepEqual(offeredOf([], ended()), []);
});

test('nobody is offered who was asked for by number, and somebody else of the name is', () => {
  const numbered = ended({}, { a: 'Elizabeth Bennet', wikidataA: 'q1', b: 'Bob', wikidataB: 'Q3' });
  const people = [LIZZY, person('Q2', 'Elizabeth Bennet'), person('Q3', 'Robert')];
  assert.deepEqual(offeredOf(people, numbered), ['Q2']);
});

test('the person at the other end is not offered, unless a number tells the two apart', () => {
  const people = [LIZZY, person('Q2', 'CHARLOTTE  LUCAS')];
  assert.deepEqual(offeredOf(people, ended()), ['Q1']);
  assert.deepEqual(offeredOf(people, ended({}, { ...NAMES, wikidataB: 'Q9' })), ['Q1', 'Q2']);
});

test('who is offered because somebody recognised them is not offered twice', () => {
  const people = [LIZZY, person('Q2', 'Jane Bennet')];
  assert.deepEqual(offeredOf(people, ended({ suggestions: ['ELIZABETH BENNET'] })), ['Q2']);
  const forOther = { suggestions: [{ name: 'Elizabeth Bennet', side: 'b' }], unknown: ['a', 'b'] };
  assert.deepEqual(offeredOf(people, ended(forOther)), ['Q1', 'Q2']);
  assert.deepEqual(offeredOf(people, ended(forOther), 'b'), ['Q2']);
});

test('a press asks with the label and the number on that side, and with the other side as it was', () => {
  const asked = { ...NAMES, wikidataA: 'Q7', wikidataB: 'Q8' };
  const again = (side) => renamed(ended({}, asked), insteadOf(side, LIZZY));
  assert.deepEqual(again('a'), { ...asked, a: 'Elizabeth Bennet', wikidataA: 'Q1' });
  assert.deepEqual(again('b'), { ...asked, b: 'Elizabeth Bennet', wikidataB: 'Q1' });
  // The name that somebody recognised, without the number that nobody did.
  const bare = renamed(ended({}, asked), insteadOf('a', { label: NAMES.a, number: '' }));
  assert.deepEqual(bare, pair({ ...asked, wikidataA: '' }));
});
