// The requests the page makes besides the stream, and their refusals as values.

import { runPath } from './route.js';
import { list, number, record, text } from './safe.js';
import { keepSecret, secretOf } from './secrets.js';
import { suggestions } from './suggestions.js';

const TOKEN = 'visual-degrees-token';
/** No answer is waited for longer: a server that is up has answered long before. */
const WAIT_MS_MAX = 20_000;

/** A refusal (RFC 9457 problem details), or an answer that never came (`status` 0). */
export class Problem extends Error {
  constructor(status, body = {}, retryAfter = '') {
    super(text(body.detail) || text(body.title) || unexplained(status));
    this.status = status;
    this.field = text(body.field).replace(/^options\./, '');
    this.missing = list(body.missing).map(String);
    const [least, most] = [number(body.minimum), number(body.maximum)];
    this.range = least === null || most === null ? null : { least, most };
    this.retryAfter = /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  }
}

function unexplained(status) {
  if (status === 0) return 'The server could not be reached. Check the connection and try again.';
  return `The server refused this (status ${status}) and gave no reason.`;
}

export async function health() {
  const response = await ask('/health', { headers: { Accept: 'application/json' } });
  return record(await json(response));
}

/**
 * Starts a run. The same key twice gives the same run: a lost answer costs nothing. `human` is the
 * token of the check that somebody is human, where the server asks for one.
 */
export async function createRun(body, key, human = '') {
  const response = await ask('/runs', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, application/problem+json',
      'Idempotency-Key': key,
      ...(human ? { 'Turnstile-Token': human } : {}),
      ...authorization(),
      ...secretFor(body.fork?.run),
    },
    body: JSON.stringify(body),
  });
  const { run, events, secret } = record(await json(response));
  if (!text(run)) throw new Problem(response.status, { detail: 'The server named no run.' });
  keepSecret(run, secret);
  return { run, events: ownAddress(events) ?? `${runPath(run)}/events` };
}

export async function stopRun(run) {
  const headers = { ...authorization(), ...secretFor(run) };
  await ask(`${runPath(run)}/stop`, { method: 'POST', headers });
}

/** Whether this tab may stop and fork a run: it has started it, or has the operator's token. */
export const isOwn = (run) => Boolean(secretOf(run) || token.get());

/** Who may be meant by a text; refused where there are no suggestions, or not now. */
export async function people(typed, signal) {
  const address = `/people?${new URLSearchParams({ q: typed })}`;
  const headers = { Accept: 'application/json, application/problem+json' };
  return suggestions(await json(await ask(address, { headers, signal })));
}

/** The run's kept record, or null where it has expired. */
export async function keptRun(run) {
  try {
    // The same address also answers with this page, so a cached copy might be the wrong one.
    const headers = { Accept: 'application/json' };
    return record(await json(await ask(runPath(run), { headers, cache: 'no-store' })));
  } catch (problem) {
    if (problem.status === 404 || problem.status === 410) return null;
    throw problem;
  }
}

/** Only the status of the stream at an address. */
export async function streamStatus(address) {
  const cut = new AbortController();
  const timer = setTimeout(() => cut.abort(), WAIT_MS_MAX);
  try {
    const headers = { Accept: 'text/event-stream' };
    return (await fetch(address, { headers, cache: 'no-store', signal: cut.signal })).status;
  } catch {
    return 0;
  } finally {
    clearTimeout(timer);
    cut.abort();
  }
}

// For the tab's life only: a token is not left behind on a shared computer.
export const token = {
  get: () => sessionStorage.getItem(TOKEN) ?? '',
  set: (value) => (value ? sessionStorage.setItem(TOKEN, value) : sessionStorage.removeItem(TOKEN)),
};

export function newKey() {
  // `randomUUID` exists in secure contexts only; a page opened over plain http on a local
  // network still needs a key.
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const authorization = () => (token.get() ? { Authorization: `Bearer ${token.get()}` } : {});

const secretFor = (run) => {
  const secret = run ? secretOf(run) : '';
  return secret ? { 'Run-Secret': secret } : {};
};

async function ask(address, { signal, ...init }) {
  let response;
  try {
    response = await fetch(address, { ...init, signal: bounded(signal) });
  } catch {
    throw new Problem(0);
  }
  if (response.ok) return response;
  const body = record(await json(response));
  throw new Problem(response.status, body, response.headers.get('Retry-After') ?? '');
}

function bounded(signal) {
  const late = AbortSignal.timeout(WAIT_MS_MAX);
  // A browser without `any` waits as long as whoever asked does.
  return signal ? (AbortSignal.any?.([signal, late]) ?? signal) : late;
}

const json = (response) => response.json().catch(() => null);

// The page may connect to its own origin only; another address would fail without a word.
function ownAddress(value) {
  try {
    const url = new URL(text(value), location.href);
    return text(value) && url.origin === location.origin ? url.href : null;
  } catch {
    return null;
  }
}
