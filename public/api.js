// All requests to a server except the event stream. A refusal rejects with a `Problem`.

import { runPath } from './route.js';
import { list, number, record, text } from './safe.js';
import { SEALED_BYTES_MAX } from './sealed-file.js';
import { keepPublished, keepSecret, publishedOf, secretOf } from './secrets.js';
import { suggestions } from './suggestions.js';
import { tabStorage } from './storage.js';

const TOKEN = 'visual-degrees-token';
const CHAIN = /^\/chains\/[0-9a-f]{64}$/;
/** The form of a run's token. */
const RUN = /^[\w-]{1,64}\.[\w-]{22}$/;
/** The longest wait for an answer, in milliseconds. A working server answers much sooner. */
const WAIT_MS_MAX = 20_000;
/** The longest wait for the archive of a run's trace, in milliseconds. The archive may be large and slow to load. */
const ARCHIVE_WAIT_MS_MAX = 120_000;
/** The largest archive that is accepted, in bytes. Its pictures have at most 24 MiB together. */
const ARCHIVE_BYTES_MAX = 64 * 1024 * 1024;

/** A refusal (RFC 9457 problem details), or a missing answer (`status` 0). */
export class Problem extends Error {
  constructor(status, body = {}, retryAfter = '') {
    super(text(body.detail) || text(body.title) || unexplained(status));
    this.status = status;
    this.field = text(body.field).replace(/^options\./, '');
    this.missing = list(body.missing).map(String);
    this.finding = record(body.finding);
    const [least, most] = [number(body.minimum), number(body.maximum)];
    this.range = least === null || most === null ? null : { least, most };
    this.retryAfter = /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  }
}

/** Whether a value has the form of a run's token. */
export const isRun = (value) => RUN.test(text(value));

function unexplained(status) {
  if (status === 0) return 'The server could not be reached. Check the connection and try again.';
  return `The server refused this (status ${status}) and gave no reason.`;
}

/** A deployment of the server: the one that serves this page, or another one whose run is shown. */
export class Server {
  #base;

  /** `base` is any address of the deployment. */
  constructor(base) {
    this.#base = new URL('/', base).href;
  }

