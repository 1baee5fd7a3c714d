// Stands in for Wikidata and Commons: items, files and their bytes, with the rules that their clients must obey.
import { createServer } from 'node:http';
import { folded } from '../../recogniser/people/records.mjs';

/**
 * Serves these people and `photos`, each with a `title`, `bytes`, `caption` and whom it `depicts`. A person has `number`,
 * `names` (the first is the label, in `language`), the `title` of an article, a `portrait` (bytes, of the type `mime`) and
 * `others`: more files that depict the person, each with `bytes` and `depicts`; or only `mergedInto`, another number. `faults` are answers to give instead, one a request:
 * `{ status, headers, body }`, or null for the usual answer.
 */
export async function standIn(people, photos = []) {
  const requests = [];
  const faults = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    requests.push({ path: url.pathname, query: Object.fromEntries(url.searchParams), agent: request.headers['user-agent'] });
    const { status = 200, headers = {}, body } = faults.shift() ?? answer(url, request.headers, { people, files: filesOf(people, photos), origin: originOf(server) });
    response.writeHead(status, headers);
    response.end(Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => {
    server.closeAllConnections();
    server.close(resolve);
  });
  return { origin: originOf(server), requests, faults, close };
}

const originOf = (server) => `http://127.0.0.1:${server.address().port}`;

function answer(url, headers, { people, files, origin }) {
  // Browsers are shown files. Source: mediawiki.org `Wikimedia APIs/Access policy`.
  const isShown = url.pathname.startsWith('/files/') && headers['user-agent']?.startsWith('Mozilla/5.0 ');
  if (!isShown && !/^[\w-]+\/\S+ \(.*\S+@\S+\.\S+\)/.test(headers['user-agent'] ?? '')) return { status: 403, body: 'Set a user agent.' };
  if (url.pathname.startsWith('/files/')) {
    const file = files.get(decodeURIComponent(url.pathname.slice(7)));
    return file ? { headers: { 'content-type': 'image/jpeg' }, body: file.bytes } : { status: 404 };
  }
  if (url.pathname !== '/w/api.php') return { status: 404 };
  const query = Object.fromEntries(url.searchParams);
  const batch = (query.ids ?? query.titles ?? '').split('|');
  if (query.format !== 'json' || query.formatversion !== '2' || batch.length > 50) {
    return { body: { error: { code: 'badvalue', info: 'a parameter is wrong' } } };
  }
  if (query.meta === 'siteinfo') return { body: { query: { general: { sitename: 'A stand-in' } } } };
  if (query.generator === 'search') return { body: foundFiles(query, people, files, origin) };
  if (query.list === 'search') return { body: search(query, people, files) };
  if (query.prop === 'imageinfo') return { body: imageInfo(batch, files, origin) };
  if (query.ids?.startsWith('M')) return { body: { entities: depicted(batch, files) } };
  // Wikidata refuses the whole batch.
  const beyond = batch.find((id) => query.ids && Number(id.slice(1)) > 2_147_483_647);
  if (beyond) return { body: { error: { code: 'no-such-entity', info: 'Could not find an entity', id: beyond } } };
  return { body: { entities: items(query, batch, people) } };
}

function filesOf(people, photos) {
  const own = people.filter(({ portrait }) => portrait).map(({ number, portrait, mime }) =>
    ({ title: `File:Portrait of ${number}.jpg`, bytes: portrait, depicts: [number], mime }));
  const others = people.flatMap(({ number, others = [] }) =>
    others.map((file, place) => ({ title: `File:Other ${place} of ${number}.jpg`, ...file })));
  return new Map([...photos, ...own, ...others].map((file, place) => [file.title, { ...file, page: place + 1 }]));
}

function search({ srsearch, srlimit, sroffset = 0 }, people, files) {
  const [, depicted] = /^haswbstatement:P180=(Q\d+) filetype:bitmap$/.exec(srsearch) ?? [];
  if (depicted) {
    const found = [...files.values()].filter(({ depicts }) => depicts.includes(depicted));
    return { query: { search: found.slice(0, srlimit).map(({ title, page }) => ({ ns: 6, title, pageid: page })) } };
  }
  const [, name] = /^(?:"([^"]*)" )?haswbstatement:P31=Q5$/.exec(srsearch);
  const hasName = ({ names = [] }) => !name || names.some((one) => folded(one).includes(folded(name)));
  const found = people.filter((person) => !person.mergedInto && (person.kind ?? 'Q5') === 'Q5' && hasName(person));
  const page = found.slice(Number(sroffset), Number(sroffset) + Number(srlimit));
  return page.length > 0 ? { query: { search: page.map(({ number }) => ({ ns: 0, title: number })) } } : { batchcomplete: true };
}

