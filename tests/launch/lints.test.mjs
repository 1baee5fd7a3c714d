// The linter's part of `npm test`: one warning is enough to fail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denyWarnings, hasWarning } from '../../scripts/lints.mjs';

const FINISHED = '    Finished `dev` profile [optimized] target(s) in 0.12s\n';

test('a warning is found in cargo\'s words, in colours and across pieces', () => {
  for (const [words, isWarning] of [
    [[FINISHED], false],
    [['warning: unused variable: `x`\n', FINISHED], true],
    [[FINISHED, 'warn', 'ing: used `expect()` on an `Option` value\n'], true],
    [['\x1b[1m\x1b[33mwarning\x1b[0m\x1b[1m: unused\x1b[0m\n'], true],
    [['   Compiling no-warning v0.1.0\n  = note: a warning is denied\n', FINISHED], false],
  ]) {
    assert.equal(hasWarning(words.map((word) => Buffer.from(word))), isWarning, words.join(''));
  }
});

test('a step fails where cargo warns, and as it failed before', async () => {
  for (const [words, ok, isOk, isTold] of [
    [FINISHED, true, true, false],
    ['warning: unused\n', true, false, true],
    ['error: no such command\n', false, false, false],
  ]) {
    const work = async (told) => {
      told.push(Buffer.from(words));
      return { ok, output: '3 passed' };
    };
    const result = await denyWarnings(work)([]);
    assert.equal(result.ok, isOk, words);
    assert.equal(result.output, '3 passed');
    assert.equal(/warns/.test(result.error?.message ?? ''), isTold);
  }
});
