// A workflow in a real Worker: the example that fills a form, its stream, record, sealed file, trace
// and fork; what is refused; stored workflows; a stop.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from '../../scripts/places.mjs';
import {
  asCreator, created, eventsOf, keptRecord, ownPair, post, read, request, stopRun,
} from './support.mjs';

const TOKEN = 'the token of these tests has 40 characters';
const OPERATOR = { authorization: `Bearer ${TOKEN}` };
const LAST = ['completed', 'failed', 'stopped'];

let pair = null;
let example = null;
let run = null;
let whole = null;

before(async () => {
  pair = await ownPair([], { OPERATOR_TOKEN: TOKEN });
  const text = await readFile(join(root, 'public', 'example-workflow.json'), 'utf8');
  example = JSON.parse(text);
  const { node_type: chain } = example.nodes.find(({ node_type }) => node_type.type === 'Investigation');
  Object.assign(chain, pair.example);
  run = await start({ workflow: example });
  whole = await events(run);
});
after(() => pair?.stop());

const start = async (body, headers) => created(await post(`${pair.base}/runs`, body, headers));
const desk = (path = '/log') => `${pair.sandbox.listening}/mcp/desk${path}`;
const log = async () => (await request(desk())).json();

/** The events of a workflow's run, to the last one. */
async function events(token, options = {}) {
  const { events: all } = await read(eventsOf(pair.base, token), options);
  return all.map(({ data }) => data);
}

const toolCalls = (told) => told.filter(({ type }) => type === 'tool_call').map(({ payload }) => payload.name);

/** A graph of these nodes one after the other. */
function chain(...types) {
  const nodes = types.map(([name, node_type]) => ({
    id: randomUUID(), name, node_type, position: { x: 0, y: 0 }, enabled: true, retries: 0,
    trace_level: 'Minimal', checks: [],
  }));
  const edges = nodes.slice(1).map(({ id }, i) => ({ from: nodes[i].id, to: id, output: null }));
  return { id: randomUUID(), name: 'a chain', nodes, edges };
}

test('the example fills the form, loops, branches and finds the chain', async () => {
  const last = whole.at(-1);
  assert.equal(last.type, 'completed', JSON.stringify(whole.slice(-5)));
  const kinds = new Set(whole.map(({ type }) => type));
  for (const kind of ['loop_iteration', 'branch_evaluated', 'investigation', 'variable_set', 'check_evaluated']) {
    assert.ok(kinds.has(kind), kind);
  }
  const typed = (await log()).filter(({ tool }) => tool === 'type_text').map((call) => call.arguments.text);
  assert.deepEqual(typed, ['Pencils', '12.5', 'Pencils', '12.5', 'a chain was found']);
  const found = whole.find(({ payload }) => payload.variable === 'chain.found');
  assert.equal(found.payload.value, true);
  assert.ok(last.payload.spent.usd > 0);
});

test('the chain was found by a run of its own, with the same creator', async () => {
  const told = whole.filter(({ type }) => type === 'investigation').at(-1);
  const child = told.payload.run;
  const record = await keptRecord(pair.base, child);
  assert.equal(record.meta.endedWith, 'final');
  const removed = await request(`${pair.base}/runs/${child}`, { method: 'DELETE', headers: asCreator(run) });
  assert.equal(removed.status, 204);
});

test('its record holds the graph, and a browser is led to the page', async () => {
  const address = `${pair.base}/runs/${run}`;
  const record = await (await request(address, { headers: { accept: 'application/json' } })).json();
  assert.deepEqual([record.engine, record.status, record.workflow], ['workflow', 'completed', example]);
  const page = await request(address, { headers: { accept: 'text/html' }, redirect: 'manual' });
  assert.deepEqual([page.status, page.headers.get('location')], [303, `/workflow?run=${run}`]);
});

test('its sealed file is executed again to the byte, without a server', async () => {
  const before = (await log()).length;
  const text = await (await request(`${pair.base}/runs/${run}/sealed`)).text();
  const report = await (await post(`${pair.base}/replay`, text)).json();
  assert.equal(report.result, 'identical', JSON.stringify(report));
  assert.equal(report.events, whole.length);
  assert.equal((await log()).length, before);
  const changed = await (await post(`${pair.base}/replay`, text.replace('Pencils, 12.5', 'Pencils, 12.6'))).json();
  assert.notEqual(changed.result, 'identical');
});

test('its trace is the folder that the original writes', async () => {
  const answer = await request(`${pair.base}/runs/${run}/trace`);
  assert.equal(answer.headers.get('content-type'), 'application/x-tar');
  const files = untar(Buffer.from(await answer.arrayBuffer()));
  const names = [...files.keys()].map((path) => path.split('/').slice(2).join('/'));
  for (const name of ['workflow.json', 'events.jsonl', 'name_field/run.json', 'name_field/events.jsonl', 'what_it_looks_like/verdict.json']) {
    assert.ok(names.includes(name), `${name} of ${names}`);
  }
  const picture = [...files].find(([path]) => path.endsWith('.png'));
  assert.equal(picture[1].subarray(1, 4).toString(), 'PNG');
  assert.equal((await request(`${pair.base}/runs/${run}/trace`, { method: 'HEAD' })).status, 200);
});

