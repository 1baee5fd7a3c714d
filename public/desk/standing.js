// How a node of a graph stands, in words.

import { list } from '../safe.js';

/** What every engine knows of a node that nothing was told of. */
const UNVISITED = Object.freeze({ status: 'waiting', visits: 0, events: 0, verdicts: [] });

export const stateOf = (state, id) => state.nodes.get(id) ?? UNVISITED;

export const CHECKED = { fail: 'a check failed', warn: 'a check warns' };

/** The worst that came of a node's checks: 'fail', 'warn', or '' where all passed. */
export const worstOf = ({ verdicts }) =>
  ['fail', 'warn'].find((word) => list(verdicts).some((one) => one.word === word)) ?? '';

/**
 * "running, 3 times, a check failed": how a node stands, in words. `unreached` says why it was not visited,
 * once the run has ended.
 */
export function standing({ isEnabled, isMissing }, known, unreached = '') {
  const { status, visits } = known;
  if (isMissing) return 'no such node';
  if (status === 'waiting') return isEnabled ? (unreached || 'waiting') : 'switched off';
  const word = status === 'skipped' ? 'passed over' : status;
  return [word, visits > 1 && `${visits} times`, CHECKED[worstOf(known)]].filter(Boolean).join(', ');
}
