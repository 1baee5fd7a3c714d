// Wikidata numbers, which identify people: `Q42` is one person, whatever their names.

import { text } from './safe.js';

/** `Q42`, or "" if invalid; a small `q` and spaces around it are accepted. */
export function numberOf(value) {
  const digits = /^[Qq]([1-9]\d{0,11})$/.exec(text(value).trim());
  return digits ? `Q${digits[1]}` : '';
}

/** The page about a number's person, or "". */
export function pageOf(number) {
  return numberOf(number) && `https://www.wikidata.org/wiki/${numberOf(number)}`;
}
