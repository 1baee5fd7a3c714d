// One run of a workflow as its page follows it: the record that comes late, the stream, the end, the start.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { Problem, token } from '../../public/api.js';
import { Starter } from '../../public/run-page/starter.js';
import { WorkflowRun } from '../../public/workflow/run.js';

globalThis.location ??= { href: 'https://vd.example/workflow' };
const recorded = JSON.parse(await readFile(new URL('orders-run.json', import.meta.url), 'utf8'));
const RUN = `s1.${'A'.repeat(22)}`;
const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** A stream of these events, which then ends. */
const streamed = (events) => {
  const told = events.map((event, i) => `id: ${RUN}.${i + 1}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return new Response(told.join(''), { headers: { 'Content-Type': 'text/event-stream' } });
};

/** A request that nobody answers, until it is given up: one that went on would keep this program waiting. */
const unanswered = (_, { signal }) => new Promise((_, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason));
});

const server = (more = {}) => ({
  isOwn: () => true,
  keptRun: async () => ({ workflow: recorded.workflow, dialect: 'strict', servers: ['desk'], status: 'running' }),
  streamStatus: async () => 404,
  eventsOf: () => 'https://vd.example/runs/x/events',
  ...more,
});

async function until(holds) {
  for (let left = 200; left > 0; left -= 1) {
    if (holds()) return;
    await wait(10);
  }
  assert.fail('it never came');
}

test('a shared run: its graph by the record, its state by the stream, drawn seldom', async (t) => {
  let streams = 0;
  t.mock.method(globalThis, 'fetch', async () => {
    streams += 1;
    return streamed(recorded.completed);
  });
  let draws = 0;
  const run = new WorkflowRun(() => { draws += 1; });
  await run.open(server(), RUN);
  await until(() => run.state.phase === 'ended');
  assert.equal(run.graph.nodes.length, 10);
  assert.deepEqual(run.state.kept, { dialect: 'strict', servers: ['desk'], status: 'running' });
  assert.equal(run.state.outcome.kind, 'completed');
  assert.equal(run.state.events, recorded.completed.length);
  assert.ok(draws < 12, `${draws} draws of ${recorded.completed.length} events`);
  await wait(1_200);
  assert.equal(streams, 1, 'after the last word nobody asks again');
});

test('a record that is not there yet is asked for again', async (t) => {
  t.mock.method(globalThis, 'fetch', unanswered);
  let asked = 0;
  const keptRun = async () => {
    asked += 1;
    if (asked === 1) throw new Problem(404);
    return { workflow: recorded.workflow };
  };
  const run = new WorkflowRun(() => {});
  run.expect(null);
  run.begin(server({ keptRun }), RUN);
  await until(() => run.graph !== null);
  assert.equal(asked, 2);
  run.close();
});

test('what is no token, what never was and what is over are told apart', async () => {
  const why = async (named, status) => {
    const run = new WorkflowRun(() => {});
    await run.open(server({ keptRun: async () => { throw new Problem(status); } }), named);
    return run.state.outcome?.why;
  };
  assert.equal(await why('nothing', 404), 'address');
  assert.equal(await why(RUN, 404), 'unknown');
  assert.equal(await why(RUN, 410), 'expired');
});

test('what comes for an earlier run is too late', async (t) => {
  t.mock.method(globalThis, 'fetch', unanswered);
  let answer = null;
  const keptRun = () => new Promise((resolve) => { answer = resolve; });
  const run = new WorkflowRun(() => {});
  const opened = run.open(server({ keptRun }), RUN);
  run.clear();
  answer({ workflow: recorded.workflow });
  await opened;
  assert.deepEqual([run.graph, run.state.phase], [null, 'idle']);
});

test('a stop that is refused is told, and the button works again', async (t) => {
  t.mock.method(globalThis, 'fetch', unanswered);
  const run = new WorkflowRun(() => {});
  run.expect(null);
  run.begin(server({ stopRun: async () => { throw new Problem(403); } }), RUN);
  await assert.rejects(run.stop(), { status: 403 });
  assert.equal(run.state.isStopping, false);
  run.close();
});

test('a lost answer is asked for again with its key; a refused question has another one', async () => {
  const keys = [];
  const human = { token: async () => 'h', renew: () => {} };
  const answers = [new Problem(0), new Problem(400), RUN];
  const createRun = async (_, key) => {
    keys.push(key);
    const answer = answers.shift();
    if (answer instanceof Problem) throw answer;
    return answer;
  };
  const starter = new Starter({ createRun }, human);
  await assert.rejects(starter.start({ workflow: 'orders' }), { status: 0 });
  await assert.rejects(starter.start({ workflow: 'orders' }), { status: 400 });
  assert.equal(await starter.start({ workflow: 'orders' }), RUN);
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[1], keys[2]);
  assert.equal(token.get(), '');
});
