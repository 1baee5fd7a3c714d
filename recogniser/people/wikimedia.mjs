// A polite client of Wikidata and Wikimedia Commons.
// Sources: mediawiki.org `API:Etiquette`, `Wikimedia APIs/Access policy`, `API:Imageinfo`;
// wikidata.org `Special:ApiHelp/wbgetentities`.

/** The version in the user agent. */
const AGENT = 'VisualDegrees-Recogniser/1';
/** The most entities or files in one request. */
export const BATCH_MAX = 50;
/** The width of a portrait, in pixels: one of those at which Commons keeps copies. */
const PORTRAIT_WIDTH = 960;
/** The most requests under way at once, and the attempts of each. */
const AT_ONCE_MAX = 2;
const ATTEMPTS_MAX = 3;
/** The longest time of an attempt, and the pause after one that failed and names none, in milliseconds. */
const ATTEMPT_MS_MAX = 10_000;
const PAUSE_MS = 5_000;
/** The longest pause that is waited for, in milliseconds. */
const PAUSE_MS_MAX = 30_000;
const JSON_BYTES_MAX = 8_000_000;
const PORTRAIT_BYTES_MAX = 8_000_000;
/** The statuses after which a request is repeated. */
const PASSING = new Set([429, 500, 502, 503, 504]);

/** Wikimedia cannot be asked now, or refuses. */
export class WikimediaDown extends Error {}

export class Wikimedia {
  #agent;
  #bases;
  #running = 0;
  #waiting = [];

  /** `contact` is a mail or web address of the operator; `wikidata` and `commons` are the addresses of the sites. */
  constructor({ contact, wikidata = 'https://www.wikidata.org', commons = 'https://commons.wikimedia.org' }) {
    this.#agent = `${AGENT} (${contact}) node/${process.versions.node}`;
    this.#bases = { wikidata, commons };
  }

  /** Returns the items with these numbers (at most `BATCH_MAX`), by number. */
  async items(numbers) {
    const answer = await this.#api('wikidata', {
      action: 'wbgetentities', ids: numbers.join('|'), props: 'claims|labels|aliases', languages: 'en|mul',
    });
    return answer.entities ?? {};
  }

  /** Returns the items whose article in the English Wikipedia has one of these titles, by title. */
  async itemsTitled(titles) {
    const answer = await this.#api('wikidata', {
      action: 'wbgetentities', sites: 'enwiki', titles: titles.join('|'), props: 'claims|labels|aliases|sitelinks',
      sitefilter: 'enwiki', languages: 'en|mul',
    });
    const items = Object.values(answer.entities ?? {}).filter(({ sitelinks }) => sitelinks?.enwiki);
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
      iiurlwidth: PORTRAIT_WIDTH, iiextmetadatafilter: 'Artist|LicenseShortName|LicenseUrl',
    });
    const { pages = [], normalized = [] } = answer.query ?? {};
    const byTitle = new Map(pages.filter(({ imageinfo }) => imageinfo?.[0]).map((page) => [page.title, page.imageinfo[0]]));
    const asked = new Map(normalized.map(({ from, to }) => [from, to]));
    return new Map(titles.map((title) => [title, byTitle.get(asked.get(title) ?? title)]));
  }

  /** Returns the bytes at an address of a file. */
  async bytes(address) {
    return this.#get(new URL(address), PORTRAIT_BYTES_MAX);
  }

  async #api(site, parameters) {
    const url = new URL('/w/api.php', this.#bases[site]);
    const all = { ...parameters, format: 'json', formatversion: 2, maxlag: 5 };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    const answer = JSON.parse(await this.#get(url, JSON_BYTES_MAX, isLagging));
    if (answer.error) throw new WikimediaDown(`${url.host} answers "${answer.error.code}": ${answer.error.info}`);
    return answer;
  }

  async #get(url, bytesMax, mustRepeat = () => false) {
    await this.#turn();
    try {
      for (let attempt = 1; ; attempt += 1) {
        const { pause, bytes, why } = await this.#attempt(url, bytesMax, mustRepeat);
        if (bytes) return bytes;
        if (pause === null || attempt === ATTEMPTS_MAX) throw new WikimediaDown(`${url.host}: ${why}`);
        await new Promise((resolve) => setTimeout(resolve, Math.min(pause, PAUSE_MS_MAX)));
      }
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Waits until fewer than `AT_ONCE_MAX` requests are under way. */
  async #turn() {
    if (this.#running >= AT_ONCE_MAX) await new Promise((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
  }

  async #attempt(url, bytesMax, mustRepeat) {
    try {
      const signal = AbortSignal.timeout(ATTEMPT_MS_MAX);
      const response = await fetch(url, { headers: { 'user-agent': this.#agent }, signal });
      const pause = 1_000 * Number(response.headers.get('retry-after') ?? PAUSE_MS / 1_000) || PAUSE_MS;
      if (!response.ok) {
        await response.body?.cancel();
        return { why: `status ${response.status}`, pause: PASSING.has(response.status) ? pause : null };
      }
      const bytes = await bounded(response, bytesMax);
      if (bytes === null) return { why: `more than ${bytesMax} bytes`, pause: null };
      return mustRepeat(bytes) ? { why: 'its databases lag behind', pause } : { bytes };
    } catch (error) {
      return { why: error.cause?.message ?? error.message, pause: PAUSE_MS };
    }
  }
}

/** Whether an answer says that the databases lag behind, for which the API has status 200. */
function isLagging(bytes) {
  return bytes.length < 2_000 && bytes.includes('"maxlag"') && JSON.parse(bytes).error?.code === 'maxlag';
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
