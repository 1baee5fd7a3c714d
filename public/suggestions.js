// The people whom typed text may mean: reads the answer of `GET /people`.

import { fold, list, record, text } from './safe.js';
import { numberOf } from './wikidata.js';

/** The most suggestions that are shown at once. */
const SHOWN_MAX = 8;
const CHARS_MIN = 2;
const CHARS_MAX = 100;

/**
 * The query for a typed text, or "" if it is too short or too long. A space at the end stays: it says that the last
 * word is complete.
 */
export function askable(typed) {
  const words = typed.trimStart().replace(/\s+/g, ' ');
  const { length } = [...words.trimEnd()];
  return length >= CHARS_MIN && length <= CHARS_MAX ? words : '';
}

/** The people of an answer, each once: `{number, label, description, alias}`. */
export function suggestions(answer) {
  const people = new Map();
  for (const one of list(record(answer).people).map(suggested)) {
    if (one.number && one.label && !people.has(one.number)) people.set(one.number, one);
  }
  return [...people.values()].slice(0, SHOWN_MAX);
}

function suggested(value) {
  const { number, label, description, alias } = record(value);
  const name = text(label).trim();
  // An alias is shown only if it differs from the name.
  const other = fold(alias) === fold(name) ? '' : text(alias).trim();
  return { number: numberOf(number), label: name, description: text(description), alias: other };
}
