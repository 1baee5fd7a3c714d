// Who may be meant by a typed name that was not recognised: whom to ask for, and whom to offer of the answer.

import { NUMBERS, pair } from './pair.js';
import { fold } from './safe.js';
import { askable } from './suggestions.js';

/** More than these nobody compares. */
const OFFERED_MAX = 4;
const OTHER = { a: 'b', b: 'a' };

/** `{side, name}` of each name that can be looked up. A file is shown without asking anybody. */
export function unknownNames(state) {
  if (state.isFile || state.outcome?.kind !== 'no_path') return [];
  const typed = pair(state);
  return state.outcome.unknown
    .map((side) => ({ side, name: askable(typed[side]) }))
    .filter(({ name }) => name);
}

/**
 * Those of the people (`{number, label, description}`) with whom it is worth searching again in place of the name
 * on that side: nobody who was searched for by number, nor who has the other side's name or one that is offered
 * already, because it was recognised.
 */
export function offered(people, state, side) {
  const typed = pair(state);
  const numbers = Object.values(NUMBERS).map((option) => typed[option]);
  const other = OTHER[side];
  const names = state.outcome.suggestions
    .filter((one) => one.side !== other)
    .map(({ name }) => name)
    // Two people of one name may be searched for if each has a number.
    .concat(typed[NUMBERS[other]] ? [] : typed[other])
    .map(fold);
  const isNew = ({ number, label }) => !numbers.includes(number) && !names.includes(fold(label));
  return people.filter(isNew).slice(0, OFFERED_MAX);
}

/** What a new run is asked with: this person in place of the name on that side. */
export const insteadOf = (side, { label, number }) => ({ [side]: label, [NUMBERS[side]]: number });
