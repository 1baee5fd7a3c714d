// A provider that never answers: the stream stays open by heartbeats, and the run ends with an
// honest error that names the provider.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { STATE, TOGETHER, assertWhole, calls, investigation, ownPair, read, runOf } from './support.mjs';

let pair = null;

before(async () => {
  const faults = join(STATE, 'google-hangs.json');
  await writeFile(faults, JSON.stringify([{ provider: 'google', from: 1, kind: 'hang' }]));
  pair = await ownPair(['--fault', faults]);
});
after(() => pair?.stop());

test('a search that never answers is no hang: heartbeats, then an error', async () => {
  const stream = await read(investigation(pair.base, TOGETHER));
  assertWhole(stream, runOf(stream));
  const { data } = stream.events.at(-1);
  assert.equal(data.type, 'error');
  assert.equal(data.code, 'provider_down');
  assert.equal(data.provider, 'google');
  assert.equal(data.retryable, true);
  assert.equal(data.spent.searchCalls, 3, 'each attempt counts');
  assert.equal((await calls(pair.sandbox.listening)).length, 3);
  // Three attempts of ten seconds in silence: a heartbeat after each fifteen.
  const beats = stream.bytes.toString('utf8').split('\n').filter((line) => line === ': hb');
  assert.ok(beats.length >= 1 && beats.length <= 3, `${beats.length} heartbeats`);
});
