// What is known of one state of an automaton during a run. Pure: each event makes a new value.

import { list, number, record, text } from '../safe.js';

const WARNINGS_MAX = 20;
const LINES_MAX = 1_000;

export const unvisited = Object.freeze({
  status: 'waiting', // waiting | running | done | failed | stopped
  visits: 0,
  events: 0,
  actions: new Map(), // of this visit, by the action's line: {status, point, isFallback, isUnchanged, message}
  warnings: [],
  mark: '', // what models have done to the state, in words
  proof: '', // the words for that what models made holds again
  unmet: null, // the number, from 0, of the check that did not hold at the last look
  error: '',
  verdicts: [], // an automaton has no verdicts, since its checks either hold or do not
});

/** What is known of the state with this id. */
export const knownOf = (state, id) => state.nodes.get(id) ?? unvisited;

export function stateAfter(before, { type, payload }) {
  const known = { ...before, events: before.events + 1 };
  const told = record(payload);
  switch (type) {
    case 'state_entered':
      return { ...known, status: 'running', visits: known.visits + 1, actions: new Map(), error: '' };
    case 'state_left':
      return { ...known, status: known.error ? 'failed' : 'done', actions: settled(known.actions) };
    case 'action_begun':
      return withAction({ ...known, actions: settled(known.actions) }, told, { status: 'running' });
    case 'action_done':
      return withAction(known, told, {
        status: 'done', point: pointOf(told.point), isFallback: told.fallback === true, isUnchanged: told.unchanged === true,
      });
    case 'round_begun':
      return { ...known, actions: new Map() };
    case 'action_failed':
      return { ...withAction(known, told, { status: 'failed', message: text(told.message) }), error: text(told.message) };
    case 'recovering':
      return withAction(known, told, { status: 'unknown' });
    case 'warning':
      return { ...known, warnings: [...known.warnings, text(told.message)].slice(-WARNINGS_MAX) };
    case 'state_made':
      return { ...known, mark: 'made by a model' };
    case 'state_changed':
      return { ...known, mark: known.mark || 'made anew' };
    case 'state_kept':
      return { ...known, mark: known.mark || 'made anew', proof: text(told.proof) || 'none' };
    default:
      return known;
  }
}

/**
 * Marks the running action as done, once the next one begins or the state is left. A wait has no event for its end, and
 * a failed action has already been reported.
 */
const settled = (actions) => over(actions, 'done');

/** What is known of a state when the run is over. An action that has not ended was interrupted. */
export const atEnd = (known) => ({ ...known, actions: over(known.actions, 'stopped') });

function over(actions, status) {
  const isOver = ([line, action]) => [line, action.status === 'running' ? { ...action, status } : action];
  return new Map([...actions].map(isOver));
}

function withAction(known, { line }, what) {
  if (number(line) === null || line > LINES_MAX) return known;
  const actions = new Map(known.actions);
  actions.set(line, { point: null, isFallback: false, isUnchanged: false, message: '', ...what });
  return { ...known, actions };
}

/** A point as `{x, y}` in the page's own pixels; null if it is invalid. */
export function pointOf(value) {
  const [x, y] = list(value).map(number);
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}
