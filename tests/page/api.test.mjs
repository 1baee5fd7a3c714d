// The page's requests: how long they wait, and what a refusal says.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Server } from '../../public/api.js';

const server = new Server('https://vd.example/runs/s1.x');
const people = (typed, signal) => server.people(typed, signal);
const health = () => server.health();

/** A server that never answers, and a clock that strikes when the test says so. */
function silence(t) {
  const clock = new AbortController();
  t.mock.method(AbortSignal, 'timeout', () => clock.signal);
  t.mock.method(globalThis, 'fetch', (_, { signal }) =>
    new Promise((_, refuse) => signal.addEventListener('abort', () => refuse(signal.reason))),
  );
  return clock;
}

const NEVER_CAME = { status: 0, retryAfter: null };

test('a request ends when its time is over, whoever else may end it', async (t) => {
  const clock = silence(t);
  const asked = [health(), people('Jane', new AbortController().signal)];
  clock.abort();
  for (const one of asked) await assert.rejects(one, NEVER_CAME);
});

test('whoever looks for people may end it', async (t) => {
  silence(t);
  const mine = new AbortController();
  const asked = people('Jane', mine.signal);
  mine.abort();
  await assert.rejects(asked, NEVER_CAME);
});

test('a browser that knows no joined signals looks for people all the same', async (t) => {
  silence(t);
  const { any } = AbortSignal;
  t.after(() => Object.assign(AbortSignal, { any }));
  AbortSignal.any = undefined;
  const mine = new AbortController();
  const asked = people('Jane', mine.signal);
  assert.equal(fetch.mock.callCount(), 1);
  mine.abort();
  await assert.rejects(asked, NEVER_CAME);
});

test('a refusal says when to come back', async (t) => {
  const refused = (headers) =>
    t.mock.method(globalThis, 'fetch', async () =>
      Response.json({ detail: 'Too many.' }, { status: 429, headers }),
    );
  refused({ 'Retry-After': '5' });
  const said = { status: 429, message: 'Too many.' };
  await assert.rejects(people('Jane'), { ...said, retryAfter: 5 });
  refused({ 'Retry-After': 'Sun, 22 Nov 2026 08:00:00 GMT' });
  await assert.rejects(people('Jane'), { ...said, retryAfter: null });
});
