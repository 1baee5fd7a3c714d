// The two people of a run as they were typed: names, and perhaps the Wikidata number of who is
// meant by each. What is no number is kept as it is: refusing it, with a reason, is the server's.

import { fold, text } from './safe.js';
import { numberOf } from './wikidata.js';

/** A side, and the option that says who is meant by its name. */
export const NUMBERS = Object.freeze({ a: 'wikidataA', b: 'wikidataB' });

/** `{a, b, wikidataA, wikidataB}` of anything that has some of them; "" for the others. */
export function pair(value) {
  const { a, b, wikidataA, wikidataB } = value;
  return { a: text(a), b: text(b), wikidataA: written(wikidataA), wikidataB: written(wikidataB) };
}

const written = (value) => numberOf(value) || text(value).trim();

/** The numbers that are there, as a run's options. */
export function numbersOf(value) {
  const whole = pair(value);
  const given = Object.values(NUMBERS).filter((option) => whole[option]);
  return Object.fromEntries(given.map((option) => [option, whole[option]]));
}

/** `{a, b}`: the names as the server tells them, with the number where both have one name. */
export function shownNames(value) {
  const whole = pair(value);
  const haveOneName = fold(whole.a) !== '' && fold(whole.a) === fold(whole.b);
  const shown = ([side, option]) => {
    const [name, number] = [whole[side], whole[option]];
    return [side, haveOneName && number ? `${name} (${number})` : name];
  };
  return Object.fromEntries(Object.entries(NUMBERS).map(shown));
}

/** With other names: a number says who was meant by the old one, and goes with it, unless another one is given. */
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
