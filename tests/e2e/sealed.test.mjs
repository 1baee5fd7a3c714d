// A run as one file: sealed, executed again, forged; and a fork that pays only for what is new.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { root } from '../../scripts/places.mjs';
import {
  asCreator, assertProblem, assertWhole, calls, created, eventsOf, forgetCalls, keptRecord, ownPair,
  post, read, request, startRun, STATE,
} from './support.mjs';

const KEY = 'only these tests have this key of 32 characters';
/** Built before these tests (scripts/steps.mjs). */
const REPLAY = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug', 'replay');
const UNKNOWN_RUN = 's1.AAAAAAAAAAAAAAAAAAAAAA';

let pair = null;
let whole = null;
let run = null;

before(async () => {
  pair = await ownPair([], { SEAL_KEY: KEY });
  run = await startRun(pair.base, pair.example);
  whole = await read(eventsOf(pair.base, run));
});
after(() => pair?.stop());

const sealedOf = (token) => request(`${pair.base}/runs/${token}/sealed`);

async function replayed(file) {
  const answer = await post(`${pair.base}/replay`, file);
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

test('a sealed run is what was streamed, and executed again it is identical', async () => {
  const answer = await sealedOf(run);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  assert.match(answer.headers.get('content-disposition'), /attachment; filename="[\w.-]+\.json"/);
  const text = await answer.text();
  const file = JSON.parse(text);
  assert.equal(file.format, 'visual-degrees sealed run');
  assert.deepEqual(file.body.events, whole.events.map(({ data }) => data));
  assert.ok(file.body.decisions.length > 0);
  assert.ok(!text.includes('sandbox-'), 'a key in a sealed file');

  await forgetCalls(pair.sandbox.listening);
  // As it came, and as JavaScript writes it.
  for (const body of [text, JSON.stringify(file), JSON.stringify(file, null, 2)]) {
    const report = await replayed(body);
    assert.equal(report.result, 'identical', report.says);
    assert.equal(report.origin, 'this_server');
    assert.equal(report.digest.stated, file.digest);
    assert.equal(report.events, whole.events.length);
  }
  assert.deepEqual(await calls(pair.sandbox.listening), [], 'a replay asked a provider');
});

test('the program on the command line says the same', async () => {
  const path = join(STATE, 'sealed.json');
  await writeFile(path, await (await sealedOf(run)).text());
  const env = { ...process.env, SEAL_KEY: KEY };
  const { stdout } = await promisify(execFile)(REPLAY, [path], { env });
  const report = JSON.parse(stdout);
  assert.deepEqual([report.result, report.origin], ['identical', 'this_server']);
});

test('what was changed after sealing is found and shown', async () => {
  const file = await (await sealedOf(run)).json();
  file.body.events[3].message = 'Trust me.';
  const report = await replayed(JSON.stringify(file));
  assert.equal(report.result, 'different');
  assert.equal(report.origin, 'not_this_server');
  assert.equal(report.digest.matches, false);
  const { in: where, number, sealed, replayed: again } = report.difference;
  assert.deepEqual([where, number, sealed.message], ['event', 4, 'Trust me.']);
  assert.deepEqual(again, whole.events[3].data);
});

/**
 * A server may answer and close while the body is on its way, which a client may take amiss; so may what
 * stands before the Worker here, which is a client of it and tells 500 then.
 */
async function answered(send, tries = 3) {
  try {
    const answer = await send();
    if (answer.status !== 500 || tries === 1) return answer;
  } catch (error) {
    if (tries === 1) throw error;
  }
  return answered(send, tries - 1);
}

test('what is no sealed run is refused, and so is a run that goes on or is not there', async () => {
  for (const body of ['', '{', '[]', '{"format":"something else","version":1}', '\u0000']) {
    await assertProblem(await post(`${pair.base}/replay`, body), 400);
  }
  const huge = `"${'x'.repeat(8 * 1024 * 1024)}"`;
  await assertProblem(await answered(() => post(`${pair.base}/replay`, huge)), 413);
  await assertProblem(await request(`${pair.base}/replay`), 405);
  await assertProblem(await sealedOf(UNKNOWN_RUN), 404);
  const slow = await ownPair(['--latency', 'google=3000']);
  try {
    const running = await startRun(slow.base, slow.example);
    const early = await request(`${slow.base}/runs/${running}/sealed`);
    await assertProblem(early, 409);
  } finally {
    await slow.stop();
  }
});

test('a fork pays only for what is new, and its record says which was which', async () => {
  const { base, sandbox, example } = pair;
  const first = await startRun(base, example, { searches: 1 });
  const short = await read(eventsOf(base, first));
  assert.equal(short.events.at(-1).data.reason, 'search_budget');
  const paid = (await keptRecord(base, first)).calls.filter(({ state }) => state === 'answered');

  await forgetCalls(sandbox.listening);
  const fork = { run: first, options: { searches: 20, avoid: ['Nobody At All'] } };
  const forked = await created(await post(`${base}/runs`, { fork }, asCreator(first)));
  assert.notEqual(forked, first);
  const stream = await read(eventsOf(base, forked));
  assertWhole(stream, forked);
  const last = stream.events.at(-1);
  assert.equal(last.type, 'final');
  const made = (await calls(sandbox.listening)).filter(({ provider }) => provider !== 'image');
  const record = await keptRecord(base, forked);
  assert.equal(record.meta.forkedFrom, first);
  const of = (state) => record.calls.filter((call) => call.state === state);
  const known = new Set(paid.map(({ key }) => key));
  assert.ok(of('reused').length > 0 && of('reused').every(({ key }) => known.has(key)));
  assert.ok(of('answered').every(({ key }) => !known.has(key)), 'paid for twice');
  // What was under way at the end has reached its provider or not; it counts all the same.
  const [answered, withdrawn] = ['answered', 'withdrawn'].map((state) => of(state).length);
  assert.ok(made.length >= answered && made.length <= answered + withdrawn, `${made.length}`);
  const { searchCalls, rekognitionCalls, llmCalls } = last.data.spent;
  assert.equal(searchCalls + rekognitionCalls + llmCalls, answered + withdrawn);
  assert.equal(record.meta.reused.searchCalls, 1);

  const report = await replayed(await (await sealedOf(forked)).text());
  assert.equal(report.result, 'identical', report.says);
});

test('a fork of nothing, or with a wrong option, is refused and costs nothing', async () => {
  const { base, sandbox } = pair;
  await forgetCalls(sandbox.listening);
  await assertProblem(await post(`${base}/runs`, { fork: { run: UNKNOWN_RUN } }), 404);
  const wrong = await post(`${base}/runs`, { fork: { run, options: { hops: 9 } } }, asCreator(run));
  assert.equal((await assertProblem(wrong, 400)).field, 'hops');
  const somebody = { fork: { run }, personA: 'Somebody Else' };
  const mixed = await post(`${base}/runs`, somebody, asCreator(run));
  assert.equal((await assertProblem(mixed, 409)).field, 'personA');
  assert.deepEqual(await calls(sandbox.listening), []);
});
