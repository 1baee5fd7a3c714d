// How long somebody is told to wait.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { waiting } from '../../public/words.js';

test('a wait is told in the largest unit that says enough', () => {
  const told = [1, 30, 90, 91, 600, 5_399, 5_400, 43_200].map(waiting);
  assert.deepEqual(told, [
    '1 second', '30 seconds', '90 seconds', '2 minutes', '10 minutes', '90 minutes', '2 hours',
    '12 hours',
  ]);
});
