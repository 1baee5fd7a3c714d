// Describes the status of a node of a graph in words.

import { list } from '../safe.js';

/** The state of a node without any events. */
const UNVISITED = Object.freeze({ status: 'waiting', visits: 0, events: 0, verdicts: [] });

export const stateOf = (state, id) => state.nodes.get(id) ?? UNVISITED;

export const CHECKED = { fail: 'a check failed', warn: 'a check warns' };

/** The worst result of a node's checks: 'fail', 'warn', or '' if all passed. */
export const worstOf = ({ verdicts }) =>
  ['fail', 'warn'].find((word) => list(verdicts).some((one) => one.word === word)) ?? '';

/**
 * The status of a node in words, like "running, 3 times, a check failed". `unreached` says why it was not visited, once
 * the run has ended.
 */
export function standing({ isEnabled, isMissing }, known, unreached = '') {
  const { status, visits } = known;
  if (isMissing) return 'no such node';
  if (status === 'waiting') return isEnabled ? (unreached || 'waiting') : 'switched off';
  const word = status === 'skipped' ? 'passed over' : status;
  return [word, visits > 1 && `${visits} times`, CHECKED[worstOf(known)]].filter(Boolean).join(', ');
}