/** Answers the image search: files that depict one of the people asked for, or whose caption has a name. */
function foundFiles({ gsrsearch, gsrlimit, gsroffset = 0 }, people, files, origin) {
  const numbers = [...gsrsearch.matchAll(/P180=(Q\d+)/g)].map(([, number]) => number);
  const named = people.filter(({ number, names = [''] }) =>
    numbers.includes(number) || folded(gsrsearch).includes(folded(names[0])));
  const isFound = ({ caption, depicts }) =>
    caption && named.some(({ number, names }) => depicts.includes(number) || caption.includes(names[0]));
  const found = [...files.values()].filter(isFound).slice(Number(gsroffset), Number(gsroffset) + Number(gsrlimit));
  if (found.length === 0) return { batchcomplete: true };
  const pages = found.map((file, place) => ({ ...pageOf(file, origin), pageid: file.page, index: place + 1 }));
  return { batchcomplete: true, query: { pages } };
}

function imageInfo(titles, files, origin) {
  const pages = titles.map((title) => {
    const file = files.get(title);
    return file ? pageOf(file, origin) : { ns: 6, title, missing: true };
  });
  return { batchcomplete: true, query: { pages } };
}

function pageOf({ title, caption, mime = 'image/jpeg', width = 800, height = 600 }, origin) {
  const address = `${origin}/files/${encodeURIComponent(title)}`;
  const extmetadata = {
    Artist: { value: '<a href="//example.org/">The &amp; photographer</a>' }, LicenseShortName: { value: 'CC BY 4.0' },
    LicenseUrl: { value: 'https://creativecommons.org/licenses/by/4.0' },
    ...(caption ? { ImageDescription: { value: caption } } : {}),
  };
  const info = {
    url: address, thumburl: address, mime, descriptionurl: `${origin}/wiki/${title}`, extmetadata,
    width, height, thumbwidth: width, thumbheight: height, size: 100_000,
  };
  return { ns: 6, title, imageinfo: [info] };
}

function depicted(ids, files) {
  const found = [...files.values()].filter(({ page }) => ids.includes(`M${page}`));
  const statement = (id) => ({ mainsnak: { datavalue: { value: { id } } } });
  return Object.fromEntries(found.map(({ page, depicts }) =>
    [`M${page}`, { id: `M${page}`, statements: { P180: depicts.map(statement) } }]));
}

function items({ ids, titles }, batch, people) {
  const known = people.filter(({ number, title }) => (ids ? batch.includes(number) : titles && batch.includes(title)));
  const found = known.map((person) => [person.number, itemOrTarget(person, people)]);
  const missing = ids ? batch.filter((id) => !known.some(({ number }) => number === id)) : [];
  return Object.fromEntries([...found, ...missing.map((id) => [id, { id, missing: '' }])]);
}

/** Returns a person's item, or that into which it was merged, as `wbgetentities` tells it. */
function itemOrTarget(person, people) {
  if (!person.mergedInto) return itemOf(person);
  const target = people.find(({ number }) => number === person.mergedInto);
  return { ...itemOf(target), redirects: { from: person.number, to: target.number } };
}

function itemOf({ number, names: [label, ...aliases], language = 'en', title, portrait, kind = 'Q5' }) {
  const claim = (value, rank = 'normal') => ({ rank, mainsnak: { snaktype: 'value', datavalue: { value } } });
  const claims = { P31: [claim({ id: kind })] };
  if (portrait) claims.P18 = [claim('Old.jpg', 'deprecated'), claim(`Portrait_of_${number}.jpg`)];
  return {
    type: 'item', id: number, claims, labels: { [language]: { language, value: label } },
    aliases: { [language]: aliases.map((value) => ({ language, value })) },
    ...(title ? { sitelinks: { enwiki: { site: 'enwiki', title } } } : {}),
  };
}

/** Returns a clock that does not wait: what sleeps goes on at once, at a later time. `slept` tells how long. */
export function clockOf() {
  let passed = 0;
  const slept = [];
  return {
    slept,
    now: () => Date.now() + passed,
    pass: (ms) => (passed += ms),
    sleep: async (ms) => {
      slept.push(Math.round(ms / 10) * 10);
      passed += ms;
    },
  };
}
