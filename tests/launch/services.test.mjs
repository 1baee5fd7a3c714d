// Programs that are waited for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch } from '../../src/launch/processes.mjs';
import { serviceOf } from '../../src/launch/services.mjs';

test('a program that is not ready in time is ended', async () => {
  const child = launch(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const service = serviceOf(child, 'it');
  const never = new Promise(() => {});
  await assert.rejects(service.before(never, 50, 'does not answer'), /it does not answer after 0\.05 s/);
  await assert.rejects(service.gone, /it has ended by itself \(SIGTERM\)/);
});
