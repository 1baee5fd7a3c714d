// Reading the summaries of cargo and node, and cargo's messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addStep, countTests } from '../../scripts/counts.mjs';
import { sandboxPath } from '../../scripts/services.mjs';

test("cargo's summaries are summed, coloured or not", () => {
  const output = `running 2 tests
test result: \x1b[32mok\x1b[0m. 12 passed; 0 failed; 1 ignored; 0 measured

test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0s
`;
  assert.deepEqual(countTests(output), { passed: 15, failed: 2 });
});

test("node's summaries are summed; a cancelled test has not passed", () => {
  const output = 'ℹ tests 6\nℹ pass 4\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\n# pass 2\n';
  assert.deepEqual(countTests(output), { passed: 6, failed: 2 });
});

test('a step without tests counts only when it fails', () => {
  const none = { passed: 1, failed: 0 };
  assert.deepEqual(addStep(none, { ok: true, output: '' }), none);
  assert.deepEqual(addStep(none, { ok: false, output: 'error: x' }), { passed: 1, failed: 1 });
  const failed = 'test result: FAILED. 3 passed; 2 failed;';
  assert.deepEqual(addStep(none, { ok: false, output: failed }), { passed: 4, failed: 2 });
});

test("the sandbox's program is found among cargo's messages", () => {
  const messages = [
    { reason: 'compiler-artifact', target: { name: 'visual-degrees' }, executable: null },
    { reason: 'compiler-artifact', target: { name: 'sandbox' }, executable: '/t/debug/sandbox' },
    { reason: 'build-finished', success: true },
  ].map((message) => JSON.stringify(message));
  assert.equal(sandboxPath(messages.join('\n')), '/t/debug/sandbox');
  assert.equal(sandboxPath('\nnot json\n'), null);
});
