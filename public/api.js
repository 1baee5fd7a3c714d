// The requests made besides the stream, and their refusals as values.

import { runPath } from './route.js';
import { list, number, record, text } from './safe.js';
import { SEALED_BYTES_MAX } from './sealed-file.js';
import { keepPublished, keepSecret, publishedOf, secretOf } from './secrets.js';
import { suggestions } from './suggestions.js';
import { tabStorage } from './storage.js';

const TOKEN = 'visual-degrees-token';
const CHAIN = /^\/chains\/[0-9a-f]{64}$/;
/** What a server gives out as a run's token. */
const RUN = /^[\w-]{1,64}\.[\w-]{22}$/;
/** No answer is waited for longer: a server that is up has answered long before. */
const WAIT_MS_MAX = 20_000;
/** The archive of a trace may be large, and come slowly. */
const ARCHIVE_WAIT_MS_MAX = 120_000;
/** Its pictures are 24 MiB at most. */
const ARCHIVE_BYTES_MAX = 64 * 1024 * 1024;

/** A refusal (RFC 9457 problem details), or an answer that never came (`status` 0). */
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

/** Whether this may be a run's token. */
export const isRun = (value) => RUN.test(text(value));

function unexplained(status) {
  if (status === 0) return 'The server could not be reached. Check the connection and try again.';
  return `The server refused this (status ${status}) and gave no reason.`;
}

/** One deployment: the page's own, or another one whose run is shown. */
export class Server {
  #base;

  /** `base` is any address of it. */
  constructor(base) {
    this.#base = new URL('/', base).href;
  }

  /** The operator's token is for the deployment that this module is of, and for no other. */
  get #authorization() {
    const isHome = this.#base === new URL('/', import.meta.url).href;
    return isHome && token.get() ? { Authorization: `Bearer ${token.get()}` } : {};
  }

  /** Whether this tab may stop and fork a run: it has started it, or has the operator's token. */
  isOwn(run) {
    return Boolean(this.hasSecret(run) || this.#authorization.Authorization);
  }

  /** Whether this tab has started a run. */
  hasSecret(run) {
    return secretOf(this.#base, run) !== '';
  }

  /** `{chain, expires}` of what this tab has published of a run. */
  publishedOf(run) {
    return publishedOf(this.#base, run);
  }

  #asCreator(run) {
    const secret = run ? secretOf(this.#base, run) : '';
    return { ...this.#authorization, ...(secret ? { 'Run-Secret': secret } : {}) };
  }

  /** A path of it as an address. */
  address(path) {
    return new URL(path, this.#base).href;
  }

  async health() {
    const response = await this.#ask('/health', { headers: { Accept: 'application/json' } });
    return record(await json(response));
  }

  /**
   * Starts a run. The same key twice gives the same run: a lost answer costs nothing. `human` is the
   * token of the check that somebody is human, where the server asks for one.
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

  /** Keeps the run's chain for whoever has its address; gives `{chain, expires}`. */
  async publish(run) {
    const headers = this.#asCreator(run);
    const response = await this.#ask(`${runPath(run)}/publish`, { method: 'POST', headers });
    const { chain, expires } = record(await json(response));
    // It is shown as a link, and taken back with the run's secret: it is a chain of this server or none.
    if (!CHAIN.test(text(chain))) {
      throw new Problem(response.status, { detail: 'The server named no chain.' });
    }
    const published = { chain: this.address(chain), expires: text(expires) };
    keepPublished(this.#base, run, published);
    return published;
  }

  /** Takes back what was published of a run. */
  async unpublish(chain, run) {
    try {
      await this.#ask(chain, { method: 'DELETE', headers: this.#asCreator(run) });
    } catch (problem) {
      // Its time is over, or another tab was faster: nothing is left to take back.
      if (problem.status !== 404) throw problem;
    }
    keepPublished(this.#base, run, { chain: '', expires: '' });
  }

  /** Asks for the people whom a text may mean; refused where there are no suggestions, or not now. */
  async people(typed, signal) {
    const address = `/people?${new URLSearchParams({ q: typed })}`;
    const headers = { Accept: 'application/json, application/problem+json' };
    return suggestions(await json(await this.#ask(address, { headers, signal })));
  }

  /** How large the atlas is, and what it saved. */
  atlas() {
    return this.#atlas('/atlas');
  }

  /** Asks for the people of the atlas whom a text may mean; without one those who were seen the most. */
  atlasPeople(typed = '', signal = undefined) {
    return this.#atlas(`/atlas/people${typed ? `?${new URLSearchParams({ q: typed })}` : ''}`, signal);
  }

  /** A person of the atlas, and with whom they were seen, from a place of that list on. */
  atlasPerson(id, offset = 0) {
    const from = offset > 0 ? `?${new URLSearchParams({ offset })}` : '';
    return this.#atlas(`/atlas/people/${encodeURIComponent(id)}${from}`);
  }

  /** The shortest chain between two that the atlas knows; each is an id or a name. */
  atlasPath(a, b) {
    return this.#atlas(`/atlas/path?${new URLSearchParams({ a, b })}`);
  }

  async #atlas(address, signal = undefined) {
    const headers = { Accept: 'application/json, application/problem+json', ...this.#authorization };
    // The same address also answers with a page, so a cached copy might be the wrong one.
    return record(await json(await this.#ask(address, { headers, signal, cache: 'no-store' })));
  }

  /** The run's kept record. */
  async keptRun(run) {
    // The same address also answers with this page, so a cached copy might be the wrong one.
    const headers = { Accept: 'application/json' };
    return record(await json(await this.#ask(runPath(run), { headers, cache: 'no-store' })));
  }

  /** The text of JSON at an address, which may be another server’s; of bounded length. */
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

  /** Only the status of a run's events; those that there are, since a stream may be held back on its way. */
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

// For the tab's life only: a token is not left behind on a shared computer.
export const token = {
  get: () => tabStorage.get(TOKEN),
  set: (value) => tabStorage.set(TOKEN, value),
};

export function newKey() {
  // `randomUUID` exists in secure contexts only; a page opened over plain http on a local
  // network still needs a key.
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What an answer says, as a blob; refused where it has more bytes. */
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
  // A browser without `any` waits as long as whoever asked does.
  return signal ? (AbortSignal.any?.([signal, late]) ?? signal) : late;
}

const json = (response) => response.json().catch(() => null);
