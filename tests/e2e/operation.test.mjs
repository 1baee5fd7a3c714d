// What the operator of a deployed Worker has: a line in the log for each run, and configurations
// that can be deployed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../../scripts/places.mjs';
import { workerBeside } from './beside.mjs';
import {
  assertWhole, eventsOf, eventually, keptRecord, ownPair, read, servicesLogPath, startRun, STATE,
  stopRun, TOGETHER,
} from './support.mjs';

const DRY_RUN_LIMIT_MS = 300_000;

const DATASET = `
import { WorkerEntrypoint } from 'cloudflare:workers';

export default { fetch: () => new Response('dataset') };

export class Dataset extends WorkerEntrypoint {
  writeDataPoint(point) {
    console.log('data point ' + JSON.stringify(point));
  }
}
`;

// What the Worker itself logs.
const logging = { logLevel: 'log' };
let pair = null;
let naming = null;

before(async () => {
  [pair, naming] = await Promise.all([
    ownPair([], {}, logging), ownPair([], { LOG_NAMES: '1' }, logging),
  ]);
});
after(() => Promise.all([pair, naming].map((one) => one?.stop())));

const digestOf = (run) => createHash('sha256').update(run).digest('hex').slice(0, 16);

/** The lines of the log that tell of a run. */
async function linesOf(run) {
  const log = await readFile(servicesLogPath, 'utf8');
  return log.split('\n').filter((line) => line.includes(`"run":"${digestOf(run)}"`));
}

const lineOf = (run) =>
  eventually('the line of the run', async () => {
    const [line] = await linesOf(run);
    return line ? JSON.parse(line.slice(line.indexOf('{'))) : null;
  });

test('each run that ends has one line in the log, without names', async () => {
  const { base } = pair;
  const run = await startRun(base, TOGETHER);
  const stream = await read(eventsOf(base, run));
  assertWhole(stream, run);
  const told = await lineOf(run);
  const { spent } = stream.events.at(-1).data;
  assert.deepEqual([told.message, told.endedWith, told.endedBecause, told.state, told.hops], [
    'run ended', 'final', null, 'S6', 1,
  ]);
  assert.deepEqual(told.spent, spent);
  const { used } = told;
  assert.ok(used.rowsWritten > stream.events.length, `${used.rowsWritten} rows`);
  assert.ok(used.bytesWritten > stream.bytes.length, `${used.bytesWritten} bytes`);
  assert.ok(used.kvWrites >= 6 && used.memoryBytes > 1_000_000, JSON.stringify(used));
  await keptRecord(base, run);
  // Also not after somebody came back to it.
  await read(eventsOf(base, run));
  const lines = await linesOf(run);
  assert.equal(lines.length, 1, lines.join('\n'));
  for (const secret of [run, TOGETHER.a, TOGETHER.b]) assert.ok(!lines[0].includes(secret));
});

test('names are in the log where the operator wants them', async () => {
  const { base, example } = naming;
  const run = await startRun(base, example);
  await stopRun(base, run);
  const told = await lineOf(run);
  assert.deepEqual([told.endedWith, told.endedBecause], ['no_path', 'stopped']);
  assert.deepEqual(told.named, { token: run, personA: example.a, personB: example.b });
});

test('each run is a data point where the Worker has a dataset', async () => {
  const folder = await mkdtemp(join(STATE, 'dataset-'));
  const { base, stop } = await workerBeside({
    binding: 'ANALYTICS', entrypoint: 'Dataset', source: DATASET,
    settings: pair.settings, folder, ...logging,
  });
  try {
    const run = await startRun(base, TOGETHER);
    const { spent } = (await read(eventsOf(base, run))).events.at(-1).data;
    const point = await eventually('the data point', async () => {
      const log = await readFile(servicesLogPath, 'utf8');
      const line = log.split('\n').find((each) =>
        each.includes('data point') && each.includes(digestOf(run)));
      return line ? JSON.parse(line.slice(line.indexOf('{'))) : null;
    });
    assert.deepEqual(point.indexes, [digestOf(run)]);
    assert.deepEqual(point.blobs.slice(0, 4), ['final', '', 'S6', 'both-ends']);
    const line = await lineOf(run);
    const { rowsWritten, bytesWritten, kvWrites, memoryBytes } = line.used;
    assert.deepEqual(point.doubles, [
      spent.searchCalls, spent.rekognitionCalls, spent.llmCalls, spent.throttledCalls ?? 0,
      spent.usd, spent.runtimeMs, spent.photos.looked, 1,
      rowsWritten, bytesWritten, kvWrites, memoryBytes,
    ]);
  } finally {
    await stop();
  }
});

for (const name of ['staging', 'production']) {
  test(`${name} can be deployed as the guide says`, async () => {
    const bin = join(root, 'node_modules/.bin');
    // As npx does.
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    const args = ['deploy', '--env', name, '--dry-run'];
    const { stdout } = await promisify(execFile)(join(bin, 'wrangler'), args, {
      cwd: root, env, timeout: DRY_RUN_LIMIT_MS, maxBuffer: 1 << 24,
    });
    for (const binding of [/env\.KV\b/, /env\.RUNS \(RunObject/, /env\.BUDGET \(BudgetObject/,
      /env\.RATE_LIMITER \(6 requests\/60s\)/, /env\.ASSETS\b/]) {
      assert.match(stdout, binding);
    }
    const guide = await readFile(join(root, 'docs/deploy.md'), 'utf8');
    assert.ok(guide.includes('npx wrangler deploy --env staging --dry-run'));
  });
}
