// When an earlier run had the answer to a photo, as an event tells it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { photo } from '../../public/wire.js';

const read = (remembered) => photo({ ref: 'ev1', remembered }).rememberedAt;

test('a photo whose answer is remembered has the time of that answer', () => {
  const at = '2026-11-21T10:00:00.000Z';
  assert.equal(read({ recogniser: 'rekognition', at }), at);
});

test('what is no time is none', () => {
  for (const remembered of [undefined, null, true, 'yesterday', {}, { at: 5 }, { at: 'soon' }]) {
    assert.equal(read(remembered), null, JSON.stringify(remembered));
  }
});
