// What is told in words: the page's own words are texts, and what comes from strangers is kept apart from them, as
// `{own}`; a run of another engine is `{run}`. Texts are cut: the record of a run has all of them.

import { list, number, text } from '../safe.js';

const VALUE_CHARS_MAX = 280;

/** A value in one line, cut. */
export function shown(value, most = VALUE_CHARS_MAX) {
  const words = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return words.length > most ? `${words.slice(0, most)}… (${words.length} characters)` : words;
}

export const own = (value) => ({ own: shown(value) });
/** With the marks of a text, which tell "7" from 7. */
export const literal = (value) => own(JSON.stringify(value) ?? 'nothing');

/** The words as one text, for those who hear them. */
export const asText = (words) =>
  list(words).map((one) => (typeof one === 'string' ? one : (one.own ?? ''))).join('').trim();

/** Amounts that are more than nothing, in words: `parts` are `[amount, words of it]`. */
export function amounts(parts) {
  const told = parts.filter(([value]) => number(value) > 0).map(([value, words]) => words(value));
  return told.length > 0 ? ` (${told.join(', ')})` : '';
}

/** Why a run failed, by the words that an engine has for its reasons. */
export const reasonWords = (words, reason) => words[reason] ?? (text(reason) || 'no reason was given');
