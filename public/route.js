// Which of the three addresses the page stands at, and the address to share.

import { changed, DEFAULTS } from './options.js';
import { numbersOf, pair } from './pair.js';

export function route(address) {
  const url = new URL(address);
  const query = url.searchParams;
  const names = pair(Object.fromEntries(query));
  const run = /^\/runs\/([^/]+)\/?$/.exec(url.pathname);
  if (run) return { page: 'run', run: decoded(run[1]), ...names, options: {} };
  if (/^\/investigate\/?$/.test(url.pathname)) {
    return { page: 'investigate', ...names, options: addressed(query) };
  }
  return { page: 'home', ...names, options: addressed(query) };
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

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// An address says milliseconds, as the API does; the form's reader takes seconds.
function addressed(query) {
  const typed = {};
  for (const name of Object.keys(DEFAULTS)) {
    if (query.has(name)) typed[name] = query.get(name);
  }
  if (Number.isFinite(Number(typed.runtimeMs))) typed.runtimeMs = Number(typed.runtimeMs) / 1000;
  else delete typed.runtimeMs;
  return changed({ ...typed, avoid: query.getAll('avoid').join(',') });
}
