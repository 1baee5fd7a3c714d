import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confidence, doubtful, MARGIN_MIN, matches, SIDE_MIN } from '../../recogniser/matching.mjs';

const at = (place) => Float32Array.of(place, 0, 0);
const face = (place, side = 100) => ({ side, description: at(place) });
const person = (number, places, isAsked = true) =>
  ({ number, isAsked, portraits: places.map((place) => ({ description: at(place) })) });
const told = (faces, candidates) =>
  matches(faces, candidates).map((one) => one && [one.person.number, Math.round(one.confidence)]);

test('a match is less sure the farther the portrait is, and the more were compared', () => {
  const distances = [0, 0.3, 0.4, 0.42, 0.44, 0.48, 0.55, 0.6, 2];
  for (const compared of [1, 10, 200]) {
    const all = distances.map((distance) => confidence(distance, compared));
    assert.deepEqual(all, all.toSorted((one, other) => other - one));
    assert.ok(all[0] > 90 && all.at(-1) === 0, `${all}`);
  }
  assert.ok(confidence(0.42, 1) > confidence(0.42, 2));
  // Of ten candidates, a stranger is taken for one at 80 % with a chance of 10^-3.5.
  assert.ok(confidence(0.425, 10) >= 80 && confidence(0.435, 10) < 80);
});

test('a face is the nearest candidate, if the second best is farther by the margin', () => {
  assert.deepEqual(told([face(0.1)], [person('Q1', [0]), person('Q2', [1])]), [['Q1', 99]]);
  const near = 0.1 + MARGIN_MIN / 2;
  assert.deepEqual(told([face(0)], [person('Q1', [0.1]), person('Q2', [-near])]), [null]);
  // Two portraits of one person are no rivals.
  assert.equal(told([face(0)], [person('Q1', [0.1, -near])])[0][0], 'Q1');
});

test('nobody is told who is far away, too small, or where nobody was asked for', () => {
  assert.deepEqual(told([face(0.6)], [person('Q1', [0])]), [null]);
  assert.deepEqual(told([face(0, SIDE_MIN - 1), face(0, SIDE_MIN)], [person('Q1', [0])])[0], null);
  assert.deepEqual(told([face(0)], []), [null]);
});

test('the gallery counts against itself alone', () => {
  const gallery = Array.from({ length: 500 }, (_, place) => person(`Q${place + 10}`, [place + 5], false));
  const [[, asked]] = told([face(0.42)], [person('Q1', [0]), ...gallery]);
  const [other] = told([face(0.42)], [person('Q1', [0], false), ...gallery]);
  assert.ok(asked >= 90, `${asked}`);
  assert.ok(other === null || other[1] < 80, `${other}`);
});

test('a second portrait is asked for where it would decide', () => {
  const numbers = (place) => doubtful([face(place)], [person('Q1', [0])]).map(({ number }) => number);
  assert.deepEqual(numbers(0.2), []);
  assert.deepEqual(numbers(0.46), ['Q1']);
  assert.deepEqual(numbers(0.7), []);
});
