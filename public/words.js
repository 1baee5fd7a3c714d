// The page's own sentences and number formats. What the stream says itself is shown as it is.

export const STATES = {
  S0: 'Starting',
  S1: 'Looking for one photo of both',
  S2: 'Finding who they are seen with',
  S3: 'Choosing whom to try',
  S4: 'Proving a link',
  S5: 'Reaching for the other end',
  S6: 'Closing the chain',
  S7: 'Closing without a chain',
};

/** Why a search ended without a chain: a sentence, and the option that bears on it. */
export const REASONS = {
  hop_limit: ['They are connected, but only by a longer chain than was allowed.', 'hops'],
  search_budget: ['The searches allowed for this run were used up.', 'searches'],
  recognition_budget: ['The photos allowed to be looked at were used up.', 'recognitions'],
  usd_budget: ['The dollars allowed for this run were used up.', 'budgetUsd'],
  runtime_budget: ['The time allowed for this run was used up.', 'runtimeMs'],
  no_candidates: ['Nobody else was seen with them who had not been tried already.', 'threshold'],
  unknown_person: ['A name was never recognised in the photos that were found for it.', null],
  stopped: ['The search was stopped before it had ended.', null],
};

// Sent with every `final`; said all the same when only the kept record is left.
export const DISCLAIMER =
  'This shows that these people were seen together in public photos, ' +
  'not that they know each other.';

export const percent = (value) => (value === null ? '–' : `${trimmed(value, 1)}`);
export const dollars = (value) => `$${value.toFixed(value < 0.1 ? 3 : 2)}`;
export const seconds = (ms) => `${trimmed(ms / 1000, ms < 10000 ? 1 : 0)} s`;
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** How long somebody has to wait, rounded up. */
export function waiting(seconds) {
  if (seconds <= 90) return count(seconds, 'second');
  if (seconds < 5_400) return count(Math.ceil(seconds / 60), 'minute');
  return count(Math.ceil(seconds / 3_600), 'hour');
}

// Cut, not rounded up: a 79.96 must not read as a threshold of 80 that it missed.
function trimmed(value, digits) {
  const factor = 10 ** digits;
  return (Math.floor(value * factor + 1e-9) / factor).toFixed(digits);
}
