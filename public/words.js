// The page's own sentences and number formats. The stream's own sentences are shown as they are.

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

// The server sends this with every `final`. It is repeated here for runs of which only the stored record is left.
export const DISCLAIMER =
  'This shows that these people were seen together in public photos, ' +
  'not that they know each other.';

export const percent = (value) => (value === null ? '–' : `${trimmed(value, 1)}`);
export const dollars = (value) => `$${value.toFixed(value < 0.1 ? 3 : 2)}`;
export const seconds = (ms) => `${trimmed(ms / 1000, ms < 10000 ? 1 : 0)} s`;
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** When something expires: the time if today, otherwise the day. */
export function until(timestamp, now = new Date()) {
  const end = new Date(timestamp);
  if (Number.isNaN(end.getTime())) return 'its end';
  const isToday = end.toDateString() === now.toDateString();
  const soon = end - now < 12 * 3_600_000;
  return isToday || soon
    ? end.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    : end.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
}

/** How long the user must wait, rounded up. */
export function waiting(seconds) {
  if (seconds <= 90) return count(seconds, 'second');
  if (seconds < 5_400) return count(Math.ceil(seconds / 60), 'minute');
  return count(Math.ceil(seconds / 3_600), 'hour');
}

// Digits are cut and not rounded up: 79.96, which is below a threshold of 80, must not read as 80.
function trimmed(value, digits) {
  const factor = 10 ** digits;
  return (Math.floor(value * factor + 1e-9) / factor).toFixed(digits);
}
