// What runs have proven, as a page and as JSON: the real database of `wrangler dev`, on this machine.

import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { emptyMemory } from './memory-database.mjs';
import {
  eventsOf, eventually, ownSandbox, ownWorker, pause, read, request, STATE, startRun,
} from './support.mjs';
import { assertAsPromised, call, toolsOf } from './tools.mjs';

const TOKEN = 'a-token-of-some-length';
const operator = { headers: { Authorization: `Bearer ${TOKEN}` } };

let sandbox;
let worker;
let chain; // the last event of the first run

before(async () => {
  sandbox = await ownSandbox([]);
  worker = await withAtlas({ ATLAS: 'public' });
  chain = await runOf(worker.base);
  await eventually('the atlas knows each link of the chain', knowsTheChain);
});
after(() => Promise.all([sandbox?.stop(), worker?.stop()]));

async function withAtlas(settings) {
  const folder = await mkdtemp(join(STATE, 'atlas-'));
  await emptyMemory(folder);
  const own = { PUBLIC: '1', PLANNER: 'none', MEMORY: 'on', MCP: 'on', OPERATOR_TOKEN: TOKEN };
  return ownWorker({ settings: { ...sandbox.settings, ...own, ...settings }, folder });
}

async function runOf(base) {
  const run = await startRun(base, sandbox.example);
  const { events } = await read(eventsOf(base, run));
  return { run, ...events.at(-1).data };
}

async function json(path, { base = worker.base, method = 'GET', headers = {} } = {}) {
  const response = await request(`${base}${path}`, { method, headers: { Accept: 'application/json', ...headers } });
  return { status: response.status, body: await response.json() };
}

// A run keeps what it has paid for some photos at a time, the last of them after its own end.
async function knowsTheChain() {
  const known = chain.path.slice(1).map(async ({ id }, before) => {
    const { body } = await json(of(chain.path[before].id), operator);
    return (body.edges ?? []).some(({ to }) => to === id);
  });
  return (await Promise.all(known)).every(Boolean);
}

const of = (id) => `/atlas/people/${encodeURIComponent(id)}`;

