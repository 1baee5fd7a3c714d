// The steps of `npm test`: every test file is in one of them, and what lists name is there.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { LONGEST, WITH_PROGRAMS } from '../../scripts/e2e.mjs';
import { withNeeds } from '../../scripts/graph.mjs';
import { root } from '../../scripts/places.mjs';
import { slowestFiles } from '../../scripts/slowest.mjs';
import { allSteps, PARTS, ROOM } from '../../scripts/steps.mjs';

const endToEnd = (await readdir(join(root, 'tests', 'e2e')))
  .filter((name) => name.endsWith('.test.mjs'))
  .map((name) => name.slice(0, -'.test.mjs'.length));

test('every end-to-end file is run, once', async () => {
  const titles = (await allSteps()).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  const run = titles.filter((title) => title.startsWith('end to end: '));
  assert.deepEqual(run.sort(), endToEnd.map((name) => `end to end: ${name}`).sort());
});

test('the files that begin first, and those that run a program, are there', () => {
  for (const name of [...LONGEST, ...WITH_PROGRAMS]) assert.ok(endToEnd.includes(name), name);
});

test('each part can be run by itself: what it needs and uses is there', async () => {
  const steps = await allSteps();
  for (const name of PARTS) {
    const taken = withNeeds(steps, ({ part }) => part === name);
    assert.ok(taken.some(({ part }) => part === name), name);
    for (const { uses = [] } of taken) assert.ok(uses.every((what) => ROOM[what] > 0), `${uses}`);
  }
});

test('the slowest files are found in what cargo and Node say', () => {
  const words = `     Running unittests src/lib.rs (target/debug/deps/a-1)
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.37s
     \x1b[32mRunning\x1b[0m tests/main.rs (target/debug/deps/all-1)
test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 221.66s
file took 58.2 s: tests/e2e/kills.test.mjs
`;
  assert.deepEqual(slowestFiles(words).map(({ file, ms }) => [file, Math.round(ms)]), [
    ['tests/main.rs', 221_660], ['tests/e2e/kills.test.mjs', 58_200], ['src/lib.rs', 370],
  ]);
});
