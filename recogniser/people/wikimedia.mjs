// A polite client of Wikidata and Wikimedia Commons.
// Sources: mediawiki.org `API:Etiquette`, `Wikimedia APIs/Access policy`, `API:Imageinfo`, `Manual:Maxlag parameter`;
// wikidata.org `Special:ApiHelp/wbgetentities`.

/** The version in the user agent. */
const AGENT = 'VisualDegrees-Recogniser/1';
/** The most entities in one request: those of famous people have up to a megabyte each. */
export const ENTITIES_MAX = 10;
/** The most files in one request, and the most people of one search. */
export const BATCH_MAX = 50;
/** The languages of names, the preferred one first. */
export const LANGUAGES = [
  'en', 'mul', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'pl', 'ru', 'uk', 'tr', 'ar', 'fa', 'he', 'hi', 'ja', 'ko', 'zh',
];
/** The width of a portrait, in pixels: one of those at which Commons keeps copies. */
const PORTRAIT_WIDTH = 960;
/** The most requests under way at once, the most that wait, and the attempts of each. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 500;
const ATTEMPTS_MAX = 3;
/** The longest time of an attempt, and the pause after one that failed and names none, in milliseconds. */
const ATTEMPT_MS_MAX = 10_000;
const PAUSE_MS = 5_000;
/** The longest pause that is waited for, and how long a host that is down is left alone, in milliseconds. */
const PAUSE_MS_MAX = 30_000;
const REST_MS = 30_000;
const JSON_BYTES_MAX = 16_000_000;
const PORTRAIT_BYTES_MAX = 8_000_000;
/** The statuses after which a request is repeated, and those that say something about the request alone. */
const PASSING = new Set([429, 500, 502, 503, 504]);
const OF_REQUEST = new Set([400, 404, 410, 413, 414]);
/** Errors of the API that pass. All others say something about the request. */
const PASSING_CODES = /^(maxlag|ratelimited|readonly|internal_api_error|cirrussearch)/;

const CLOCK = { now: Date.now, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };

/** Wikimedia cannot be asked now. `retryMs` is how long to wait. */
export class WikimediaDown extends Error {
  constructor(message, retryMs = PAUSE_MS) {
    super(message);
    this.retryMs = retryMs;
  }
}

/** Wikimedia does not answer this request, and will not later. */
export class WikimediaRefuses extends Error {}

export class Wikimedia {
  /** Why the last request got no answer; null if it got one. */
  failure = null;
  #agent;
  #bases;
  #isBackground;
  #clock;
  #running = 0;
  #waiting = [];
  /** Until when each host is left alone, in milliseconds since 1970, why, and whether it is down. */
  #rests = new Map();

  /**
   * `contact` is a mail or web address of the operator; `wikidata` and `commons` are the addresses of the sites. Nobody
   * waits for what is asked in the background, so it gives way when the databases lag. `clock` has `now` and `sleep`.
   */
  constructor({ contact, wikidata, commons, isBackground = false, clock = CLOCK }) {
    this.#agent = `${AGENT} (${contact}) node/${process.versions.node}`;
    this.#bases = { wikidata, commons };
    this.#isBackground = isBackground;
    this.#clock = clock;
  }

