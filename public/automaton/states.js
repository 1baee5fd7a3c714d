// Reads a state of an automaton for display, in either format.

import { list, record, text } from '../safe.js';
import { callOf } from './calls.js';

const NAME_CHARS_MAX = 200;
const CHECKS_MAX = 200;
const LINES_MAX = 1_000;

const CHECKS = {
  __proto__: null, url: 'the address is', text: 'the page shows', element: 'the page has',
};

/**
 * `{name, description, checks, actions, end, isContinuous, isUnproven}`: a check is `{words, is, note}`, an action is
 * what `callOf` returns.
 */
export function viewOf(json) {
  const { name, description, checks, actions, end_state: end, config } = record(json);
  const flags = record(config);
  return {
    name: text(name).slice(0, NAME_CHARS_MAX),
    description: text(description),
    checks: list(checks).slice(0, CHECKS_MAX).map(checkOf),
    actions: list(actions).slice(0, LINES_MAX).map(callOf),
    end: text(end),
    isContinuous: Boolean(flags.continuous ?? flags.continous),
    isUnproven: flags.unproven === true,
  };
}

export function checkOf(given) {
  const { type, value, params } = record(given);
  const { url, text: shown, selector, by, check_visibility: isVisible } = record(params);
  const is = [value, url, shown, selector].map(text).find(Boolean) ?? '';
  const notes = [text(by) && by !== 'css selector' && `by ${by}`, isVisible === false && 'seen or not'];
  return { words: CHECKS[type] ?? `a check of the type “${text(type)}”:`, is, note: notes.filter(Boolean).join(', ') };
}
