import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHIP_SIDE, cutFace, mirrored, similarity } from '../../recogniser/faces/alignment.mjs';

test('the turn between two shapes is found', () => {
  const from = [[0, 0], [10, 0], [0, 5], [7, 7]];
  const [a, b, left, top] = [0.6, -0.8, 30, -4];
  const to = from.map(([x, y]) => [a * x - b * y + left, b * x + a * y + top]);
  const found = similarity(from, to);
  for (const [name, value] of Object.entries({ a, b, left, top })) assert.ok(Math.abs(found[name] - value) < 1e-9, name);
});

/** Returns a picture of one colour with a red, a green and a blue square at these places, and its landmarks. */
function drawn(width, height, turn) {
  const data = new Uint8Array(width * height * 3).fill(90);
  const points = { 45: [100, 60], 42: [84, 60], 36: [44, 60], 39: [60, 60], 33: [72, 92] };
  const landmarks = Object.fromEntries(Object.entries(points).map(([number, point]) => [number, turn(point)]));
  for (const [number, colour] of [[45, 0], [36, 1], [33, 2]]) {
    const [x, y] = landmarks[number].map(Math.round);
    for (let dy = -3; dy <= 3; dy += 1) {
      for (let dx = -3; dx <= 3; dx += 1) {
        const place = ((y + dy) * width + x + dx) * 3;
        data.set([0, 0, 0], place);
        data[place + colour] = 255;
      }
    }
  }
  return { picture: { data, width, height }, landmarks };
}

/** Returns the place of the strongest pixel of a colour. */
function placeOf(chip, colour) {
  let best = 0;
  for (let place = 0; place < CHIP_SIDE * CHIP_SIDE; place += 1) {
    const strength = (at) => 2 * chip[3 * at + colour] - chip[3 * at] - chip[3 * at + 1] - chip[3 * at + 2];
    if (strength(place) > strength(best)) best = place;
  }
  return [best % CHIP_SIDE, Math.floor(best / CHIP_SIDE)];
}

test('a face lies in the same place, however it was turned and scaled', () => {
  const turns = [
    ([x, y]) => [x, y],
    ([x, y]) => [3 * x + 20, 3 * y + 50],
    ([x, y]) => [0.8 * x + 0.6 * y + 40, -0.6 * x + 0.8 * y + 140],
  ];
  const chips = turns.map((turn) => {
    const { picture, landmarks } = drawn(420, 420, turn);
    return cutFace(picture, landmarks);
  });
  for (const chip of chips) {
    for (const colour of [0, 1, 2]) {
      placeOf(chip, colour).forEach((place, axis) => {
        assert.ok(Math.abs(place - placeOf(chips[0], colour)[axis]) <= 5, `${placeOf(chip, colour)}`);
      });
    }
    const [right, left] = [placeOf(chip, 0), placeOf(chip, 1)];
    assert.ok(right[0] > 100 && left[0] < 50 && Math.abs(right[1] - left[1]) <= 5, 'both eyes on one line');
  }
  const [x, y] = placeOf(chips[0], 0);
  const [otherX, otherY] = placeOf(mirrored(chips[0]), 0);
  assert.ok(Math.abs(x + otherX - (CHIP_SIDE - 1)) <= 7 && Math.abs(y - otherY) <= 7);
});

test('where the picture ends, a face is black', () => {
  const { picture, landmarks } = drawn(120, 120, ([x, y]) => [x - 30, y - 40]);
  const chip = cutFace(picture, landmarks);
  assert.deepEqual([...chip.subarray(0, 3)], [0, 0, 0]);
  assert.ok(chip.every((value) => value >= 0 && value <= 255.001));
});
