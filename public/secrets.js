// The secrets of the runs that this tab has started, which permit stopping, forking and publishing, and their
// publications. They stay in the tab: a shared link has none. A secret is sent only to the server of its run.

import { list, record, text } from './safe.js';
import { tabStorage } from './storage.js';

const KEY = 'visual-degrees-secrets';
// The most runs whose secrets are kept. Older runs have expired, and only the operator can withdraw their publications.
const RUNS_MAX = 20;

/** The secret of a server's run; empty if another tab or person has started it. */
export const secretOf = (server, run) => text(keptOf(server, run).secret);

/** `{chain, expires}` of a run's publication; empty if there is none. */
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
