// Suggestions for typed names that were not recognised: which names to look up, and which people to offer.

import { NUMBERS, pair } from './pair.js';
import { fold } from './safe.js';
import { askable } from './suggestions.js';

/** The most people who are offered for one name. */
const OFFERED_MAX = 4;
const OTHER = { a: 'b', b: 'a' };

/** The names to look up, each as `{side, name}`. A file has none, since showing it makes no requests. */
export function unknownNames(state) {
  if (state.isFile || state.outcome?.kind !== 'no_path') return [];
  const typed = pair(state);
  return state.outcome.unknown
    .map((side) => ({ side, name: askable(typed[side]) }))
    .filter(({ name }) => name);
}

/**
 * The people (`{number, label, description}`) to offer in place of the name on that side. People are left out if their
 * number was already searched for, or if they have the other side's name or that of a person already offered.
 */
export function offered(people, state, side) {
  const typed = pair(state);
  const numbers = Object.values(NUMBERS).map((option) => typed[option]);
  const other = OTHER[side];
  const names = state.outcome.suggestions
    .filter((one) => one.side !== other)
    .map(({ name }) => name)
    // Two people with the same name may be searched for if each has a number.
    .concat(typed[NUMBERS[other]] ? [] : typed[other])
    .map(fold);
  const isNew = ({ number, label }) => !numbers.includes(number) && !names.includes(fold(label));
  return people.filter(isNew).slice(0, OFFERED_MAX);
}

/** The question of a new run: this person in place of the name on that side. */
export const insteadOf = (side, { label, number }) => ({ [side]: label, [NUMBERS[side]]: number });
