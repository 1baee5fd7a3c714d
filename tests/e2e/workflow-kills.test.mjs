// A workflow's run and what may go wrong around it: its server is killed, strangers ask, secrets stay.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Server } from './kills.mjs';
import {
  calls, created, endStarted, eventsOf, eventually, forgetCalls, ownSandbox, post, read, request, startedOne,
} from './support.mjs';

const TOKEN = 'the token of these tests has 40 characters';
const OPERATOR = { authorization: `Bearer ${TOKEN}` };
const SECRET = 'Bearer canary-2f61';
/** A chain takes seconds, and can be interrupted in the middle. */
const LATENCY = 'google=300,image=200,rekognition=400,gemini=300';
/** The server is killed while the run waits after a node. */
const SETTLE_MS = 400;

let sandbox = null;
let server = null;

before(async () => {
  sandbox = await startedOne(ownSandbox(['--latency', LATENCY]));
  const at = (query) => `${sandbox.listening}/mcp/desk${query}`;
  const servers = {
    desk: { url: at(''), headers: { Authorization: SECRET } },
    old: { url: at('?eras=legacy'), headers: { Authorization: SECRET } },
    silent: at('?fault=never@2'),
    pictures: `${sandbox.listening}/mcp/pictures?${faults('large-picture', 18)}`,
    anew: `${sandbox.listening}/mcp/anew?eras=legacy&fault=session-gone-text-400@1`,
  };
  const settings = {
    ...sandbox.settings, PUBLIC: '1', OPERATOR_TOKEN: TOKEN, MCP_SERVERS: JSON.stringify(servers),
    PUBLIC_WORKFLOWS: 'stored',
  };
  server = await startedOne(Server.start(settings));
});
after(endStarted);

/** The first calls of a server, each with this fault. */
function faults(kind, count) {
  return Array.from({ length: count }, (_, i) => `fault=${kind}@${i + 1}`).join('&');
}

test('pictures for which a run has no room are counted and told', async () => {
  const look = { type: 'McpToolCall', tool_name: 'list_apps', arguments: {} };
  const workflow = chain(...Array.from({ length: 18 }, (_, i) => [`Look ${i}`, look]));
  for (const node of workflow.nodes) node.settle_ms = null;
  const run = await start(workflow, ['pictures']);
  const all = await events(run);
  assert.equal(all.at(-1).type, 'completed', JSON.stringify(all.at(-1)));
  const results = all.filter(({ type }) => type === 'tool_result').map(({ payload }) => payload);
  assert.deepEqual(results.map(({ image_count: count }) => count), Array(18).fill(1));
  assert.deepEqual(results.map(({ images }) => images.length), [...Array(16).fill(1), 0, 0]);
  const warnings = all.filter(({ type }) => type === 'warning').map(({ payload }) => payload.message);
  assert.equal(warnings.length, 2);
  assert.match(warnings[0], /a picture of 1500000 bytes is not kept: a run keeps 25165824 bytes/);
});

test('a server that says in plain words that it lost the session is asked again in a new one', async () => {
  const look = { type: 'McpToolCall', tool_name: 'list_apps', arguments: {} };
  const run = await start(chain(['Look', look]), ['anew']);
  assert.equal((await events(run)).at(-1).type, 'completed');
});

const log = async () => (await request(`${sandbox.listening}/mcp/desk/log`)).json();
const forget = () => request(`${sandbox.listening}/mcp/desk/log`, { method: 'DELETE' });
const executed = async () => (await log()).map(({ tool, arguments: given }) => `${tool} ${given.text ?? ''}`.trim());

/** A graph of these nodes one after the other, with a pause after each. */
function chain(...types) {
  const nodes = types.map(([name, node_type]) => ({
    id: randomUUID(), name, node_type, position: { x: 0, y: 0 }, enabled: true, retries: 0,
    settle_ms: SETTLE_MS, trace_level: 'Minimal', checks: [],
  }));
  const edges = nodes.slice(1).map(({ id }, i) => ({ from: nodes[i].id, to: id, output: null }));
  return { id: randomUUID(), name: 'a chain', nodes, edges };
}

const field = ['Field', { type: 'Click', x: 140, y: 75, button: 'Left', click_count: 1 }];
const words = (text) => [`Words ${text}`, { type: 'TypeText', text }];
const start = async (workflow, servers) =>
  created(await post(`${server.base}/runs`, { workflow, servers }, OPERATOR));

/** The data of a run's events, to the last one or to as many as are enough. */
async function events(run, enough) {
  const { events: all } = await read(eventsOf(server.base, run), { enough, mayBreak: true });
  return all.map(({ data }) => data);
}

/** Waits until a node of this name was begun, and kills the server while it is at work. */
async function killAt(run, name) {
  await events(run, ({ data }) => data.type === 'node_started' && data.nodeName === name);
  await server.killAndRestart();
}

