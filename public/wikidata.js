// Wikidata's numbers, which say who is meant: `Q42` is one person, whatever their names.

import { text } from './safe.js';

/** `Q42`, or "" where the value is none; a small `q` and spaces around it are taken, too. */
export function numberOf(value) {
  const digits = /^[Qq]([1-9]\d{0,11})$/.exec(text(value).trim());
  return digits ? `Q${digits[1]}` : '';
}

/** The page about whom a number means, or "". */
export function pageOf(number) {
  return numberOf(number) && `https://www.wikidata.org/wiki/${numberOf(number)}`;
}
