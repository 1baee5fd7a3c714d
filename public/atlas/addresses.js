// The addresses of the atlas's page: the current one, and those that it links to.

import { pair } from '../pair.js';
import { decoded } from '../subject.js';

/**
 * What an address names: `{page}` is "person" with an `id`, "path" with `a` and `b`, "home" with the search text, or
 * "nowhere".
 */
export function placeOf(address) {
  const url = new URL(address);
  const of = (name) => (url.searchParams.get(name) ?? '').trim();
  const [, id] = /^\/atlas\/people\/([^/]+)\/?$/.exec(url.pathname) ?? [];
  if (id) return { page: 'person', id: decoded(id) };
  if (/^\/atlas\/path\/?$/.test(url.pathname)) return { page: 'path', a: of('a'), b: of('b') };
  if (/^\/atlas\/?$/.test(url.pathname)) return { page: 'home', typed: of('q') };
  return { page: 'nowhere' };
}

export const personAddress = (id) => `/atlas/people/${encodeURIComponent(id)}`;
export const pathAddress = (a, b) => `/atlas/path?${new URLSearchParams({ a, b })}`;
export const searchAddress = (typed) => `/atlas?${new URLSearchParams({ q: typed })}`;

/**
 * The address to start a run from here. With two people, the run starts at once; with one, the form waits for the other
 * name. A person is `{name, wikidata}`.
 */
export function furtherAddress(from, to = null) {
  const asked = pair({ a: from.name, b: to?.name, wikidataA: from.wikidata, wikidataB: to?.wikidata });
  const given = Object.entries(asked).filter(([, value]) => value !== '');
  return `${to ? '/investigate' : '/'}?${new URLSearchParams(given)}`;
}