for (const name of ['desk', 'old']) {
  test(`killed twice, a workflow on ${name} goes on and calls nothing twice`, async () => {
    await forget();
    const run = await start(chain(field, words('one'), words('two'), words('three'), words('four')), [name]);
    // What comes before it has been called and answered, and its pause is over.
    await events(run, ({ data }) => data.type === 'tool_result' && data.nodeName === 'Words one');
    await server.killAndRestart();
    await events(run, ({ data }) => data.type === 'tool_result' && data.nodeName === 'Words three');
    await server.killAndRestart();
    const told = await events(run);
    assert.equal(told.at(-1).type, 'completed', JSON.stringify(told.at(-1)));
    assert.deepEqual(await executed(), ['click', 'type_text one', 'type_text two', 'type_text three', 'type_text four']);
    const begun = told.filter(({ type }) => type === 'node_started').map(({ nodeName }) => nodeName);
    assert.deepEqual(begun, ['Field', 'Words one', 'Words two', 'Words three', 'Words four']);
  });
}

test('killed while a call acts, it says that the outcome is unknown, and calls nothing more', async () => {
  await forget();
  const run = await start(chain(field, words('one'), words('two')), ['silent']);
  const isCalled = ({ data }) => data.type === 'tool_call' && data.nodeName === 'Words one';
  await events(run, isCalled);
  await killAt(run, 'Words one');
  const { type, payload } = (await events(run)).at(-1);
  assert.deepEqual([type, payload.reason], ['failed', 'unknown_outcome'], JSON.stringify(payload));
  assert.match(payload.message, /look at the server silent/);
  assert.equal((await executed()).includes('type_text two'), false);
});

/** A run that looks for the chain of the example, and has asked for some of it. */
async function investigating() {
  await forgetCalls(sandbox.listening);
  const nodes = [['Chain', { type: 'Investigation', ...sandbox.example }], ['Windows', { type: 'ListWindows' }]];
  const run = await start(chain(...nodes), ['desk']);
  await eventually('the investigation asks', async () => (await calls(sandbox.listening)).length >= 4);
  return run;
}

/** The run that an investigation was: told with its end, since it has its token only once it was begun. */
const childOf = (told) => told.filter(({ type, payload }) => type === 'investigation' && payload.run)
  .map(({ payload }) => payload.run);

test('killed while its investigation goes on, both go on, and it is begun once', async () => {
  const run = await investigating();
  await server.killAndRestart();
  const told = await events(run);
  assert.equal(told.at(-1).type, 'completed', JSON.stringify(told.at(-1)));
  assert.equal(told.find(({ payload }) => payload.variable === 'chain.found').payload.value, true);
  const children = childOf(told);
  assert.equal(children.length, 1, JSON.stringify(children));
  const { events: all } = await read(eventsOf(server.base, children[0]));
  assert.equal(all.at(-1).type, 'final');
});

test('a stop ends the investigation that it waits for, too', async () => {
  const run = await investigating();
  const stopped = await request(`${server.base}/runs/${run}/stop`, { method: 'POST', headers: OPERATOR });
  assert.equal(stopped.status, 202);
  const told = await events(run);
  assert.equal(told.at(-1).type, 'stopped', JSON.stringify(told.at(-1)));
  const { events: all } = await read(eventsOf(server.base, childOf(told)[0]));
  assert.equal(all.at(-1).data.reason, 'stopped', JSON.stringify(all.at(-1)));
});

test('a stranger may start what the operator has stored, and nothing else', async () => {
  const graph = chain(['Windows', { type: 'ListWindows' }]);
  assert.equal((await post(`${server.base}/runs`, { workflow: graph })).status, 403);
  const stored = `${server.base}/workflows/windows`;
  const put = await request(stored, { method: 'PUT', body: JSON.stringify(graph), headers: OPERATOR });
  assert.equal(put.status, 204);
  assert.equal((await post(`${server.base}/runs`, { workflow: 'windows', servers: ['silent'] })).status, 403);
  const run = await created(await post(`${server.base}/runs`, { workflow: 'windows' }));
  assert.equal((await events(run)).at(-1).type, 'completed');
  const changed = await post(`${server.base}/runs`, { fork: { run }, workflow: graph });
  assert.equal(changed.status, 403);
  assert.equal((await request(stored, { method: 'PUT', body: JSON.stringify(graph) })).status, 401);
});

test('a server’s secret is in nothing that is told or kept of a run', async () => {
  const run = await start(chain(['Windows', { type: 'ListWindows' }], field), ['old', 'desk']);
  assert.equal((await events(run)).at(-1).type, 'completed');
  const address = `${server.base}/runs/${run}`;
  const parts = await Promise.all([
    request(address, { headers: { accept: 'application/json' } }),
    request(`${address}/events`), request(`${address}/sealed`), request(`${address}/trace`),
    request(`${server.base}/workflows`), request(`${server.base}/health`),
  ]);
  for (const part of parts) {
    assert.equal(part.status, 200, part.url);
    const text = Buffer.from(await part.arrayBuffer()).toString('latin1');
    assert.equal(text.includes('canary'), false, part.url);
  }
});
