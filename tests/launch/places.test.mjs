// Where things are that a start keeps.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, stateFolder, USUAL_PORT } from '../../scripts/places.mjs';

test('each port has a state of its own, and the usual one keeps what it has', () => {
  assert.equal(stateFolder(USUAL_PORT), join(root, '.wrangler', 'state'));
  const folders = [USUAL_PORT, 8789, 9000].map(stateFolder);
  assert.equal(new Set(folders).size, folders.length);
  for (const one of folders) {
    assert.equal(folders.some((other) => other !== one && other.startsWith(`${one}/`)), false, 'none lies in another');
  }
});
