// Assistants: the MCP server in both eras, over real HTTP.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  assertNeverSearched, BASE, calls, eventsOf, eventually, forgetCalls, nobodies, post, read, request,
  SANDBOX, startRun, TOGETHER,
} from './support.mjs';
import {
  answered, ask, assertAsPromised, call, messagesOf, nextId, postMessage, Session, toolsOf,
} from './tools.mjs';

const FAR = { a: 'Lucy Westenra', b: 'Natasha Rostova' };
let tools = [];

before(async () => {
  tools = await toolsOf(BASE);
});

const structured = ({ result }) => result.structuredContent;

test('the tools are listed, each with what it takes and gives', () => {
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['find_chain', 'get_run', 'stop_run', 'check_chain', 'who_is'],
  );
  const ajv = new Ajv2020({ strict: false });
  for (const { inputSchema, outputSchema, description } of tools) {
    assert.ok(ajv.validateSchema(inputSchema) && ajv.validateSchema(outputSchema));
    assert.ok(description.length > 100);
  }
});

test('a chain is found: progress first, then people, photos and what it cost', async () => {
  const found = await call(BASE, 'find_chain', FAR, { told: true });
  assert.ok(found.progress.length > 5);
  const numbers = found.progress.map(({ progress }) => progress);
  assert.deepEqual(numbers, [...new Set(numbers)].sort((one, other) => one - other));
  assertAsPromised(tools, 'find_chain', found.result);
  const answer = structured(found);
  assert.equal(answer.state, 'found');
  assert.deepEqual([answer.people[0].name, answer.people.at(-1).name], [FAR.a, FAR.b]);
  assert.equal(answer.links.length, answer.people.length - 1);
  for (const { photo, confidence } of answer.links) {
    assert.equal(photo.faces.length, 2);
    const lowest = Math.min(...photo.faces.map((face) => face.confidence));
    assert.ok(Math.abs(lowest - confidence) < 0.001);
    assert.equal((await request(photo.imageUrl)).status, 200);
  }
  // Whoever is between them may have no number, as most people.
  for (const { wikidata } of [answer.people[0], answer.people.at(-1)]) assert.match(wikidata, /^Q\d+$/);
  for (const { wikidata } of answer.people) assert.match(wikidata ?? 'Q1', /^Q\d+$/);
  const lowest = Math.min(...answer.links.map(({ confidence }) => confidence));
  assert.equal(answer.weakest.confidence, lowest);
  assert.ok(JSON.stringify(found.result).length < 20_000);
  assert.match(found.result.content[0].text, /^A chain of \d links was found/);
  const page = await request(answer.address, { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /Lucy Westenra/);
});

test('a run by find_chain costs what the same run costs by POST /runs', async () => {
  const options = { pace: 'frugal' };
  await forgetCalls(SANDBOX);
  const run = await startRun(BASE, FAR, options);
  await read(eventsOf(BASE, run));
  const byPost = (await calls(SANDBOX)).map(({ provider, key }) => [provider, key]);
  await forgetCalls(SANDBOX);
  await call(BASE, 'find_chain', { ...FAR, ...options }, { told: true });
  const byTool = (await calls(SANDBOX)).map(({ provider, key }) => [provider, key]);
  assert.ok(byPost.length > 5);
  assert.deepEqual(byTool, byPost);
});

test('the same call is not doubled: at the same time, and a moment later', async () => {
  const pair = nobodies();
  const args = { ...pair, searches: 2 };
  const [one, other] = await Promise.all([call(BASE, 'find_chain', args), call(BASE, 'find_chain', args)]);
  const later = await call(BASE, 'find_chain', { ...args, waitMs: 1_000 });
  const runs = [one, other, later].map((found) => structured(found).run);
  assert.equal(new Set(runs).size, 1, runs.join(' '));
  const another = await call(BASE, 'find_chain', { ...args, searches: 3 });
  assert.notEqual(structured(another).run, runs[0]);
  const key = (value) => ({ headers: { 'idempotency-key': value } });
  const own = nobodies();
  const first = await call(BASE, 'find_chain', { ...own, waitMs: 0 }, key('k-1'));
  const again = await call(BASE, 'find_chain', { ...own, waitMs: 0 }, key('k-1'));
  const fresh = await call(BASE, 'find_chain', { ...own, waitMs: 0 }, key('k-2'));
  assert.equal(structured(first).run, structured(again).run);
  assert.notEqual(structured(first).run, structured(fresh).run);
  const conflict = await call(BASE, 'find_chain', { ...nobodies() }, key('k-1'));
  assert.ok(conflict.result.isError && /Idempotency-Key/.test(conflict.result.content[0].text));
});

test('a disconnect does not stop a run', async () => {
  const pair = nobodies();
  const answer = await ask(BASE, 'tools/call', { name: 'find_chain', arguments: pair }, { told: true });
  await messagesOf(answer, () => true);
  const again = await call(BASE, 'find_chain', pair, { told: true });
  assert.equal(structured(again).state, 'not_found');
  assert.notEqual(structured(again).reason, 'stopped');
});

test('in a session a call is taken up where its stream broke', async () => {
  for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
    const session = await Session.open(BASE, version);
    assert.equal(session.result.protocolVersion, version);
    const params = { name: 'find_chain', arguments: FAR, _meta: { progressToken: 'p' } };
    const id = nextId();
    const broken = await messagesOf(await session.ask('tools/call', params, id), () => true);
    const rest = await answered(await session.resume(broken.events.at(-1).id));
    assert.equal(rest.id, id);
    assert.equal(structured(rest).state, 'found');
    const told = [broken.messages[0].params.progress, ...rest.progress.map(({ progress }) => progress)];
    assert.deepEqual(told, [...new Set(told)], 'no progress is told twice');
    assert.equal((await session.close()).status, 204);
    assert.equal((await session.ask('ping')).status, 404);
  }
});

