// Events in words. Texts are the page's own words, `{own}` has words of others, and `{run}` is another engine's run.
// Long texts are cut: the run's record has them in full.

import { list, number, text } from '../safe.js';

const VALUE_CHARS_MAX = 280;

/** A value as text on one line, cut to a length. */
export function shown(value, most = VALUE_CHARS_MAX) {
  const words = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return words.length > most ? `${words.slice(0, most)}… (${words.length} characters)` : words;
}

export const own = (value) => ({ own: shown(value) });
/** A value as JSON. The quotation marks around a text distinguish "7" from 7. */
export const literal = (value) => own(JSON.stringify(value) ?? 'nothing');

/** The words as one text, for screen readers. */
export const asText = (words) =>
  list(words).map((one) => (typeof one === 'string' ? one : (one.own ?? ''))).join('').trim();

/** The words for all amounts above zero. `parts` are pairs of an amount and the function that makes its words. */
export function amounts(parts) {
  const told = parts.filter(([value]) => number(value) > 0).map(([value, words]) => words(value));
  return told.length > 0 ? ` (${told.join(', ')})` : '';
}

/** Why a run failed, in the engine's words for its reasons. */
export const reasonWords = (words, reason) => words[reason] ?? (text(reason) || 'no reason was given');