test('somebody is found by any word of their name, and stands among those with whom they were seen', async () => {
  const [first] = chain.path;
  const { body: size } = await json('/atlas');
  assert.ok(size.people >= chain.path.length && size.photos > 0, JSON.stringify(size));
  assert.deepEqual(size.saved, { recognitions: 0, usd: 0 });
  for (const word of first.name.split(' ')) {
    const { body } = await json(`/atlas/people?${new URLSearchParams({ q: word })}`);
    assert.ok(body.people.some(({ id }) => id === first.id), `${word}: ${JSON.stringify(body)}`);
  }
  const { body: most } = await json('/atlas/people');
  assert.ok(most.people.length > 0 && most.people.length <= 10);
  const { body } = await json(of(first.id));
  assert.equal(body.person.name, first.name);
  const line = body.edges.find(({ to }) => to === chain.path[1].id);
  assert.ok(line.photos >= 1 && line.edgeConfidence > 0, JSON.stringify(line));
  const [photo] = line.evidence;
  assert.match(photo.remembered.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const seen = photo.faces.map(({ id }) => id);
  assert.ok(seen.includes(line.from) && seen.includes(line.to), JSON.stringify(photo.faces));
  assert.ok(photo.faces.every(({ box }) => box.width > 0 && box.left >= 0));
});

test('the shortest chain of what is known is as short as the one that was found', async () => {
  const [a, b] = [chain.path[0], chain.path.at(-1)];
  const { body } = await json(`/atlas/path?${new URLSearchParams({ a: a.id, b: b.name })}`);
  assert.ok(body.path.length <= chain.path.length, JSON.stringify(body.path));
  assert.equal(body.isWhole, true);
  assert.deepEqual(body.edges.map(({ to }) => to), body.path.slice(1).map(({ id }) => id));
  assert.equal(body.threshold, 80);
  assert.ok(body.edges.every(({ edgeConfidence }) => edgeConfidence >= 80), JSON.stringify(body.edges));
  const sure = Math.min(...body.edges.map(({ edgeConfidence }) => edgeConfidence));
  const weakest = body.edges.find(({ from, to }) => from === body.weakest.from && to === body.weakest.to);
  assert.equal(weakest.edgeConfidence, sure);
  for (const [query, status] of [['a=x&b=y', 404], ['a=&b=y', 400], [`a=${a.id}&b=${a.id}`, 400]]) {
    assert.equal((await json(`/atlas/path?${query}`)).status, status, query);
  }
  for (const offset of ['-1', 'x', '5001']) {
    assert.equal((await json(`${of(a.id)}?offset=${offset}`)).status, 400, offset);
  }
  for (const threshold of ['49', '101', '80.5', 'x']) {
    assert.equal((await json(`${of(a.id)}?threshold=${threshold}`)).status, 400, threshold);
    assert.equal((await json(`/atlas/path?a=${a.id}&b=${b.id}&threshold=${threshold}`)).status, 400, threshold);
  }
  assert.equal((await json(of('nobody'))).status, 404);
});

test('a line is as sure as a run wants it, unless somebody asks for less', async () => {
  const [first] = chain.path;
  const lines = async (threshold) => {
    const { body } = await json(`${of(first.id)}${threshold ? `?threshold=${threshold}` : ''}`, operator);
    assert.equal(body.threshold, threshold ?? 80);
    return body.edges.map(({ edgeConfidence }) => edgeConfidence);
  };
  const [usual, all, surest] = [await lines(), await lines(50), await lines(99)];
  assert.ok(usual.length > 0 && usual.every((sure) => sure >= 80), JSON.stringify(usual));
  assert.ok(all.length >= usual.length && surest.length <= usual.length);
  assert.ok(surest.every((sure) => sure >= 99), JSON.stringify(surest));
});

test('a stranger’s file of a run that was stopped has nothing of other runs', async () => {
  const own = await withAtlas({ ATLAS: 'operator' });
  try {
    const first = await runOf(own.base);
    await pause(1_000);
    const run = await startRun(own.base, sandbox.example);
    await pause(250);
    const stopped = await request(`${own.base}/runs/${run}/stop`, { method: 'POST', ...operator });
    assert.ok(stopped.ok, String(stopped.status));
    const { events } = await read(eventsOf(own.base, run));
    const file = await (await request(`${own.base}/runs/${run}/sealed`)).text();
    const shown = JSON.stringify(events.map(({ data }) => data));
    const told = first.edges.flatMap(({ evidence }) => evidence.map(({ imageUrl }) => imageUrl));
    // On a busy machine not all may be remembered yet: what the run's own searches have found is its own.
    const found = JSON.stringify(JSON.parse(file).body.journal.filter((entry) => entry.answer?.asked?.search));
    for (const url of told) assert.equal(file.includes(url), shown.includes(url) || found.includes(url), url);
    assert.equal(JSON.parse(file).body.order.memory, 'shown');
    assert.ok(!file.includes('"recalled"'));
  } finally {
    await own.stop();
  }
});

test('other pages read nothing of the atlas where this machine alone reaches the server', async () => {
  for (const origin of ['https://other.example', 'null']) {
    const answer = await request(`${worker.base}/atlas`, { headers: { Accept: 'application/json', origin } });
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
  }
  const named = await withAtlas({ ATLAS: 'public', ALLOWED_ORIGINS: 'https://other.example' });
  try {
    const answer = await request(`${named.base}/atlas`, { headers: { origin: 'https://other.example' } });
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://other.example');
  } finally {
    await named.stop();
  }
});

test('a second run saves what the first one has paid, and the atlas says how much', async () => {
  await runOf(worker.base);
  await eventually('something was saved', async () => (await json('/atlas', operator)).body.saved.recognitions > 0);
  const { body } = await json('/atlas', operator);
  assert.ok(body.saved.usd > 0, JSON.stringify(body));
});

test('a browser gets the page, which no search engine lists unless the operator says so', async () => {
  const html = { headers: { Accept: 'text/html' } };
  const page = await request(`${worker.base}${of(chain.path[0].id)}`, html);
  assert.equal(page.headers.get('x-robots-tag'), 'noindex');
  const text = await page.text();
  assert.ok(text.includes('/atlas.js') && text.includes('<title>Atlas'), text.slice(0, 800));
  assert.match(page.headers.get('content-security-policy'), /img-src \* data:;.*connect-src 'self'/);
});

test('assistants are told what is known, and begin nothing by it', async () => {
  const tools = await toolsOf(worker.base);
  const told = async (name, args) => {
    const { result } = await call(worker.base, name, args);
    if (!result.isError) assertAsPromised(tools, name, result);
    return result;
  };
  const [first] = chain.path;
  const seen = await told('seen_with', { person: first.name });
  assert.ok(seen.structuredContent.links.some(({ to }) => to === chain.path[1].id), JSON.stringify(seen));
  const path = await told('path_between', { a: first.id, b: chain.path.at(-1).id });
  assert.equal(path.structuredContent.links.length, path.structuredContent.path.length - 1);
  const [line] = seen.content[0].text.split('\n');
  assert.match(line, /^“.+” was seen with “.+”, \d+\.\d %, in the photo “http.+”/);
  const { weakest, links } = path.structuredContent;
  assert.equal(weakest.edgeConfidence, Math.min(...links.map(({ edgeConfidence }) => edgeConfidence)));
  assert.match(path.content[0].text, new RegExp(`The weakest link is .+ ${weakest.edgeConfidence.toFixed(1)} %`));
  const unknown = await told('seen_with', { person: 'Nobody At All' });
  assert.equal(unknown.isError, true);
  for (const [a, b, says] of [
    [first.name, 'Nobody At All', /^“b” names nobody/],
    ['Nobody At All', first.name, /^“a” names nobody who is known here; /],
    ['Nobody At All', 'Nobody Else', /^“a” names nobody who is known here, and neither does “b”/],
  ]) {
    const { isError, content } = await told('path_between', { a, b });
    assert.ok(isError && says.test(content[0].text), content[0].text);
  }
});

test('the operator has somebody forgotten, who does not come back, and is told where they still stand', async () => {
  const published = await request(`${worker.base}/runs/${chain.run}/publish`, { method: 'POST', ...operator });
  const { chain: address } = await published.json();
  const [, second] = chain.path;
  assert.equal((await json(of(second.id), { method: 'DELETE' })).status, 401);
  const { status, body } = await json(of(second.id), { method: 'DELETE', ...operator });
  assert.equal(status, 200, JSON.stringify(body));
  assert.ok(body.photos > 0 && body.isWhole, JSON.stringify(body));
  assert.deepEqual(body.chains, [address]);
  assert.equal((await json(of(second.id))).status, 404);
  assert.equal((await json(of('Nobody at all'), { method: 'DELETE', ...operator })).status, 404);
  const unknown = `/atlas/photos/${'ab'.repeat(32)}`;
  assert.equal((await json(unknown, { method: 'DELETE', ...operator })).status, 404);
  await runOf(worker.base);
  await pause(1_000);
  assert.equal((await json(of(second.id))).status, 404);
  const { body: others } = await json(of(chain.path[0].id));
  for (const { evidence: [photo] } of others.edges ?? []) {
    assert.ok(photo.faces.every(({ id }) => id !== second.id));
  }
});

test('an atlas of the operator’s is told to nobody else', async () => {
  const own = await withAtlas({ ATLAS: 'operator' });
  try {
    const { base } = own;
    assert.equal((await json('/atlas', { base })).status, 401);
    assert.equal((await json('/atlas', { base, ...operator })).status, 200);
    const page = await request(`${base}/atlas`, { headers: { Accept: 'text/html' } });
    assert.equal(page.status, 200);
  } finally {
    await own.stop();
  }
});

test('a stranger reads so much in a minute, and the operator at any pace', async () => {
  // Both stay known beside each other, whoever was forgotten before.
  const [a, b] = chain.path.slice(-2).map(({ id }) => id);
  // Each threshold is a question of its own; what was asked before is told out of the cache.
  const path = (threshold) => `/atlas/path?${new URLSearchParams({ a, b, threshold })}`;
  const asked = [];
  for (let threshold = 50; threshold < 70; threshold += 1) asked.push((await json(path(threshold))).status);
  assert.ok(asked.includes(429), asked.join(' '));
  const refused = await request(`${worker.base}${path(75)}`, { headers: { Accept: 'application/json' } });
  assert.equal(refused.status, 429);
  const wait_s = Number(refused.headers.get('retry-after'));
  assert.ok(wait_s > 0 && wait_s <= 60, String(wait_s));
  assert.notEqual((await json(path(50))).status, 429);
  assert.notEqual((await json(path(76), operator)).status, 429);
});
