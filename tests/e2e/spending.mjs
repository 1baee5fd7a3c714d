// What the tests of the day's budget share: small runs from many clients, and the books: what the
// budget's object says was spent beside what the sandbox was asked.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { follow } from './kills.mjs';
import { calls, eventsOf, eventually, inBody, pause, post, request, TOGETHER } from './support.mjs';

export const TOKEN = 'the-operators-own-long-token-0123456789';
/** One search and one photo, which prove a pair that stands together in it. */
const SMALL = { searches: 1, recognitions: 1, llm: 0, runtimeMs: 30_000 };
/** What a search and a recognition of the sandbox's providers cost, in dollars. */
const RUN_USD = 0.006;
const RETRY_MS = 200;

/** Settings of a server that everybody may use, whose day has so many small runs. */
export const dayOf = (sandbox, runs, more = {}) => ({
  ...sandbox.settings,
  PUBLIC: '1',
  OPERATOR_TOKEN: TOKEN,
  DAILY_SEARCHES: String(runs),
  DAILY_RECOGNITIONS: String(runs),
  DAILY_USD: (runs * RUN_USD).toFixed(3),
  ...more,
});

/** The headers of the client of this number; no two share a line. */
export const clientOf = (number) => ({
  'cf-connecting-ip': `2001:db8:${number.toString(16)}::${(number % 7) + 1}`,
});

/** Asks for a small run. */
export function startSmall(base, headers, options = {}) {
  return post(`${base}/runs`, inBody(TOGETHER, { ...SMALL, ...options }), headers);
}

/** The books, as the operator sees them. */
export async function books(base) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await request(`${base}/health?budget=1`, { headers });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).budget;
}

/** The books once no run is under way. */
export async function closedBooks(base, limitMs) {
  const closed = async () => {
    const now = await books(base);
    return now.liveRuns === 0 ? now : null;
  };
  return eventually('every run is settled', closed, { limitMs });
}

/** How often the sandbox was asked what is paid for. */
export async function bought(sandbox) {
  const made = await calls(sandbox.listening);
  const count = (name) => made.filter(({ provider }) => provider === name).length;
  return { searches: count('google'), recognitions: count('rekognition') };
}

/**
 * So many creations from so many clients at once, each asked for again under its key until there is
 * an answer. Gives the runs that were begun and the refusals.
 */
export async function storm(server, { creations, clients }) {
  const one = (number) => created(server, clientOf(number % clients));
  const answers = await Promise.all(Array.from({ length: creations }, (_, i) => one(i)));
  return {
    runs: answers.filter(({ run }) => run).map(({ run }) => run),
    refusals: answers.filter(({ problem }) => problem).map(({ problem }) => problem),
  };
}

async function created(server, client) {
  const headers = { ...client, 'idempotency-key': randomUUID() };
  for (;;) {
    await server.up();
    const answer = await startSmall(server.base, headers).catch(() => null);
    const body = await answer?.json().catch(() => null);
    if (body && answer.status === 202) return { run: body.run };
    if (body && answer.status === 429) {
      assert.ok(Number(answer.headers.get('retry-after')) > 0, 'a refusal without Retry-After');
      return { problem: body };
    }
    // Killed, or not up again: anything else would be a failure of the server's own.
    assert.ok(server.kills > 0, `status ${answer?.status}: ${JSON.stringify(body)}`);
    await pause(RETRY_MS);
  }
}

/** Views each run to its end, which wakes those whose process was killed. */
export async function toTheEnd(server, runs) {
  const ended = runs.map((run) => {
    const address = eventsOf(server.base, run);
    return follow(server, (id) => [address, id === undefined ? {} : { 'last-event-id': id }]);
  });
  return Promise.all(ended);
}
