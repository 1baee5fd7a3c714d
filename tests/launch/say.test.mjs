// What the person who waits for a start is told: what is made, and what is left after it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announce, noteMade, step } from '../../scripts/say.mjs';

/** The lines that `work` says. */
async function said(t, work) {
  const write = t.mock.method(process.stderr, 'write', () => true);
  await work();
  const text = write.mock.calls.map(({ arguments: [piece] }) => piece).join('');
  write.mock.restore();
  return text.trimEnd().split('\n');
}

test('each step says what is left, whoever makes it', async (t) => {
  const lines = await said(t, async () => {
    announce(['the packages', 'the tools', 'the sandbox', 'the Worker']);
    // Another start of the same checkout was faster.
    noteMade('the tools');
    let finish;
    const sandbox = step('the sandbox', 'Building the sandbox', () => new Promise((resolve) => {
      finish = resolve;
    }));
    await step('the packages', 'Installing the packages', async () => {});
    finish();
    await sandbox;
    await step('the Worker', 'Building the Worker', async () => {});
  });
  const timeless = lines.map((line) => line.replace(/[\d.]+ s/, 'T'));
  assert.deepEqual(timeless, [
    'To be made, once: the packages, the tools, the sandbox, the Worker '
      + '(about 5 minutes for everything on two cores).',
    '> Building the sandbox ...',
    '> Installing the packages ...',
    '  the packages: done in T; left: the sandbox, the Worker',
    '  the sandbox: done in T; left: the Worker',
    '> Building the Worker ...',
    '  the Worker: done in T',
  ]);
});

test('where nothing is missing, nothing is announced', async (t) => {
  const lines = await said(t, async () => announce([]));
  assert.deepEqual(lines, ['']);
});
