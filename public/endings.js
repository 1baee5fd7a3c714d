// Reads the two kinds of last events that report no chain.

import { list, number, record, text } from './safe.js';
import { person } from './wire.js';

export function noPath(event) {
  return {
    kind: 'no_path',
    message: text(event.message),
    reason: text(event.reason),
    explanation: text(event.explanation),
    hopsReached: number(event.hopsReached),
    unknown: ['a', 'b'].filter((side) => list(event.unknown).includes(side)),
    suggestions: list(event.suggestions)
      .map(suggestion)
      .filter((one) => one.name),
  };
}

// A suggestion is a name, or a person, possibly with the side of the typed name that it would replace.
function suggestion(value) {
  const side = [record(value).side, record(value).for].find((one) => one === 'a' || one === 'b');
  return { name: person(value).name, side: side ?? null };
}

export function failure(event) {
  return {
    kind: 'error',
    code: text(event.code),
    provider: text(event.provider),
    message: text(event.message),
    retryable: event.retryable === true,
  };
}
