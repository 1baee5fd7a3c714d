// The two people of a run as typed: names, each possibly with a Wikidata number. An invalid number is kept as it is,
// for the server to refuse with a reason.

import { fold, text } from './safe.js';
import { numberOf } from './wikidata.js';

/** The option of each side with the Wikidata number of the person meant. */
export const NUMBERS = Object.freeze({ a: 'wikidataA', b: 'wikidataB' });

/** The members `{a, b, wikidataA, wikidataB}` of a value; those that it lacks are "". */
export function pair(value) {
  const { a, b, wikidataA, wikidataB } = value;
  return { a: text(a), b: text(b), wikidataA: written(wikidataA), wikidataB: written(wikidataB) };
}

const written = (value) => numberOf(value) || text(value).trim();

/** The given numbers, as a run's options. */
export function numbersOf(value) {
  const whole = pair(value);
  const given = Object.values(NUMBERS).filter((option) => whole[option]);
  return Object.fromEntries(given.map((option) => [option, whole[option]]));
}

/** The names `{a, b}` as the server writes them, with the Wikidata number if both names are equal. */
export function shownNames(value) {
  const whole = pair(value);
  const haveOneName = fold(whole.a) !== '' && fold(whole.a) === fold(whole.b);
  const shown = ([side, option]) => {
    const [name, number] = [whole[side], whole[option]];
    return [side, haveOneName && number ? `${name} (${number})` : name];
  };
  return Object.fromEntries(Object.entries(NUMBERS).map(shown));
}

/** Replaces names. A number belongs to its old name and is removed with it, unless a new one is given. */
export function renamed(value, names) {
  const changed = pair(value);
  for (const [side, option] of Object.entries(NUMBERS)) {
    const name = text(names[side]);
    if (!name) continue;
    if (option in names) changed[option] = written(names[option]);
    else if (name !== changed[side]) changed[option] = '';
    changed[side] = name;
  }
  return changed;
}
