// Photos that the platform makes smaller, by its binding, as `wrangler dev` has it on this machine.

import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { configIn } from './config.mjs';
import { eventsOf, ownSandbox, ownWorker, read, startRun, STATE } from './support.mjs';

const BINDING = '\n[images]\nbinding = "IMAGES"\n';
let sandbox;

before(async () => {
  const plan = join(await mkdtemp(join(STATE, 'images-')), 'plan.json');
  await writeFile(plan, JSON.stringify([{ provider: 'image', from: 1, kind: 'oversize-declared' }]));
  sandbox = await ownSandbox(['--fault', plan]);
});
after(() => sandbox?.stop());

/** The last event of the example's run, by a Worker with this configuration. */
async function endOfRun(more) {
  const folder = await mkdtemp(join(STATE, 'images-'));
  const args = ['--config', await configIn(folder, more)];
  const settings = { ...sandbox.settings, PUBLIC: '1', PLANNER: 'none' };
  const worker = await ownWorker({ settings, folder, args });
  const run = await startRun(worker.base, sandbox.example);
  const { events } = await read(eventsOf(worker.base, run));
  await worker.stop();
  return events.at(-1).data;
}

test('photos over 5 MB are looked at where the platform converts them, and passed over where not', async () => {
  const converted = await endOfRun(BINDING);
  assert.equal(converted.type, 'final', JSON.stringify(converted));
  assert.equal(converted.spent.photos.unreadable, 0);
  const without = await endOfRun('');
  assert.equal(without.spent.photos.looked, 0);
});
