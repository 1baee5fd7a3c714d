// A workflow's run is deleted, and the runs that it began go with it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { whatIsKept } from './kept.mjs';
import {
  asCreator, assertProblem, created, eventsOf, eventually, ownPair, post, read, request, TOGETHER,
} from './support.mjs';

const TOKEN = 'an-operator-token-of-tests';
const OPERATOR = { authorization: `Bearer ${TOKEN}` };

let pair = null;

before(async () => {
  const latency = 'google=300,image=200,rekognition=400,gemini=300';
  pair = await ownPair(['--latency', latency], { OPERATOR_TOKEN: TOKEN, PUBLIC_WORKFLOWS: 'any' });
});
after(() => pair?.stop());

/** A graph of investigations, one after the other. */
function investigations(...pairs) {
  const nodes = pairs.map(({ a, b }, at) => ({
    id: randomUUID(), name: `Chain ${at + 1}`, node_type: { type: 'Investigation', a, b, options: {} },
    position: { x: 0, y: 0 }, enabled: true, retries: 0, trace_level: 'Minimal', checks: [],
  }));
  const edges = nodes.slice(1).map(({ id }, at) => ({ from: nodes[at].id, to: id, output: null }));
  return { id: randomUUID(), name: 'investigations', nodes, edges };
}

const start = async (...pairs) =>
  created(await post(`${pair.base}/runs`, { workflow: investigations(...pairs) }));

const remove = (run, headers = asCreator(run)) =>
  request(`${pair.base}/runs/${run}`, { method: 'DELETE', headers });

/** The tokens of the runs that a workflow's events name. */
const childrenOf = ({ events }) => {
  const told = events.filter(({ type }) => type === 'investigation').map(({ data }) => data.payload.run);
  return [...new Set(told.filter(Boolean))];
};

async function assertGone(run) {
  for (const path of ['', '/sealed', '/events']) {
    await assertProblem(await request(`${pair.base}/runs/${run}${path}`), 410);
  }
  const { documents } = await whatIsKept(pair.worker.folder);
  const id = run.split('.')[1];
  assert.deepEqual(documents.filter(({ key }) => key.includes(id)), []);
}

test('runs that have ended go with the workflow that began them, and so does what was published', async () => {
  const run = await start(TOGETHER, { a: TOGETHER.b, b: TOGETHER.a });
  const children = childrenOf(await read(eventsOf(pair.base, run)));
  assert.equal(children.length, 2);
  const published = await request(`${pair.base}/runs/${children[0]}/publish`, {
    method: 'POST', headers: asCreator(run),
  });
  assert.equal(published.status, 201);
  const { chain } = await published.json();
  const answer = await remove(run);
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { deleted: 3, pending: 0 });
  for (const gone of [run, ...children]) await assertGone(gone);
  await assertProblem(await request(`${pair.base}${chain}`), 404);
  await assertProblem(await remove(run), 410);
});

test('a run that is under way spends no more once its workflow is deleted', async () => {
  const run = await start(pair.example);
  const child = await eventually('the investigation begins', async () => {
    const record = await (await request(`${pair.base}/runs/${run}/trace`)).text();
    const token = /"run":"([\w-]+\.[\w-]{22})"/.exec(record)?.[1];
    return token && (await request(`${pair.base}/runs/${token}`)).status === 200 ? token : null;
  });
  const answer = await remove(run);
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { deleted: 2, pending: 0 });
  await assertGone(child);
  const log = async () => (await (await request(`${pair.sandbox.listening}/calls`)).json()).length;
  const calls = await log();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal(await log(), calls);
});

test('the operator deletes a workflow with its runs, a stranger neither', async () => {
  const run = await start(TOGETHER);
  const [child] = childrenOf(await read(eventsOf(pair.base, run)));
  await assertProblem(await remove(run, {}), 403);
  assert.equal((await request(`${pair.base}/runs/${child}/sealed`)).status, 200);
  const answer = await remove(run, OPERATOR);
  assert.deepEqual(await answer.json(), { deleted: 2, pending: 0 });
  await assertGone(child);
});
