// Parses the page's address, and builds the address to share.

import { changed, DEFAULTS } from './options.js';
import { numbersOf, pair } from './pair.js';
import { decoded } from './subject.js';

export function route(address) {
  const url = new URL(address);
  const query = url.searchParams;
  const names = pair(Object.fromEntries(query));
  const session = query.get('session') ?? '';
  const run = /^\/runs\/([^/]+)\/?$/.exec(url.pathname);
  if (run) return { page: 'run', run: decoded(run[1]), ...names, options: {} };
  if (/^\/investigate\/?$/.test(url.pathname)) {
    return { page: 'investigate', ...names, session, options: addressed(query) };
  }
  const [, digest] = /^\/chains\/([0-9a-f]{64})\/?$/.exec(url.pathname) ?? [];
  if (digest) return { page: 'chain', chain: `${url.origin}/chains/${digest}`, ...names, options: {} };
  const page = /^\/(?:index\.html)?$/.test(url.pathname) ? 'home' : 'nowhere';
  return { page, ...names, session, options: addressed(query) };
}

export const runPath = (run) => `/runs/${encodeURIComponent(run)}`;

/** The names are included so that the search can be repeated after the run has expired. */
export function shareLink(run, people) {
  const { a, b } = people;
  const query = new URLSearchParams();
  if (a) query.set('a', a);
  if (b) query.set('b', b);
  for (const [option, number] of Object.entries(numbersOf(people))) query.set(option, number);
  return String(query) ? `${runPath(run)}?${query}` : runPath(run);
}

/** The parameters of an address that are not options of a run. */
const NO_OPTIONS = ['a', 'b', 'wikidataA', 'wikidataB', 'session', 'avoid'];
/** The fields that may be empty if the form is sent without script. Empty means no limit, or the default. */
const MAY_BE_EMPTY = ['budgetUsd', 'seconds'];

/**
 * The options that differ from the default. Unknown, repeated or empty ones are kept as they are, for the server to
 * refuse with a reason.
 */
function addressed(query) {
  const [typed, wrong] = [{}, {}];
  for (const name of new Set(query.keys())) {
    if (NO_OPTIONS.includes(name)) continue;
    const values = query.getAll(name);
    const isEmpty = values.every((value) => value.trim() === '');
    if (isEmpty && MAY_BE_EMPTY.includes(name)) continue;
    const isRight = (name in DEFAULTS || name === 'seconds') && values.length === 1 && !isEmpty;
    if (isRight) typed[name] = values[0];
    else wrong[name] = values.length === 1 ? values[0] : values;
  }
  // Addresses state milliseconds, like the API, but the form's reader expects seconds.
  if (Number.isFinite(Number(typed.runtimeMs))) typed.runtimeMs = Number(typed.runtimeMs) / 1000;
  else if (typed.seconds !== undefined && typed.runtimeMs === undefined) typed.runtimeMs = typed.seconds;
  return { ...changed({ ...typed, avoid: query.getAll('avoid').join(',') }), ...wrong };
}
