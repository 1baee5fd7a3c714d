// What pages of other origins may do: follow every run, and start one only where they are named.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import {
  assertNeverSearched, assertProblem, assertWhole, BASE, eventsOf, inBody, investigation, nobodies,
  post, read, request, SANDBOX, statusOf, TOGETHER,
} from './support.mjs';

const RUNS = `${BASE}/runs`;
const UNKNOWN_RUN = 's1.AAAAAAAAAAAAAAAAAAAAAA';
const OTHER_ORIGIN = 'https://other.example';

/** Asks as a browser asks before it sends another page's request; gives whom it names. */
async function preflight(path, method) {
  const answer = await request(`${BASE}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin: OTHER_ORIGIN,
      'access-control-request-method': method,
      'access-control-request-headers': 'run-secret,last-event-id',
    },
  });
  assert.equal(answer.status, 204);
  assert.match(answer.headers.get('access-control-allow-methods'), /\bPOST\b.*\bDELETE\b/);
  const allowed = answer.headers.get('access-control-allow-headers').toLowerCase();
  for (const name of [
    'authorization', 'content-type', 'idempotency-key', 'last-event-id', 'run-secret',
  ]) {
    assert.ok(allowed.includes(name), name);
  }
  return answer.headers.get('access-control-allow-origin');
}

test('a browser is told what other pages may ask for, and load', async () => {
  const run = `/runs/${UNKNOWN_RUN}`;
  const chain = `/chains/${'ab'.repeat(32)}`;
  for (const path of [run, `${run}/events`, `${run}/sealed`, `${run}/trace`, chain, '/openapi.json']) {
    assert.equal(await preflight(path, 'GET'), '*', path);
  }
  // What this server has is no other page's where this machine alone reaches it.
  for (const path of [
    '/health', '/people?q=a', '/atlas', '/atlas/people?q=a', '/atlas/people/c1', '/atlas/path?a=x&b=y', '/workflows',
    '/workflows/one', '/automata', '/automata/one', '/mcp',
  ]) {
    assert.equal(await preflight(path, 'GET'), null, path);
    for (const origin of [OTHER_ORIGIN, 'null', 'http://localhost:1']) {
      const answer = await request(`${BASE}${path}`, { headers: { origin, accept: 'application/json' } });
      assert.equal(answer.headers.get('access-control-allow-origin'), null, `${origin} ${path}`);
    }
  }
  for (const [method, path] of [
    ['POST', '/runs'], ['GET', '/investigate'], ['POST', `${run}/stop`], ['DELETE', run],
    ['POST', `${run}/publish`], ['DELETE', chain],
  ]) {
    assert.equal(await preflight(path, method), null, `${method} ${path}`);
  }
  for (const path of ['/', '/app.js', '/visual-degrees.js', '/style.css', '/favicon.svg', run]) {
    const headers = { origin: OTHER_ORIGIN, accept: 'text/html' };
    const answer = await request(`${BASE}${path}`, { headers });
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', path);
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin', path);
  }
});

/** Asks under another name than the one that the Worker listens at, as a page does after its name was made to lead here. */
function askAs(host, { path, method = 'GET', body = '', headers = {} }) {
  const { hostname, port } = new URL(BASE);
  return new Promise((resolve, reject) => {
    const sent = { ...headers, host: `${host}:${port}` };
    const asked = http.request({ hostname, port, path, method, headers: sent, timeout: 10_000 }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    asked.on('error', reject).on('timeout', () => asked.destroy(new Error('no answer')));
    asked.end(body);
  });
}

test('a page whose name was made to lead to this machine gets nothing', async () => {
  const pair = nobodies();
  const { port } = new URL(BASE);
  const { search } = new URL(investigation(BASE, pair));
  const json = { 'content-type': 'application/json' };
  for (const host of ['evil.example', 'localhost.evil.example', '192.0.2.1']) {
    const origin = `http://${host}:${port}`;
    const asked = [
      { path: '/runs', method: 'POST', body: JSON.stringify(inBody(pair)), headers: { ...json, origin } },
      { path: `/investigate${search}`, headers: { 'sec-fetch-site': 'same-origin' } },
      { path: '/workflows', headers: { 'sec-fetch-site': 'same-origin' } },
      { path: '/runs', method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } },
    ];
    for (const one of asked) {
      const { status, text } = await askAs(host, one);
      assert.equal(status, 403, `${one.method} ${host}${one.path}: ${text}`);
      assert.match(text, /OWN_HOSTS/);
    }
  }
  await assertNeverSearched(BASE, SANDBOX, pair);
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    assert.equal((await askAs(host, { path: '/health' })).status, 200, host);
  }
});

test('other pages may read, but not start', async () => {
  const pair = nobodies();
  await assertProblem(await post(RUNS, inBody(pair), { origin: OTHER_ORIGIN }), 403);
  // An image or a frame of another page: no origin is sent. `fetch` would set this header itself.
  for (const site of ['cross-site', 'same-site']) {
    assert.equal(await statusOf(investigation(BASE, pair), { 'sec-fetch-site': site }), 403, site);
  }
  await assertNeverSearched(BASE, SANDBOX, pair);

  const own = await post(RUNS, inBody(TOGETHER), { origin: BASE });
  assert.equal(own.status, 202);
  assert.equal(own.headers.get('access-control-allow-origin'), null);
  const { run } = await own.json();
  const headers = { origin: OTHER_ORIGIN };
  const stream = await read(eventsOf(BASE, run), { headers });
  assertWhole(stream, run);
  assert.equal(stream.response.headers.get('access-control-allow-origin'), '*');
});
