// Where names stand in a photo: on no face where there is another place, and never on each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { placed } from '../../public/tags.js';

const box = (left, top, width = 0.15, height = 0.25) => ({ left, top, width, height });
const tag = (at, letters = 14) => ({ box: at, letters });

test('a name stands under its face, in its middle', () => {
  const face = box(0.4, 0.3);
  assert.deepEqual(pick(placed([tag(face)], [face], 1)), [[false, 'middle']]);
});

test('at the foot of a photo it stands above, and at an edge it stays inside', () => {
  const low = box(0.4, 0.72);
  assert.deepEqual(pick(placed([tag(low)], [low], 1)), [[true, 'middle']]);
  const left = box(0.01, 0.3);
  assert.deepEqual(pick(placed([tag(left)], [left], 1)), [[false, 'start']]);
  const right = box(0.84, 0.3);
  assert.deepEqual(pick(placed([tag(right)], [right], 1)), [[false, 'end']]);
});

test('two names beside each other write over nothing', () => {
  const [one, other] = [box(0.35, 0.35), box(0.52, 0.35)];
  const places = placed([tag(one), tag(other)], [one, other], 1);
  assert.equal(touching(places), 0);
});

test('a name covers nobody who stands below', () => {
  const [one, other, child] = [box(0.2, 0.2), box(0.6, 0.2), box(0.2, 0.5)];
  const places = placed([tag(one), tag(other)], [one, other, child], 1);
  assert.deepEqual(pick(places)[0], [true, 'middle']);
});

test('in random crowds a name covers a face only where every place does', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  for (let round = 0; round < 300; round += 1) {
    const faces = Array.from({ length: 2 + Math.floor(random() * 6) }, () =>
      box(random() * 0.85, random() * 0.7, 0.08 + random() * 0.07, 0.15));
    const [mine] = placed([tag(faces[0], 10)], faces, 1);
    const covers = (place) => faces.some((face) => over(place, face));
    if (!covers(mine.place)) continue;
    const others = alternatives(faces[0]).filter(
      ({ left, top, width, height }) => left >= 0 && top >= 0 && left + width <= 1 && top + height <= 1,
    );
    assert.ok(others.every(covers), JSON.stringify(faces));
  }
});

/** The six places of a name of ten letters, by another way. */
function alternatives(face) {
  // Of the usual frame, 340 pixels wide.
  const width = (10 * 6.9 + 14) / 340;
  const [height, gap] = [20, 9].map((px) => (px * 1.5) / 340);
  const lefts = [face.left, face.left + face.width - width, face.left + (face.width - width) / 2];
  const tops = [face.top - gap - height, face.top + face.height + gap];
  return lefts.flatMap((left) => tops.map((top) => ({ left, top, width, height })));
}

const pick = (places) => places.map(({ isAbove, side }) => [isAbove, side]);
const over = (one, other) =>
  one.left < other.left + other.width && other.left < one.left + one.width
  && one.top < other.top + other.height && other.top < one.top + one.height;
const touching = ([one, other]) => Number(over(one.place, other.place));