/** The files of a tar archive. */
function untar(bytes) {
  const files = new Map();
  let longName = null;
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
    const text = (from, length) => bytes.subarray(at + from, at + from + length).toString().replace(/\0.*$/s, '');
    const size = parseInt(text(124, 12), 8);
    const content = bytes.subarray(at + 512, at + 512 + size);
    if (text(156, 1) === 'L') longName = content.toString().replace(/\0.*$/s, '');
    else {
      files.set(longName ?? text(0, 100), content);
      longName = null;
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

test('a fork from a node makes no call before it again', async () => {
  const node = example.nodes.find(({ name }) => name === 'Open the notes').id;
  const before = (await log()).length;
  const fork = await start({ fork: { run, node } }, asCreator(run));
  const told = await events(fork);
  assert.equal(told.at(-1).type, 'completed', JSON.stringify(told.at(-1)));
  const made = (await log()).slice(before).map(({ tool }) => tool);
  assert.deepEqual(made, ['list_apps', 'list_windows', 'focus_window', 'find_text', 'click', 'type_text']);
  assert.deepEqual(toolCalls(told), toolCalls(whole));
  const files = untar(Buffer.from(await (await request(`${pair.base}/runs/${fork}/trace`)).arrayBuffer()));
  const pictures = (all) => [...all].filter(([path]) => path.endsWith('.png')).map(([, bytes]) => bytes.length);
  assert.ok(pictures(files).length > 0, 'the pictures of answers that it has from the run are there');
  const refused = await post(`${pair.base}/runs`, { fork: { run, node } });
  assert.equal(refused.status, 403);
});

test('what cannot be executed is refused, with what it is about', async () => {
  const circle = chain(['One', { type: 'ListWindows' }], ['Two', { type: 'ListWindows' }]);
  circle.edges.push({ from: circle.nodes[0].id, to: circle.nodes[1].id, output: null });
  const refused = await post(`${pair.base}/runs`, { workflow: circle });
  assert.equal(refused.status, 409);
  const problem = await refused.json();
  assert.deepEqual(problem.finding, { kind: 'MultipleOutgoingEdges', about: ['One'] });
  for (const [body, status, field] of [
    [{ workflow: {} }, 400, 'workflow'],
    [{ workflow: chain(['One', { type: 'Dream' }]) }, 400, 'workflow'],
    [{ workflow: chain(['One', { type: 'ListWindows' }]), servers: ['nobody'] }, 409, 'servers'],
    [{ workflow: chain(['One', { type: 'ListWindows' }]), options: { steps: 0 } }, 400, 'steps'],
    [{ workflow: 'nothing' }, 404, 'workflow'],
    [{ workflow: 'x', personA: 'Somebody' }, 400, 'personA'],
  ]) {
    const answer = await post(`${pair.base}/runs`, body);
    assert.deepEqual([answer.status, (await answer.json()).field], [status, field], JSON.stringify(body).slice(0, 200));
  }
  const large = await post(`${pair.base}/runs`, { workflow: { name: 'x'.repeat(1_600_000) } });
  assert.equal(large.status, 413);
});

test('the operator stores workflows, and they are started by name', async () => {
  const stored = `${pair.base}/workflows/windows`;
  const graph = JSON.stringify(chain(['Windows', { type: 'ListWindows' }]));
  const put = (headers) => request(stored, { method: 'PUT', body: graph, headers });
  assert.equal((await put({})).status, 401);
  assert.equal((await put(OPERATOR)).status, 204);
  const list = await (await request(`${pair.base}/workflows`)).json();
  assert.deepEqual(list, { workflows: [{ name: 'windows', nodes: 1 }], servers: [{ name: 'desk' }], startedBy: 'any' });
  assert.deepEqual(await (await request(stored)).json(), JSON.parse(graph));
  const told = await events(await start({ workflow: 'windows' }));
  assert.deepEqual([told.at(-1).type, toolCalls(told)], ['completed', ['list_windows']]);
  assert.equal((await request(stored, { method: 'DELETE' })).status, 401);
  assert.equal((await request(stored, { method: 'DELETE', headers: OPERATOR })).status, 204);
  assert.equal((await request(stored)).status, 404);
});

test('a stop ends a loop that never would', async () => {
  const graph = chain(['Again', {
    type: 'Loop', max_iterations: 100_000,
    exit_condition: {
      left: { type: 'Variable', name: 'look.found' }, operator: 'Equals',
      right: { type: 'Literal', value: { type: 'Bool', value: false } },
    },
  }], ['Look', { type: 'FindText', search_text: 'Name', match_mode: 'Contains' }]);
  const [loop, look] = graph.nodes;
  const end = { ...look, id: randomUUID(), name: 'End', node_type: { type: 'EndLoop', loop_id: loop.id } };
  graph.nodes.push(end);
  graph.edges = [
    { from: loop.id, to: look.id, output: { type: 'LoopBody' } }, { from: look.id, to: end.id, output: null },
    { from: end.id, to: loop.id, output: null },
  ];
  const token = await start({ workflow: graph });
  const told = [];
  await read(eventsOf(pair.base, token), {
    enough: ({ data }) => LAST.includes(data.type),
    onEvent: ({ data }) => {
      told.push(data);
      if (told.length === 30) void stopRun(pair.base, token);
    },
  });
  assert.equal(told.at(-1).type, 'stopped');
});
