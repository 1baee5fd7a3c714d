// The options of a run: their defaults, and how the form and addresses change them.

export const DEFAULTS = Object.freeze({
  plan: 'both-ends',
  pace: 'quick',
  hops: 6,
  threshold: 80,
  images: 5,
  searches: 20,
  polish: 0,
  confirm: 0, // searches for a second photo of the most doubtful links
  recognitions: 100,
  llm: 12,
  capture: false, // pictures of the pages that show the chain's photos
  runtimeMs: 120000,
  budgetUsd: null, // the operator's
  since: null, // the years in which a photo must have been taken
  until: null,
});

/** The values of a flag in links and the form. */
const SWITCH = { 0: false, 1: true };

// The form uses seconds, which people are used to; the wire has `runtimeMs`.
const SCALE = { runtimeMs: 1000 };

/**
 * The options that differ from the default, as the API takes them. An invalid number is sent as typed, for the server
 * to refuse with a reason.
 */
export function changed(fields) {
  const options = {};
  for (const [name, usual] of Object.entries(DEFAULTS)) {
    const typed = String(fields[name] ?? '').trim();
    if (typed === '') continue;
    const value = typeof usual === 'boolean' ? (SWITCH[typed] ?? typed)
      : typeof usual === 'string' ? typed : scaled(name, typed);
    if (value !== usual) options[name] = value;
  }
  const avoid = String(fields.avoid ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (avoid.length > 0) options.avoid = avoid;
  return options;
}

function scaled(name, typed) {
  const value = Number(typed);
  return Number.isFinite(value) ? value * (SCALE[name] ?? 1) : typed;
}

/** The range of a field's value, in the unit of the field. */
export function rangeIn(name, { least, most }) {
  const scale = SCALE[name] ?? 1;
  return `${least / scale} to ${most / scale}`;
}

/** The inverse of `changed`: the form's fields for these options. */
export function fields(options = {}) {
  const shown = {};
  for (const name of Object.keys(DEFAULTS)) {
    const value = options[name] ?? DEFAULTS[name];
    if (typeof value === 'boolean') shown[name] = value ? '1' : '0';
    else shown[name] = String(typeof value === 'number' ? value / (SCALE[name] ?? 1) : (value ?? ''));
  }
  shown.avoid = (options.avoid ?? []).join(', ');
  return shown;
}

/**
 * The options to send when a run with the options `before` is continued with those of `now`. Options that are not sent
 * stay; one without a default is removed by an empty text.
 */
export function changedSince(before, now) {
  const back = Object.keys(before)
    .filter((name) => !(name in now))
    .map((name) => [name, name === 'avoid' ? [] : (DEFAULTS[name] ?? '')]);
  return { ...Object.fromEntries(back), ...now };
}
