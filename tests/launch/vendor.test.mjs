// What the page has of others is what the packages give.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { LIBRARIES, vendored } from '../../scripts/vendor.mjs';

for (const name of Object.keys(LIBRARIES)) {
  test(`public/vendor/${name}.js is the package that is pinned`, async () => {
    const { path, text } = await vendored(name);
    assert.equal(await readFile(path, 'utf8'), text, 'run scripts/vendor.mjs');
  });
}