test('a published chain is checked, and one that is not there is not', async () => {
  const run = await startRun(BASE, TOGETHER);
  await read(eventsOf(BASE, run));
  const { secret, run: own } = await (await post(`${BASE}/runs`, { personA: TOGETHER.a, personB: TOGETHER.b })).json();
  await read(eventsOf(BASE, own));
  const published = await eventually('publishing', async () => {
    const answer = await post(`${BASE}/runs/${own}/publish`, {}, { 'run-secret': secret });
    return answer.status === 201 ? answer.json() : null;
  });
  const checked = await call(BASE, 'check_chain', { chain: `${BASE}${published.chain}` });
  assertAsPromised(tools, 'check_chain', checked.result);
  const answer = structured(checked);
  assert.deepEqual([answer.isGenuine, answer.state, answer.digest], [true, 'found', published.digest]);
  assert.match(checked.result.content[0].text, /^The file is what it claims/);
  const byPath = await call(BASE, 'check_chain', { chain: published.chain });
  assert.equal(structured(byPath).isGenuine, true, 'as publishing answers it');
  const missing = await call(BASE, 'check_chain', { chain: 'ab'.repeat(32) });
  assert.ok(missing.result.isError);
  const foreign = await call(BASE, 'check_chain', { chain: `https://other.example/chains/${published.digest}` });
  assert.ok(foreign.result.isError);
});

test('a name is told with its numbers', async () => {
  const found = await call(BASE, 'who_is', { name: 'Lucy W' });
  assertAsPromised(tools, 'who_is', found.result);
  assert.equal(structured(found).people[0].label, 'Lucy Westenra');
  const nobody = await call(BASE, 'who_is', { name: 'Zzyzx Qqq' });
  assert.deepEqual(structured(nobody).people, []);
});