  /** Returns the items with these numbers (at most `ENTITIES_MAX`), by the number that was asked for. */
  async items(numbers) {
    const { entities = {} } = await this.#api('wikidata', {
      action: 'wbgetentities', ids: numbers.join('|'), props: 'claims|labels|aliases', languages: LANGUAGES.join('|'),
    });
    const found = Object.entries(entities);
    // An item that was merged into another one is told under the number that was asked for.
    return new Map([...found, ...found.map(([key, item]) => [item.redirects?.from ?? key, item])]);
  }

  /** Returns the items whose article in the English Wikipedia has one of these titles, by title. */
  async itemsTitled(titles) {
    const { entities = {} } = await this.#api('wikidata', {
      action: 'wbgetentities', sites: 'enwiki', titles: titles.join('|'), props: 'claims|labels|aliases|sitelinks',
      sitefilter: 'enwiki', languages: LANGUAGES.join('|'),
    });
    const items = Object.values(entities).filter(({ sitelinks }) => sitelinks?.enwiki);
    return new Map(items.map((item) => [item.sitelinks.enwiki.title, item]));
  }

  /** Returns the numbers of at most `count` people whose pages have this name. */
  async peopleNamed(name, count) {
    const words = name.replaceAll(/["\\]/g, ' ');
    return this.#found('wikidata', `"${words}" haswbstatement:P31=Q5`, count);
  }

  /** Returns the numbers of people, those with the most links first: `count` from `offset` on. */
  async mostLinked(count, offset) {
    return this.#found('wikidata', 'haswbstatement:P31=Q5', count, {
      srsort: 'incoming_links_desc', sroffset: offset,
    });
  }

  async #found(site, srsearch, srlimit, more = {}) {
    const answer = await this.#api(site, { action: 'query', list: 'search', srnamespace: 0, srlimit, srsearch, ...more });
    return (answer.query?.search ?? []).map(({ title }) => title).filter((title) => /^Q[1-9]\d*$/.test(title));
  }

  /** Returns the titles of files on Commons that depict this person and nobody else, at most `count`. */
  async filesDepicting(number, count) {
    const answer = await this.#api('commons', {
      action: 'query', list: 'search', srnamespace: 6, srlimit: count,
      srsearch: `haswbstatement:P180=${number} filetype:bitmap`,
    });
    const found = (answer.query?.search ?? []).filter(({ pageid }) => Number.isInteger(pageid));
    if (found.length === 0) return [];
    const ids = found.map(({ pageid }) => `M${pageid}`);
    const { entities = {} } = await this.#api('commons', { action: 'wbgetentities', ids: ids.join('|') });
    const depicts = ({ pageid }) => {
      const statements = entities[`M${pageid}`]?.statements?.P180 ?? [];
      return statements.map(({ mainsnak }) => mainsnak?.datavalue?.value?.id);
    };
    return found.filter((file) => depicts(file).join() === number).map(({ title }) => title);
  }

  /** Returns what Commons says of these files (`File:...`, at most `BATCH_MAX`), by title. */
  async files(titles) {
    const answer = await this.#api('commons', {
      action: 'query', prop: 'imageinfo', titles: titles.join('|'), iiprop: 'url|mime|extmetadata',
      iiurlwidth: PORTRAIT_WIDTH, iiextmetadatafilter: 'Artist|LicenseShortName|LicenseUrl', redirects: 1,
    });
    const { pages = [], normalized = [], redirects = [] } = answer.query ?? {};
    const byTitle = new Map(pages.filter(({ imageinfo }) => imageinfo?.[0]).map((page) => [page.title, page.imageinfo[0]]));
    const leads = new Map([...normalized, ...redirects].map(({ from, to }) => [from, to]));
    const asked = (title) => leads.get(title) ?? title;
    return new Map(titles.map((title) => [title, byTitle.get(asked(asked(title)))]));
  }

  /** Returns the bytes at an address of a file. */
  async bytes(address) {
    return this.#get(new URL(address), PORTRAIT_BYTES_MAX);
  }

  async #api(site, parameters) {
    const url = new URL('/w/api.php', this.#bases[site]);
    const all = { ...parameters, format: 'json', formatversion: 2, ...(this.#isBackground ? { maxlag: 5 } : {}) };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    const answer = objectOf(await this.#get(url, JSON_BYTES_MAX, passingCode));
    if (!answer) throw new WikimediaDown(`${url.host}: an answer that is no JSON`);
    if (answer.error) throw new WikimediaRefuses(`${url.host} answers "${answer.error.code}": ${answer.error.info}`);
    return answer;
  }

  /** Asks until there is an answer. `mustRepeat` returns why an answer is none yet. */
  async #get(url, bytesMax, mustRepeat = () => null) {
    await this.#turn();
    try {
      for (let attempt = 1; ; attempt += 1) {
        await this.#rest(url.host);
        const { bytes, refusal, why, pause } = await this.#attempt(url, bytesMax, mustRepeat);
        if (bytes ?? refusal) this.failure = null;
        if (bytes) return bytes;
        if (refusal) throw new WikimediaRefuses(`${url.host}: ${refusal}`);
        const isOver = attempt === ATTEMPTS_MAX || pause === null;
        this.#leaveAlone(url.host, isOver ? Math.max(REST_MS, pause ?? 0) : pause, { why, isDown: isOver });
      }
    } catch (error) {
      if (error instanceof WikimediaDown) this.failure = error.message;
      throw error;
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Waits until fewer than `AT_ONCE_MAX` requests are under way. */
  async #turn() {
    if (this.#running >= AT_ONCE_MAX) {
      if (this.#waiting.length >= WAITING_MAX) throw new WikimediaDown(`${WAITING_MAX} requests wait`);
      await new Promise((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }

  /** Leaves a host alone for so many milliseconds, or as long as it was to be left alone before, if that is longer. */
  #leaveAlone(host, ms, reason) {
    const until = this.#clock.now() + ms;
    if (until > (this.#rests.get(host)?.until ?? 0)) this.#rests.set(host, { until, ...reason });
  }

  /** Waits while a host is left alone, or fails at once where it is down or that takes long. */
  async #rest(host) {
    const { until = 0, why, isDown } = this.#rests.get(host) ?? {};
    const ms = until - this.#clock.now();
    if (ms <= 0) return;
    if (isDown || ms > PAUSE_MS_MAX) throw new WikimediaDown(`${host}: ${why}`, ms);
    await this.#clock.sleep(ms);
  }

  async #attempt(url, bytesMax, mustRepeat) {
    try {
      const signal = AbortSignal.timeout(ATTEMPT_MS_MAX);
      const response = await fetch(url, { headers: { 'user-agent': this.#agent }, signal });
      const pause = pauseOf(response.headers.get('retry-after'));
      if (!response.ok) {
        await response.body?.cancel();
        const why = `status ${response.status}`;
        if (OF_REQUEST.has(response.status)) return { refusal: why };
        return { why, pause: PASSING.has(response.status) ? pause : null };
      }
      const bytes = await bounded(response, bytesMax);
      if (bytes === null) return { refusal: `more than ${bytesMax} bytes` };
      const why = mustRepeat(bytes);
      return why ? { why, pause } : { bytes };
    } catch (error) {
      return { why: error.cause?.message ?? error.message, pause: PAUSE_MS };
    }
  }
}

/** Returns the pause that a header `Retry-After` names, in seconds or as a date; in milliseconds. */
function pauseOf(header) {
  const seconds = Number(header ?? NaN);
  const ms = Number.isNaN(seconds) ? Date.parse(header ?? '') - Date.now() : 1_000 * seconds;
  return ms > 0 ? ms : PAUSE_MS;
}

/** Returns the code of an error of the API that passes, such as lagging databases. The status is 200 even then. */
function passingCode(bytes) {
  const code = bytes.length > 4_000 ? '' : (objectOf(bytes)?.error?.code ?? '');
  return PASSING_CODES.test(code) ? code : null;
}

/** Returns the object that JSON describes; null if it is none. */
function objectOf(bytes) {
  try {
    return JSON.parse(bytes) ?? null;
  } catch {
    return null;
  }
}

async function bounded(response, bytesMax) {
  const pieces = [];
  let length = 0;
  for await (const piece of response.body) {
    length += piece.length;
    if (length > bytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
