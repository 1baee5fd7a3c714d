// How long somebody is told to wait, and how far a field may go.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rangeIn } from '../../public/options.js';
import { waiting } from '../../public/words.js';

test('a wait is told in the largest unit that says enough', () => {
  const told = [1, 30, 90, 91, 600, 5_399, 5_400, 43_200].map(waiting);
  assert.deepEqual(told, [
    '1 second', '30 seconds', '90 seconds', '2 minutes', '10 minutes', '90 minutes', '2 hours',
    '12 hours',
  ]);
});

test('a range is told in the field’s own unit', () => {
  assert.equal(rangeIn('hops', { least: 1, most: 6 }), '1 to 6');
  assert.equal(rangeIn('runtimeMs', { least: 1_000, most: 300_000 }), '1 to 300');
  assert.equal(rangeIn('budgetUsd', { least: 0.001, most: 0.5 }), '0.001 to 0.5');
});
