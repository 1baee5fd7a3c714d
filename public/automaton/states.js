// Reads a state of an automaton for display, in either format.

import { list, record, text } from '../safe.js';
import { callOf } from './calls.js';

const NAME_CHARS_MAX = 200;
const CHECKS_MAX = 200;
const LINES_MAX = 1_000;

/** The words for each type of check, and for the same with `not`. */
const CHECKS = {
  __proto__: null,
  url: ['the address is', 'the address is not'], text: ['the page shows', 'the page does not show'],
  element: ['the page has', 'the page does not have'], role: ['the page has', 'the page does not have'],
  page_text: ['the page says', 'the page does not say'], value: ['a field holds', 'a field does not hold'],
  enabled: ['one can use', 'one cannot use'], checked: ['checked is', 'not checked is'],
  url_pattern: ['the address is like', 'the address is not like'],
};

/**
 * `{name, description, checks, actions, end, isContinuous, isUnproven, each}`: a check is `{words, is, note}`, an action
 * is what `callOf` returns, `each` is the selector, or the call with it, of the elements for each of which the actions are
 * done.
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
    each: text(flags.for_each) || text(record(flags.for_each).selector),
  };
}

export function checkOf(given) {
  const { type, value, params, not } = record(given);
  const { url, text: shown, selector, by, role, name, pattern, value: held, check_visibility: isVisible } = record(params);
  const roleAndName = [role, name && `“${text(name)}”`].filter(Boolean).join(' ');
  const is = [value, url, shown, held, pattern, roleAndName, selector].map(text).find(Boolean) ?? '';
  const place = text(selector) && is !== text(selector) && `in ${text(selector)}`;
  const notes = [place, text(by) && by !== 'css selector' && `by ${by}`, isVisible === false && 'seen or not'];
  const words = CHECKS[type]?.[not === true ? 1 : 0] ?? `a check of the type “${text(type)}”:`;
  return { words, is, note: notes.filter(Boolean).join(', ') };
}
