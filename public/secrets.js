// The secrets of the runs that this tab has started: with them a run is stopped and forked. They
// stay in the tab: a shared link has none.

import { list, text } from './safe.js';
import { tabStorage } from './storage.js';

const KEY = 'visual-degrees-secrets';
// Older runs have expired.
const RUNS_MAX = 20;

/** The secret of a run; empty where another tab or somebody else has started it. */
export const secretOf = (run) => kept().find(([known]) => known === run)?.[1] ?? '';

export function keepSecret(run, secret) {
  if (!text(secret)) return;
  const others = kept().filter(([known]) => known !== run);
  tabStorage.set(KEY, JSON.stringify([[run, secret], ...others].slice(0, RUNS_MAX)));
}

function kept() {
  try {
    const pairs = list(JSON.parse(tabStorage.get(KEY) || '[]'));
    return pairs.map((pair) => list(pair).map(String));
  } catch {
    return [];
  }
}
