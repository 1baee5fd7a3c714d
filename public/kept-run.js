// What a run's record says besides its events: its expiry, its options, and the run that it went on from.

import { DEFAULTS } from './options.js';
import { list, number, record, text } from './safe.js';

/** The options that correspond to the budgets in the record. */
const BUDGETS = {
  searchCalls: 'searches',
  polishCalls: 'polish',
  confirmCalls: 'confirm',
  rekognitionCalls: 'recognitions',
  llmCalls: 'llm',
  runtimeMs: 'runtimeMs',
  usd: 'budgetUsd',
};

/**
 * `{expiresAt, options, forkedFrom, reused}`: `options` are those that differ from the default, `reused` is a count of
 * answers.
 */
export function keptOf(value) {
  const meta = record(record(value).meta);
  return {
    expiresAt: text(meta.expiresAt),
    options: optionsOf(meta),
    forkedFrom: text(meta.forkedFrom),
    reused: Object.values(record(meta.reused)).reduce((sum, one) => sum + (number(one) ?? 0), 0),
  };
}

function optionsOf(meta) {
  const asked = {
    plan: text(meta.plan),
    pace: text(meta.pace),
    hops: number(meta.hopLimit),
    threshold: number(meta.threshold),
    images: number(meta.imagesPerQuery),
    capture: meta.capture === true,
    since: number(meta.since),
    until: number(meta.until),
  };
  const budgets = record(meta.budgets);
  for (const [name, option] of Object.entries(BUDGETS)) asked[option] = number(budgets[name]);
  const isOther = ([name, value]) => value !== null && value !== '' && value !== DEFAULTS[name];
  const options = Object.fromEntries(Object.entries(asked).filter(isOther));
  const avoid = list(meta.avoid).map(text).filter(Boolean);
  return avoid.length > 0 ? { ...options, avoid } : options;
}

/** The cost of a run in dollars, from its record, or `null`. */
export const dollarsOf = (value) => number(record(record(record(value).meta).spent).usd);
