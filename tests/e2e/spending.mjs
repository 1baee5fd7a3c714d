// What the tests of the day's budget share: small runs from many clients, and the books: what the
// budget's object says was spent beside what the sandbox was asked.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { follow } from './kills.mjs';
import { calls, eventsOf, eventually, inBody, pause, request, TOGETHER } from './support.mjs';

export const TOKEN = 'the-operators-own-long-token-0123456789';
/** One search and one photo, which prove a pair that stands together in it. */
const SMALL = { searches: 1, recognitions: 1, llm: 0, runtimeMs: 120_000 };
/** What a search and a recognition of the sandbox's providers cost, in dollars. */
const RUN_USD = 0.006;
const RETRY_MS = 1_000;
/** Hundreds at once have to wait for each other. */
const ANSWER_LIMIT_MS = 180_000;

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
  return request(`${base}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(inBody(TOGETHER, { ...SMALL, ...options })),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
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
 * So many creations from so many clients at once. Each client makes its own one after the other,
 * views each run to its end as a page does, and comes back where it is told to wait for other runs.
 * Gives the runs that were begun, their last events, and the refusals of the rest.
 */
export async function storm(server, { creations, clients }) {
  const [runs, ends, refusals] = [[], [], []];
  const client = async (number) => {
    for (let i = number; i < creations; i += clients) {
      const { run, problem } = await created(server, clientOf(number));
      if (problem) {
        refusals.push(problem);
        continue;
      }
      runs.push(run);
      ends.push(await endOf(server, run));
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { runs, refusals, told: sumOf(ends) };
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
      if (!body.detail.includes('under way')) return { problem: body };
    } else {
      // Killed, or not up again: anything else would be a failure of the server's own.
      assert.ok(server.kills > 0, `status ${answer?.status}: ${JSON.stringify(body)}`);
    }
    await pause(RETRY_MS);
  }
}

/** The last event of a run. Viewing it wakes a run whose process was killed. */
async function endOf(server, run) {
  const address = eventsOf(server.base, run);
  const headers = (id) => (id === undefined ? {} : { 'last-event-id': id });
  const { events } = await follow(server, (id) => [address, headers(id)]);
  return events.at(-1).data;
}

/** What runs say that they have spent, and how many found their chain. */
function sumOf(ends) {
  const sum = (name) => ends.reduce((total, { spent }) => total + spent[name], 0);
  const others = ends.filter(({ type }) => type !== 'final');
  return {
    searches: sum('searchCalls'),
    recognitions: sum('rekognitionCalls'),
    found: ends.length - others.length,
    others: others.map(({ code, reason }) => code ?? reason),
  };
}
