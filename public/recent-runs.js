// The runs that were viewed in this browser. They are stored only here, until the user deletes them.

import { list, record, text } from './safe.js';
import { browserStorage } from './storage.js';

const KEY = 'visual-degrees-recent';
const RUNS_MAX = 12;

/** `{run, a, b}`, the newest first. */
export function recentRuns() {
  try {
    const kept = list(JSON.parse(browserStorage.get(KEY) || '[]')).map(record);
    const runs = kept.map(({ run, a, b }) => ({ run: text(run), a: text(a), b: text(b) }));
    return runs.filter(({ run, a, b }) => run && a && b);
  } catch {
    return [];
  }
}

export function rememberRun({ run, a, b }) {
  if (!run || !a || !b) return;
  const others = recentRuns().filter((one) => one.run !== run);
  write([{ run, a, b }, ...others].slice(0, RUNS_MAX));
}

/** Removes one run from the list, or all of them if `run` is null. */
export function forgetRun(run = null) {
  write(run === null ? [] : recentRuns().filter((one) => one.run !== run));
}

/** Calls `changed` after another tab has changed the stored runs. */
export function hearOfOtherTabs(changed) {
  // The key is null if the other tab has cleared the whole storage.
  addEventListener('storage', ({ key }) => [KEY, null].includes(key) && changed());
}

const write = (runs) => browserStorage.set(KEY, runs.length > 0 ? JSON.stringify(runs) : '');
