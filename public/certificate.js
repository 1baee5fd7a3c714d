// Reads the chain's certificate and the other chains from the last event, with bounded lengths.

import { list, record, text } from './safe.js';
import { people } from './wire.js';

const LINES_MAX = 20;

/** The sentences of the chain's certificate, and the other chains as lists of people in order. */
export function certificate(event) {
  const said = record(event.certificate);
  const messages = (value) =>
    list(value)
      .map((one) => text(record(one).message))
      .filter(Boolean)
      .slice(0, LINES_MAX);
  return {
    years: text(record(said.years).message),
    proven: messages(said.proven),
    excluded: messages(said.excluded),
    open: messages(said.open),
    others: list(event.otherPaths)
      .map((other) => people(record(other).path))
      .filter((path) => path.length > 1)
      .slice(0, LINES_MAX),
  };
}
