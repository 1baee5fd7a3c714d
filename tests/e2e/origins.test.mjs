// What pages of other origins may do: follow every run, and start one only where they are named.
import assert from 'node:assert/strict';
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
  for (const path of [
    run, `${run}/events`, `${run}/sealed`, chain, '/health', '/openapi.json', '/people',
  ]) {
    assert.equal(await preflight(path, 'GET'), '*', path);
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

test('other pages may read, but not start', async () => {
  const pair = nobodies();
  await assertProblem(await post(RUNS, inBody(pair), { origin: OTHER_ORIGIN }), 403);
  // An image or a frame of another page: no origin is sent. `fetch` would set this header itself.
  const framed = await statusOf(investigation(BASE, pair), { 'sec-fetch-site': 'cross-site' });
  assert.equal(framed, 403);
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
