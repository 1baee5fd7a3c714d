// Reading the summaries of cargo and node, cargo's messages, and the browser's whereabouts.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureChromium, installLine, onPath } from '../../src/launch/chromium.mjs';
import { addStep, countTests } from '../../src/launch/counts.mjs';
import { sandboxPath } from '../../src/launch/services.mjs';

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

test('the one line to type fits the system', () => {
  assert.equal(installLine('NAME="Debian"\nID=debian\n'), 'sudo apt-get install -y chromium');
  assert.equal(installLine('ID_LIKE=debian\nID=ubuntu\n'), 'sudo snap install chromium');
  assert.equal(installLine(''), 'sudo apt-get install -y chromium');
});

test('a browser is one that runs: a hint of that name at another package is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  try {
    const put = async (name, text) => {
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
      await chmod(join(folder, name), 0o755);
    };
    await put('chromium-browser', 'echo "install the snap" >&2; exit 1');
    await put('chrome-of-mine', 'echo Chromium 1');
    const PATH = folder;
    const mine = join(folder, 'chrome-of-mine');
    assert.equal(onPath('chrome-of-mine', PATH), mine);
    assert.equal(await ensureChromium({ PATH, CHROMIUM: 'chrome-of-mine' }), mine);
    await assert.rejects(ensureChromium({ PATH, CHROMIUM: 'chromium-browser' }), /does not run/);
    await put('google-chrome', 'echo Chrome 1');
    assert.equal(await ensureChromium({ PATH }), join(folder, 'google-chrome'));
  } finally {
    await rm(folder, { recursive: true });
  }
});
