// A deployment that is not set up yet, or lets only its operator start runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  assertProblem, assertWhole, calls, eventsOf, inBody, investigation, nobodies, ownSandbox,
  ownWorker, post, read, request, TOGETHER,
} from './support.mjs';

const TOKEN = 'the-operators-token';
// Commons, which needs no key, is asked where no other search is set.
const KEYS = ['CONTACT', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const WHO_MAY_START = 'OPERATOR_TOKEN (or PUBLIC=1, which lets everybody start runs)';

let sandbox = null;
let bare = null;
let closed = null;
let guarded = null;
let crowded = null;

/** More MCP servers than there may be. */
const SERVERS = Object.fromEntries(
  Array.from({ length: 21 }, (_, i) => [`s${i}`, `https://s${i}.example.org/mcp`]),
);

before(async () => {
  sandbox = await ownSandbox([]);
  const { settings } = sandbox;
  [bare, closed, guarded, crowded] = await Promise.all([
    ownWorker({ settings: {}, mayLack: true }),
    ownWorker({ settings, mayLack: true }),
    ownWorker({ settings: { ...settings, OPERATOR_TOKEN: TOKEN } }),
    ownWorker({
      settings: { ...settings, PUBLIC: '1', OPERATOR_TOKEN: TOKEN, MCP_SERVERS: JSON.stringify(SERVERS) },
      mayLack: true,
    }),
  ]);
});
after(() => Promise.all([sandbox, bare, closed, guarded, crowded].map((service) => service?.stop())));

test('without settings each missing one is named', async () => {
  assert.equal(bare.health.status, 'not_configured');
  assert.deepEqual(bare.health.missing, [...KEYS, WHO_MAY_START]);
  const problem = await assertProblem(await post(`${bare.base}/runs`, inBody(TOGETHER)), 503);
  assert.deepEqual(problem.missing, [...KEYS, WHO_MAY_START]);
  for (const name of KEYS) assert.ok(problem.detail.includes(name), problem.detail);
  // The page still comes; it shows what is missing.
  assert.equal((await request(`${bare.base}/`)).status, 200);
});

test('with keys nobody may start until the operator says who', async () => {
  assert.equal(closed.health.status, 'not_configured');
  assert.deepEqual(closed.health.missing, [WHO_MAY_START]);
  const problem = await assertProblem(await post(`${closed.base}/runs`, inBody(TOGETHER)), 503);
  assert.match(problem.detail, /OPERATOR_TOKEN/);
  assert.match(problem.detail, /PUBLIC=1/);
  await assertProblem(await request(investigation(closed.base, TOGETHER)), 503);
});

test('with a token only who has it may start; who has the run may watch', async () => {
  const pair = nobodies();
  const runs = `${guarded.base}/runs`;
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: TOKEN }]) {
    const answer = await post(runs, inBody(pair), headers);
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    await assertProblem(answer, 401);
  }
  await assertProblem(await request(investigation(guarded.base, pair)), 401);

  const authorization = `Bearer ${TOKEN}`;
  const answer = await post(runs, inBody(TOGETHER), { authorization });
  assert.equal(answer.status, 202);
  const { run } = await answer.json();
  assertWhole(await read(eventsOf(guarded.base, run)), run);
  const searches = (await calls(sandbox.listening, 'google')).map(({ key }) => key);
  assert.ok(searches.length > 0);
  assert.deepEqual(searches.filter((key) => key.includes(pair.a)), []);
});

test('what only workflows need refuses workflows alone, where it is wrong', async () => {
  const wrong = ['MCP_SERVERS (may name 20 servers at most)'];
  assert.equal(crowded.health.status, 'ok');
  assert.deepEqual(crowded.health.wrong, wrong);
  const authorization = `Bearer ${TOKEN}`;
  const id = (n) => `00000000-0000-4000-8000-00000000000${n}`;
  const call = {
    id: id(1), name: 'Call', node_type: { type: 'McpToolCall', tool_name: 'list_apps', arguments: {} },
    position: { x: 0, y: 0 }, enabled: true, retries: 0, trace_level: 'Minimal', checks: [],
  };
  const workflow = { id: id(0), name: 'w', nodes: [call], edges: [] };
  const problem = await assertProblem(await post(`${crowded.base}/runs`, { workflow }, { authorization }), 503);
  assert.deepEqual(problem.missing, wrong);
  // A search, and a workflow that calls no tool, are conducted all the same.
  const search = await (await post(`${crowded.base}/runs`, inBody(TOGETHER))).json();
  assertWhole(await read(eventsOf(crowded.base, search.run)), search.run);
  workflow.nodes[0] = { ...call, enabled: false };
  const without = await (await post(`${crowded.base}/runs`, { workflow }, { authorization })).json();
  const { events } = await read(eventsOf(crowded.base, without.run));
  assert.equal(events.at(-1).data.type, 'completed');
});

test('a replay needs the token, too, and who tries tokens has to wait', async () => {
  const address = `${guarded.base}/replay`;
  await assertProblem(await post(address, '{}'), 401);
  const authorization = `Bearer ${TOKEN}`;
  await assertProblem(await post(address, '{}', { authorization }), 400);

  // This address has given the right one: others behind it do not soon lock it out.
  let [answer, tries] = [null, 0];
  for (; tries < 60; tries += 1) {
    answer = await post(address, '{}', { authorization: `Bearer wrong ${tries}` });
    if (answer.status === 429) break;
    await assertProblem(answer, 401);
  }
  assert.ok(tries >= 40, `locked out after ${tries} wrong tokens`);
  const seconds = Number(answer.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  await assertProblem(answer, 429);
  // Now the right one is not looked at either; reading is not slowed.
  await assertProblem(await post(address, '{}', { authorization }), 429);
  assert.equal((await request(`${guarded.base}/health`)).status, 200);
});
