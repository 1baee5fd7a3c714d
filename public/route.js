// Which of its addresses the page stands at, and the address to share.

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

/** The names ride along so that the pair can be run again when the run itself has expired. */
export function shareLink(run, people) {
  const { a, b } = people;
  const query = new URLSearchParams();
  if (a) query.set('a', a);
  if (b) query.set('b', b);
  for (const [option, number] of Object.entries(numbersOf(people))) query.set(option, number);
  return String(query) ? `${runPath(run)}?${query}` : runPath(run);
}

/** What an address holds beside options. */
const NO_OPTIONS = ['a', 'b', 'wikidataA', 'wikidataB', 'session', 'avoid'];

/**
 * The options that differ from the default. What can be none, by its name, by being there twice or by
 * being empty, is kept as it stands: refusing it, with a reason, is the server's part.
 */
function addressed(query) {
  const [typed, wrong] = [{}, {}];
  for (const name of new Set(query.keys())) {
    if (NO_OPTIONS.includes(name)) continue;
    const values = query.getAll(name);
    const isRight = name in DEFAULTS && values.length === 1 && values[0].trim() !== '';
    if (isRight) typed[name] = values[0];
    else wrong[name] = values.length === 1 ? values[0] : values;
  }
  // An address says milliseconds, as the API does; the form's reader takes seconds.
  if (Number.isFinite(Number(typed.runtimeMs))) typed.runtimeMs = Number(typed.runtimeMs) / 1000;
  return { ...changed({ ...typed, avoid: query.getAll('avoid').join(',') }), ...wrong };
}
