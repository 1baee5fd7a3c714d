// Makes the request that starts a run of an automaton.

import { limitsOf } from '../run-page/limits.js';

/** The limits of a run in the form; an empty field means the server's default. */
export const LIMITS = Object.freeze({ actions: '', looks: '', runtimeMs: '', llm: '', budgetUsd: '' });

/**
 * The body of `POST /runs`: `fields` are `{name, value, isSecret}`. Empty fields are left out: the operator may have
 * stored a secret with that name, and if not, the server's refusal says that the value is missing.
 */
export function questionOf({ automaton, prompts, fields, origins, isRegenerated, limits }) {
  const filled = fields.filter(({ value }) => value !== '');
  const values = (isSecret) => Object.fromEntries(
    filled.filter((one) => one.isSecret === isSecret).map(({ name, value }) => [name, value]),
  );
  const named = origins.split(/[\s,]+/).filter(Boolean);
  const options = { ...(isRegenerated ? { regenerate: true } : {}), ...limitsOf(LIMITS, limits) };
  return {
    automaton,
    ...members({ prompts, parameters: values(false), secrets: values(true) }),
    ...(named.length > 0 ? { origins: named } : {}),
    options,
  };
}

const members = (all) => Object.fromEntries(
  Object.entries(all).filter(([, value]) => value && Object.keys(value).length > 0),
);

/** Whether the value of a parameter with this name should be hidden while it is typed. */
export const soundsSecret = (name) => /pass|secret|token|pin\b|_pin|pwd|api_?key|card|cvc/i.test(name);
