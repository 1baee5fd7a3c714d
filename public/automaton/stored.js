// Reads the operator's automata, and the names of the secrets that the operator stores.

import { list, number, record, text } from '../safe.js';
import { count } from '../words.js';

const AUTOMATA_MAX = 200;

/** `{automata, secrets, hasBrowser, mayStartAny}` of a text; empty lists if members are missing. */
export function storedOf(written) {
  let told;
  try {
    told = record(JSON.parse(written));
  } catch {
    told = {};
  }
  const automata = list(told.automata).map(record).map(({ name, states, prompts, parameters }) => ({
    name: text(name),
    states: number(states),
    prompts: number(prompts) ?? 0,
    parameters: list(parameters).map(text).filter(Boolean),
  }));
  const secrets = list(told.secrets).map(record).map(({ name, origins }) => (
    { name: text(name), origins: list(origins).map(text) }
  ));
  return {
    automata: automata.filter(({ name }) => name).slice(0, AUTOMATA_MAX),
    secrets: secrets.filter(({ name }) => name),
    hasBrowser: told.hasBrowser !== false,
  };
}

/** The description of a stored automaton in the list. */
export const aboutOf = ({ states, prompts }) =>
  [states !== null && count(states, 'state'), prompts > 0 && count(prompts, 'prompt')].filter(Boolean).join(', ');