  /** The header with the operator's token, which is sent only to the deployment that serves this module. */
  get #authorization() {
    const isHome = this.#base === new URL('/', import.meta.url).href;
    return isHome && token.get() ? { Authorization: `Bearer ${token.get()}` } : {};
  }

  /** Whether this tab may stop and fork a run: it started the run, or has the operator's token. */
  isOwn(run) {
    return Boolean(this.hasSecret(run) || this.#authorization.Authorization);
  }

  /** Whether this tab has started a run. */
  hasSecret(run) {
    return secretOf(this.#base, run) !== '';
  }

  /** The publication of a run by this tab, as `{chain, expires}`. */
  publishedOf(run) {
    return publishedOf(this.#base, run);
  }

  #asCreator(run) {
    const secret = run ? secretOf(this.#base, run) : '';
    return { ...this.#authorization, ...(secret ? { 'Run-Secret': secret } : {}) };
  }

  /** The full address of a path. */
  address(path) {
    return new URL(path, this.#base).href;
  }

  async health() {
    const response = await this.#ask('/health', { headers: { Accept: 'application/json' } });
    return record(await json(response));
  }

  /**
   * Starts a run. Repeating the same key returns the same run, so a lost answer costs nothing. `human` is the token of
   * the check for humans, if the server requires one.
   */
  async createRun(body, key, human = '') {
    const response = await this.#ask('/runs', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, application/problem+json',
        'Idempotency-Key': key,
        ...(human ? { 'Turnstile-Token': human } : {}),
        ...this.#asCreator(body.fork?.run),
      },
      body: JSON.stringify(body),
    });
    const { run, secret } = record(await json(response));
    if (!isRun(run)) throw new Problem(response.status, { detail: 'The server named no run.' });
    keepSecret(this.#base, run, secret);
    return run;
  }

  async stopRun(run) {
    await this.#ask(`${runPath(run)}/stop`, { method: 'POST', headers: this.#asCreator(run) });
  }

  /** Publishes the run's chain; returns `{chain, expires}`. */
  async publish(run) {
    const headers = this.#asCreator(run);
    const response = await this.#ask(`${runPath(run)}/publish`, { method: 'POST', headers });
    const { chain, expires } = record(await json(response));
    // The chain becomes a link, and the target of a request with the run's secret. So it must be the path of a chain on
    // this server.
    if (!CHAIN.test(text(chain))) {
      throw new Problem(response.status, { detail: 'The server named no chain.' });
    }
    const published = { chain: this.address(chain), expires: text(expires) };
    keepPublished(this.#base, run, published);
    return published;
  }

  /** Withdraws a run's publication. */
  async unpublish(chain, run) {
    try {
      await this.#ask(chain, { method: 'DELETE', headers: this.#asCreator(run) });
    } catch (problem) {
      // The publication has expired, or another tab has withdrawn it, so nothing is left to withdraw.
      if (problem.status !== 404) throw problem;
    }
    keepPublished(this.#base, run, { chain: '', expires: '' });
  }

  /** Suggests the people whom a text may mean; rejects if suggestions are unavailable. */
  async people(typed, signal) {
    const address = `/people?${new URLSearchParams({ q: typed })}`;
    const headers = { Accept: 'application/json, application/problem+json' };
    return suggestions(await json(await this.#ask(address, { headers, signal })));
  }

  /** The size of the atlas, and what it saved. */
  atlas() {
    return this.#atlas('/atlas');
  }

  /** Finds the people of the atlas whom a text may mean; without a text, those seen most often. */
  atlasPeople(typed = '', signal = undefined) {
    return this.#atlas(`/atlas/people${typed ? `?${new URLSearchParams({ q: typed })}` : ''}`, signal);
  }

  /**
   * A person of the atlas and the people seen with them, beginning at position `offset` of the list of these people.
   */
  atlasPerson(id, offset = 0) {
    const from = offset > 0 ? `?${new URLSearchParams({ offset })}` : '';
    return this.#atlas(`/atlas/people/${encodeURIComponent(id)}${from}`);
  }

  /** The shortest chain between two people in the atlas, each an id or a name. */
  atlasPath(a, b) {
    return this.#atlas(`/atlas/path?${new URLSearchParams({ a, b })}`);
  }

  async #atlas(address, signal = undefined) {
    const headers = { Accept: 'application/json, application/problem+json', ...this.#authorization };
    // The server also serves a page at this address, so a cached copy might be that page.
    return record(await json(await this.#ask(address, { headers, signal, cache: 'no-store' })));
  }

  /** The run's stored record. */
  async keptRun(run) {
    // The server also serves this page at this address, so a cached copy might be the page.
    const headers = { Accept: 'application/json' };
    return record(await json(await this.#ask(runPath(run), { headers, cache: 'no-store' })));
  }

  /** The JSON at an address, possibly on another server, as a text of bounded length. */
  async jsonText(address) {
    const response = await this.#ask(address, { headers: { Accept: 'application/json' } });
    return (await bounded(response, SEALED_BYTES_MAX)).text();
  }

  /** The bytes of the archive of a run's trace. */
  async trace(run) {
    const init = { cache: 'no-store', waitMsMax: ARCHIVE_WAIT_MS_MAX };
    const archive = await bounded(await this.#ask(`${runPath(run)}/trace`, init), ARCHIVE_BYTES_MAX);
    return new Uint8Array(await archive.arrayBuffer());
  }

  /** The address of a run's events. */
  eventsOf(run) {
    return this.address(`${runPath(run)}/events`);
  }

  /** The HTTP status of a request for a run's events so far. It needs no open stream, which a proxy may hold back. */
  async streamStatus(run) {
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(), WAIT_MS_MAX);
    try {
      const headers = { Accept: 'text/event-stream' };
      const init = { headers, cache: 'no-store', signal: cut.signal };
      return (await fetch(`${this.eventsOf(run)}?wait=0`, init)).status;
    } catch {
      return 0;
    } finally {
      clearTimeout(timer);
      cut.abort();
    }
  }

  async #ask(address, { signal, waitMsMax = WAIT_MS_MAX, ...init }) {
    let response;
    try {
      response = await fetch(this.address(address), { ...init, signal: within(signal, waitMsMax) });
    } catch {
      throw new Problem(0);
    }
    if (response.ok) return response;
    const body = record(await json(response));
    throw new Problem(response.status, body, response.headers.get('Retry-After') ?? '');
  }
}

// The operator's token is kept only as long as the tab, since it must not stay on a shared computer.
export const token = {
  get: () => tabStorage.get(TOKEN),
  set: (value) => tabStorage.set(TOKEN, value),
};

export function newKey() {
  // `randomUUID` exists only in secure contexts; a page on plain http in a local network still needs a key.
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** An answer's body as a blob; rejects if it has more than `bytesMax` bytes. */
async function bounded(response, bytesMax) {
  const reader = response.body.getReader();
  const pieces = [];
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces);
    bytes += value.length;
    if (bytes > bytesMax) {
      reader.cancel();
      throw new Problem(response.status, { detail: `It has more than ${bytesMax / 1024 / 1024} MiB.` });
    }
    pieces.push(value);
  }
}

function within(signal, waitMsMax) {
  const late = AbortSignal.timeout(waitMsMax);
  // Browsers without `AbortSignal.any` use only the caller's signal, without a timeout.
  return signal ? (AbortSignal.any?.([signal, late]) ?? signal) : late;
}

const json = (response) => response.json().catch(() => null);
