// A workflow of thirty calls against servers that others wrote: its process dies at each entry of its
// journal and at each call, and no call is made twice or left out (kills.rs).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything, memory, runProgram } from './support.mjs';

const LIMIT_MS = 600_000;

test('no call is doubled and none is lost wherever the process dies', { timeout: LIMIT_MS }, async (context) => {
  const addresses = await Promise.all([memory(context), everything(context)]);
  const { code, stdout, stderr } = await runProgram('workflow_kills', addresses, { timeoutMs: LIMIT_MS });
  assert.equal(code, 0, `${stdout}${stderr}`);
  for (const line of stdout.trim().split('\n')) context.diagnostic(line);
  assert.equal(stdout.match(/ kills; .* 0 calls doubled, 0 lost/g)?.length, 2, stdout);
});
