// A photo that was recognised in its small copy is told as such.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mergeEdge, photo } from '../../public/wire.js';

const read = (isThumbnail) => photo({ ref: 'ev1', isThumbnail }).isThumbnail;

test('only what the stream says so is a small copy', () => {
  assert.equal(read(true), true);
  for (const other of [undefined, null, false, 'true', 1]) assert.equal(read(other), null);
});

test('a photo told again without it stays a small copy', () => {
  const edge = (more) => ({ confidence: 90, photos: [photo({ ref: 'ev1', ...more })] });
  const [merged] = mergeEdge(edge({ isThumbnail: true }), edge({})).photos;
  assert.equal(merged.isThumbnail, true);
});