test('whoever did not begin a run is told how it is stopped, in the words of the tool', async () => {
  const { run, secret } = structured(await call(BASE, 'find_chain', { ...nobodies(), waitMs: 0 }));
  const { result } = await call(BASE, 'stop_run', { run, secret: 'wrong' });
  assert.ok(result.isError && /the argument secret/.test(result.content[0].text), result.content[0].text);
  assert.doesNotMatch(result.content[0].text, /Run-Secret|POST/);
  const stopped = await call(BASE, 'stop_run', { run, secret });
  assert.equal(structured(stopped).state, 'stopping');
});

test('what is wrong is told in a way that can be mended', async () => {
  for (const [name, args, word] of [
    ['find_chain', { a: 'Ann' }, '“b” is missing'],
    ['find_chain', { a: 'Ann', b: 'Bob', hops: 9 }, '“hops”'],
    ['find_chain', { a: 'Ann', b: 'Bob', who: 1 }, '“who” is not a known option'],
    ['find_chain', { a: 'Ann', b: 'Bob', waitMs: -1 }, '“waitMs”'],
    ['get_run', { run: 'x' }, '“run” is no run’s token'.replace('’', '\'')],
    ['who_is', {}, '“name” is missing'],
    ['who_is', { name: 'x' }, '“name” must be a name'],
    ['find_chain', { a: 'Ann', b: 'Bob', pace: 'slow' }, '“pace”'],
    ['get_run', { run: 's1.AAAAAAAAAAAAAAAAAAAAAA' }, 'call that tool again'],
    ['stop_run', { run: 's1.AAAAAAAAAAAAAAAAAAAAAA' }, 'call that tool again'],
    ['check_chain', { chain: 'x' }, '/chains/DIGEST'],
  ]) {
    const { result } = await call(BASE, name, args);
    assert.ok(result.isError, name);
    assert.ok(result.content[0].text.includes(word), result.content[0].text);
    assert.equal(result.structuredContent, undefined);
    assert.doesNotMatch(result.content[0].text, /Run-Secret|POST |GET /);
  }
  const unknown = await call(BASE, 'nothing', {});
  assert.equal(unknown.error.code, -32602);
});

test('hostile messages and forged origins and sessions begin nothing', async () => {
  const pair = nobodies();
  const params = { name: 'find_chain', arguments: pair };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const refused = [
    [body, {}],
    [[body], {}],
    [{ ...body, id: null }, { 'mcp-protocol-version': '2026-07-28' }],
    [body, { 'mcp-session-id': 'forged' }],
    [body, { 'mcp-session-id': 'A'.repeat(32), 'mcp-protocol-version': '2025-11-25' }],
    [body, { origin: 'https://evil.example', 'mcp-session-id': 'x' }],
    [body, { 'sec-fetch-site': 'cross-site' }],
    ['{', {}],
    ['['.repeat(100_000), {}],
    [JSON.stringify({ ...body, params: { ...params, pad: 'x'.repeat(600_000) } }), {}],
  ];
  for (const [message, headers] of refused) {
    const answer = await postMessage(BASE, message, headers);
    assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${JSON.stringify(headers)}`);
    await answer.text();
  }
  for (const [headers, status] of [[{ origin: 'https://evil.example' }, 403], [{ 'mcp-name': 'who_is' }, 400]]) {
    const answer = await ask(BASE, 'tools/call', params, { headers });
    assert.equal(answer.status, status, await answer.text());
  }
  const preflight = await request(`${BASE}/mcp`, { method: 'OPTIONS' });
  assert.match(preflight.headers.get('access-control-allow-headers'), /Mcp-Method, Mcp-Name, Mcp-Session-Id/);
  const put = await request(`${BASE}/mcp`, { method: 'PUT' });
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD, POST, DELETE, OPTIONS']);
  const alone = await request(`${BASE}/mcp`);
  assert.equal(alone.status, 405, await alone.text());
  await assertNeverSearched(BASE, SANDBOX, pair);
});
