// What this tab has of the runs that it has started: their secrets, with which a run is stopped, forked and
// published, and what was published of each. They stay in the tab: a shared link has none. A secret is of one
// server, and is told to no other.

import { list, record, text } from './safe.js';
import { tabStorage } from './storage.js';

const KEY = 'visual-degrees-secrets';
// Older runs have expired, and what they published is taken back by their operator.
const RUNS_MAX = 20;

/** The secret of a run of a server; empty where another tab or somebody else has started it. */
export const secretOf = (server, run) => text(keptOf(server, run).secret);

/** `{chain, expires}` of what was published of a run; empty where nothing was. */
export function publishedOf(server, run) {
  const { chain, expires } = keptOf(server, run);
  return { chain: text(chain), expires: text(expires) };
}

export function keepSecret(server, run, secret) {
  if (text(secret)) keep({ ...keptOf(server, run), server, run, secret });
}

export function keepPublished(server, run, { chain, expires }) {
  const before = keptOf(server, run);
  if (text(before.secret)) keep({ ...before, chain, expires });
}

const keptOf = (server, run) => kept().find((one) => one.server === server && one.run === run) ?? {};

function keep(one) {
  const others = kept().filter(({ server, run }) => server !== one.server || run !== one.run);
  tabStorage.set(KEY, JSON.stringify([one, ...others].slice(0, RUNS_MAX)));
}

function kept() {
  try {
    return list(JSON.parse(tabStorage.get(KEY) || '[]')).map(record);
  } catch {
    return [];
  }
}
