// The routes, as a developer's tools see them: every answer's status, headers and bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertNeverSearched, assertProblem, assertWhole, BASE, calls, eventsOf, forgetCalls, inBody,
  investigation, keptRecord, nobodies, numberOf, post, read, request, runOf, SANDBOX, startRun,
  statusOf, TOGETHER,
} from './support.mjs';

const RUNS = `${BASE}/runs`;
const UNKNOWN_RUN = 's1.AAAAAAAAAAAAAAAAAAAAAA';
const JSON_ONLY = { headers: { accept: 'application/json' } };

async function example() {
  return (await (await request(`${BASE}/health`)).json()).example;
}

async function assertPage(answer, status = 200) {
  assert.equal(answer.status, status);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = answer.headers.get('content-security-policy') ?? '';
  for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(rule), `no ${rule} in ${policy}`);
  }
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  assert.match(await answer.text(), /<vd-form>/);
}

test('/ is the page, and its files are there', async () => {
  await assertPage(await request(`${BASE}/`));
  for (const [path, type] of [['app.js', /javascript/], ['style.css', /css/]]) {
    const answer = await request(`${BASE}/${path}`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type'), type);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  }
});

test('/health tells what is there and no secret', async () => {
  const answer = await request(`${BASE}/health`);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const health = await answer.json();
  assert.deepEqual(Object.keys(health).sort(), [
    'atlas', 'example', 'examples', 'providers', 'publish', 'status', 'tools', 'version',
  ]);
  assert.deepEqual(health.publish, { days: 30 });
  assert.equal(health.status, 'ok');
  assert.match(health.version, /^\d+\.\d+\.\d+/);
  const providers = {
    search: ['google'], recogniser: ['rekognition'], planner: ['gemini'], people: 'wikidata',
  };
  assert.deepEqual(health.providers, providers);
  const { example, examples } = health;
  const names = [example, ...examples].flatMap(({ a, b }) => [a, b]);
  assert.ok(examples.length === 5 && names.every(Boolean));
  assert.equal(new Set(names).size, names.length, 'each is somebody else');
});

test('a run is created, streamed to its one last event, billed honestly and kept', async () => {
  const pair = await example();
  await forgetCalls(SANDBOX);
  const created = await post(RUNS, inBody(pair));
  assert.equal(created.status, 202);
  const { run, events } = await created.json();
  assert.match(run, /^[\w-]{1,64}\.[\w-]{22}$/);
  assert.equal(events, `/runs/${run}/events`);
  assert.equal(created.headers.get('location'), `/runs/${run}`);

  const stream = await read(`${BASE}${events}`);
  const { headers } = stream.response;
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(headers.get('cache-control'), 'no-store, no-transform');
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.deepEqual(stream.retries, [1000]);
  assert.equal(stream.order[0], 'retry');
  assertWhole(stream, run);

  const last = stream.events.at(-1);
  assert.equal(last.type, 'final');
  const { path, edges, confidenceMap, spent } = last.data;
  // The world's example is three hops apart.
  assert.equal(path.length, 4);
  assert.deepEqual([path[0].name, path.at(-1).name], [pair.a, pair.b]);
  assert.equal(edges.length, 3);
  edges.forEach(({ from, to, evidence, edgeConfidence }, i) => {
    assert.deepEqual([from, to], [path[i].id, path[i + 1].id]);
    assert.ok(edgeConfidence >= 80, `an edge below the threshold: ${edgeConfidence}`);
    const faces = evidence[0].faces.map(({ id }) => id);
    assert.ok(faces.includes(from) && faces.includes(to), 'evidence without one of the two');
  });
  const bottleneck = Math.min(...edges.map(({ edgeConfidence }) => edgeConfidence));
  assert.equal(confidenceMap.bottleneck, bottleneck);

  const record = await keptRecord(BASE, run);
  await assertBilled(spent, record.calls);
  assert.equal(record.run, run);
  assert.equal(record.meta.endedWith, 'final');
  assert.equal(record.state, 'S6');
  assert.deepEqual([record.meta.personA, record.meta.personB], [pair.a, pair.b]);
  assert.deepEqual(record.path.map(({ id }) => id), path.map(({ id }) => id));
  assert.deepEqual(
    record.edges.map(({ from, to, evidence }) => [from, to, evidence[0].imageUrl]),
    edges.map(({ from, to, evidence }) => [from, to, evidence[0].imageUrl]),
  );
  assert.equal(record.spent.searchCalls, spent.searchCalls);
  assert.ok(record.decisions.length > 0);
  assert.ok(record.decisions[0].table.length > 0 && record.decisions[0].reason);
  await assertPage(await request(`${RUNS}/${run}`, { headers: { accept: 'text/html' } }));
});

/** Each attempt is told; each was made, but for those withdrawn before they left. */
async function assertBilled(spent, recorded) {
  const made = await calls(SANDBOX);
  const kinds = [
    ['search', 'google', spent.searchCalls],
    ['recognition', 'rekognition', spent.rekognitionCalls],
    ['plan', 'gemini', spent.llmCalls],
  ];
  for (const [kind, provider, told] of kinds) {
    const ofKind = recorded.filter((call) => call.kind === kind);
    const attempts = (list) => list.reduce((sum, call) => sum + call.attempts, 0);
    const withdrawn = attempts(ofKind.filter(({ state }) => state === 'withdrawn'));
    const sent = made.filter((call) => call.provider === provider).length;
    assert.equal(told, attempts(ofKind), `${kind}: told, and recorded`);
    const says = `${kind}: ${told} told, ${sent} made, ${withdrawn} withdrawn`;
    assert.ok(sent <= told && sent >= told - withdrawn, says);
  }
}

test('an idempotency key gives one run, whoever asks first', async () => {
  const key = { 'idempotency-key': crypto.randomUUID() };
  await forgetCalls(SANDBOX);
  const atOnce = await Promise.all(
    Array.from({ length: 10 }, () => post(RUNS, inBody(TOGETHER), key)),
  );
  for (const { status } of atOnce) assert.equal(status, 202);
  const [one, ...others] = await Promise.all(atOnce.map((answer) => answer.json()));
  for (const other of others) assert.equal(other.run, one.run);
  await read(eventsOf(BASE, one.run));
  const searches = (await calls(SANDBOX, 'google')).map(({ key: query }) => query);
  assert.ok(searches.length > 0);
  assert.equal(new Set(searches).size, searches.length, `searched twice: ${searches}`);

  const later = await post(RUNS, inBody(TOGETHER), key);
  assert.equal((await later.json()).run, one.run);
  const different = await post(RUNS, inBody(TOGETHER, { hops: 2 }), key);
  await assertProblem(different, 409);
  const another = await post(RUNS, inBody(TOGETHER), { 'idempotency-key': crypto.randomUUID() });
  const { run } = await another.json();
  assert.notEqual(run, one.run);
  await read(eventsOf(BASE, run));
});

test('bad input is refused with the field that is wrong, and nothing is spent', async () => {
  const pair = nobodies();
  const body = inBody(pair);
  const refused = [
    [{ personA: pair.a }, 'personB'],
    [{ ...body, personA: ' ' }, 'personA'],
    [{ ...body, personA: 'x'.repeat(101) }, 'personA'],
    [{ ...body, personC: 'x' }, 'personC'],
    [{ ...body, sessionId: 'a b' }, 'sessionId'],
    [inBody(pair, { hops: 7 }), 'hops'],
    [inBody(pair, { colour: 'red' }), 'colour'],
    ['no JSON', undefined],
  ];
  for (const [wrong, field] of refused) {
    const problem = await assertProblem(await post(RUNS, wrong), 400);
    assert.equal(problem.field, field, problem.detail);
  }
  for (const [wrong, field] of [[{ hops: '0' }, 'hops'], [{ a: pair.a, b: '' }, 'b']]) {
    const problem = await assertProblem(await request(investigation(BASE, pair, wrong)), 400);
    assert.equal(problem.field, field, problem.detail);
  }
  const twice = { ...body, personB: ` ${pair.a.toUpperCase()} ` };
  assert.equal((await assertProblem(await post(RUNS, twice), 409)).field, 'personB');
  await assertNeverSearched(BASE, SANDBOX, pair);
});

test('wrong methods, addresses, media types and sizes are refused', async () => {
  for (const [method, path, allowed] of [
    ['GET', '/runs', 'POST, OPTIONS'],
    ['POST', `/runs/${UNKNOWN_RUN}`, 'GET, HEAD, DELETE, OPTIONS'],
    ['DELETE', '/investigate', 'GET, HEAD, POST, OPTIONS'],
    ['POST', `/runs/${UNKNOWN_RUN}/events`, 'GET, HEAD, OPTIONS'],
    ['GET', `/runs/${UNKNOWN_RUN}/stop`, 'POST, OPTIONS'],
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
    // A method that the platform does not know is no GET.
    ['QUERY', `/investigate?${new URLSearchParams(TOGETHER)}`, 'GET, HEAD, POST, OPTIONS'],
    ['PROPFIND', '/health', 'GET, HEAD, OPTIONS'],
  ]) {
    const answer = await request(`${BASE}${path}`, { method });
    assert.equal(answer.headers.get('allow'), allowed, `${method} ${path}`);
    await assertProblem(answer, 405);
  }
  for (const [method, path, reason] of [
    ['GET', '/runs/nothing', 'unknown_address'],
    ['GET', `/runs/${UNKNOWN_RUN}`, 'unknown_run'],
    ['GET', `/runs/${UNKNOWN_RUN}/events`, 'unknown_run'],
    ['GET', `/runs/${UNKNOWN_RUN}/nothing`, 'unknown_address'],
    ['POST', `/runs/${UNKNOWN_RUN}/stop`, 'unknown_run'],
    ['DELETE', `/runs/${UNKNOWN_RUN}`, 'unknown_run'],
    ['GET', `/chains/${'ab'.repeat(32)}`, 'unknown_chain'],
    ['GET', '/nothing.js', 'unknown_address'],
    ['GET', '/investigates', 'unknown_address'],
  ]) {
    const problem = await assertProblem(await request(`${BASE}${path}`, { method }), 404);
    assert.equal(problem.reason, reason, path);
  }
  await assertPage(
    await request(`${RUNS}/${UNKNOWN_RUN}`, { headers: { accept: 'text/html' } }),
    404,
  );
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await assertProblem(await post(RUNS, 'personA=A&personB=B', form), 415);
  const sequence = { 'content-type': 'application/json-seq' };
  await assertProblem(await post(RUNS, inBody(TOGETHER), sequence), 415);
  await assertProblem(await post(RUNS, inBody(TOGETHER, { avoid: 'x'.repeat(17_000) })), 413);
});

test('HEAD, prefetches and previews start nothing', async () => {
  const pair = nobodies();
  const address = investigation(BASE, pair);
  const head = await request(address, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.match(head.headers.get('content-type'), /^text\/event-stream/);
  for (const headers of [
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
  ]) {
    assert.equal((await request(address, { headers })).status, 204, JSON.stringify(headers));
  }
  await assertNeverSearched(BASE, SANDBOX, pair);
});

test('programs that open every link, and Workers, start nothing', async () => {
  const pair = nobodies();
  const address = investigation(BASE, pair);
  const robot = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' };
  await assertPage(await request(address, { headers: robot }));
  const described = await request(address, { headers: { ...robot, ...JSON_ONLY.headers } });
  assert.match((await described.json()).openapi, /^3\.1/);
  const worker = { 'cf-worker': 'other.example' };
  assert.equal(await statusOf(address, worker), 403);
  await assertProblem(await post(RUNS, inBody(pair), worker), 403);
  const robots = await (await request(`${BASE}/robots.txt`)).text();
  assert.match(robots, /^Disallow: \/investigate$/m);
  await assertNeverSearched(BASE, SANDBOX, pair);
});

test('files and answers carry the same headers', async () => {
  const names = [
    'content-security-policy', 'permissions-policy', 'referrer-policy', 'x-content-type-options',
    'cross-origin-resource-policy',
  ];
  const file = await request(`${BASE}/`);
  for (const path of ['/health', '/investigate', '/runs/nothing', '/openapi.json']) {
    const answer = await request(`${BASE}${path}`, { headers: { accept: 'text/html' } });
    for (const name of names) {
      assert.ok(file.headers.get(name), name);
      assert.equal(answer.headers.get(name), file.headers.get(name), `${name} of ${path}`);
    }
    assert.equal(answer.headers.get('strict-transport-security'), null, 'it was plain http');
  }
});

test('GET /investigate streams, or waits for the last word, or is the page', async () => {
  const stream = await read(investigation(BASE, TOGETHER));
  assertWhole(stream, runOf(stream));
  assert.equal(stream.events.at(-1).type, 'final');

  const asJson = await request(investigation(BASE, TOGETHER), JSON_ONLY);
  assert.equal(asJson.headers.get('content-type'), 'application/json');
  const last = await asJson.json();
  assert.equal(last.type, 'final');
  assert.notEqual(last.runId, runOf(stream));

  const pair = nobodies();
  const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
  await assertPage(await request(investigation(BASE, pair), html));
  await assertNeverSearched(BASE, SANDBOX, pair);
});

test('POST /investigate streams and answers like GET', async () => {
  const address = `${BASE}/investigate`;
  const posted = await post(address, inBody(TOGETHER, { hops: 1 }), JSON_ONLY.headers);
  const last = await posted.json();
  assert.equal(last.type, 'final');
  const stream = await post(address, inBody(TOGETHER));
  assert.match(stream.headers.get('content-type'), /^text\/event-stream/);
  assert.match(await stream.text(), /\nevent: final\n/);
});

test('options are obeyed: avoided people stay out, a budget ends the run', async () => {
  const pair = await example();
  const lastOf = async (options) =>
    (await request(investigation(BASE, pair, options), JSON_ONLY)).json();
  const between = (await lastOf({})).path[1].name;
  const other = await lastOf({ avoid: between });
  const names = (other.path ?? []).map(({ name }) => name);
  assert.ok(!names.includes(between), `${between} is on the path ${names}`);

  const poor = await lastOf({ searches: '1' });
  assert.deepEqual([poor.type, poor.reason], ['no_path', 'search_budget']);
  assert.equal(poor.spent.searchCalls, 1);
});

test('/investigate with Last-Event-ID goes on with that run and never starts one', async () => {
  const stream = await read(investigation(BASE, TOGETHER));
  const run = runOf(stream);
  const last = stream.events.at(-1).id;
  const pair = nobodies();
  const address = investigation(BASE, pair);

  const rest = await read(address, { headers: { 'last-event-id': `${run}.2` } });
  assertWhole(rest, run, 3);
  assert.equal(rest.events.at(-1).id, last);
  const byQuery = await read(`${address}&lastEventId=${run}.2`);
  assert.deepEqual(byQuery.bytes, rest.bytes);
  // Who has seen no event yet knows the run from the first bytes.
  const early = await read(address, { headers: { 'last-event-id': `${run}.0` } });
  assert.deepEqual(early.bytes, stream.bytes);
  assert.ok(early.bytes.toString().startsWith(`id: ${run}.0\n`));
  for (const id of [last, `${UNKNOWN_RUN}.0`, `${UNKNOWN_RUN}.3`, 'nonsense']) {
    const answer = await request(address, { headers: { 'last-event-id': id } });
    assert.equal(answer.status, 204, id);
  }
  await assertNeverSearched(BASE, SANDBOX, pair);
});

test('a stream goes on after any event with exactly the missing ones', async () => {
  const pair = await example();
  const run = await startRun(BASE, pair);
  const whole = await read(eventsOf(BASE, run));
  const count = whole.events.length;
  for (const seen of [1, Math.floor(count / 2), count - 1]) {
    const headers = { 'last-event-id': `${run}.${seen}` };
    const rest = await read(eventsOf(BASE, run), { headers });
    assertWhole(rest, run, seen + 1);
    assert.equal(numberOf(rest.events.at(-1)), count);
    const text = whole.bytes.toString();
    const missing = text.slice(text.indexOf(`id: ${run}.${seen + 1}\n`));
    assert.ok(rest.bytes.toString().endsWith(missing), 'sent again, the events differ');
  }
  const headers = { 'last-event-id': `${run}.${count}` };
  assert.equal((await request(eventsOf(BASE, run), { headers })).status, 204);
  // Another run's event says nothing about this one.
  const foreign = { 'last-event-id': `${UNKNOWN_RUN}.${count}` };
  assert.deepEqual((await read(eventsOf(BASE, run), { headers: foreign })).bytes, whole.bytes);
});
