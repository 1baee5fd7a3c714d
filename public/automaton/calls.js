// Splits an action of a state for display: its function, its main argument, and the parameters in it. Nothing is
// executed here, and only the server decides which actions may be executed.

import { record, text } from '../safe.js';

/** The most arguments that a function accepts. */
const ARGUMENTS_MAX = 20;
const ABOUT_CHARS_MAX = 160;

/** The functions that an action may call, with the order of their arguments and the name of the main one. */
const FUNCTIONS = {
  __proto__: null,
  navigate_to: [['url'], ({ url }) => url],
  click: [['by', 'selector', 'button'], ({ selector, button }) => joined(selector, button !== 'left' && button, 'button')],
  type: [['by', 'selector', 'text'], ({ selector, text: typed }) => [typed, selector].filter(Boolean).join(' into ')],
  scroll: [
    ['by', 'selector', 'direction', 'scroll_amount'],
    ({ direction, scroll_amount: by, pixels }) => [direction ?? 'down', by ?? pixels].filter(Boolean).join(' '),
  ],
  scroll_to: [['by', 'selector'], ({ selector }) => selector],
  press_key: [['key'], ({ key }) => key],
  double_click: [['by', 'selector'], ({ selector }) => selector],
  right_click: [['by', 'selector'], ({ selector }) => selector],
  hover: [['by', 'selector'], ({ selector }) => selector],
  drag: [
    ['by', 'selector', 'to_by', 'to_selector', 'offset_x', 'offset_y'],
    ({ selector, to_selector: to, offset_x: x, offset_y: y }) =>
      [selector, to ? `to ${to}` : `by ${x ?? 0}, ${y ?? 0}`].filter(Boolean).join(' '),
  ],
  select: [['by', 'selector', 'option'], ({ selector, option }) => [option, selector].filter(Boolean).join(' in ')],
  check: [['by', 'selector'], ({ selector }) => selector],
  uncheck: [['by', 'selector'], ({ selector }) => selector],
  press: [['key', 'by', 'selector', 'hold', 'times'], ({ key, selector }) => [key, selector].filter(Boolean).join(' on ')],
  go_back: [[], () => ''],
  switch_to: [['tab'], ({ tab }) => `tab ${tab ?? 'new'}`],
  extract: [['name', 'by', 'selector'], ({ name, selector }) => [name, selector].filter(Boolean).join(' from ')],
  wait: [['seconds'], ({ seconds }) => (seconds === undefined ? '' : `${seconds} s`)],
};
/** Functions that occur in files but are not actions; they neither act nor end the automaton. */
const PASSED_OVER = ['terminate', 'start_stats_logging', 'stop_stats_logging'];
const OTHER_NAMES = { __proto__: null, navigate: 'navigate_to', move: 'hover' };

const REFERENCE = /^parameters\s*\[\s*(['"])(.{0,200}?)\1\s*\]/s;

const joined = (first, second, noun) => [first, second && `(${second} ${noun})`].filter(Boolean).join(' ');

/**
 * `{verb, about, written, parameters, address, isKnown}` of an action in either format: `address` is what it opens, as
 * far as the file states it, `parameters` are the names that it refers to.
 */
export function callOf(given) {
  return typeof given === 'string' ? callOfText(given) : callOfRecord(record(given));
}

function callOfText(written) {
  const [, verb = '', rest = ''] = /^\s*([A-Za-z_]\w*)\s*\((.*)\)\s*$/s.exec(written) ?? [];
  const { values, parameters } = scanned(rest);
  const [names = []] = FUNCTIONS[verb] ?? [];
  const named = { __proto__: null };
  values.forEach(({ name, value }, i) => {
    named[name || names[i] || `${i}`] = plain(value);
  });
  return call(verb, named, { written, parameters });
}

function callOfRecord(given) {
  const { type, params } = given;
  const verb = OTHER_NAMES[type] ?? text(type);
  const values = Object.entries(record(params)).slice(0, ARGUMENTS_MAX);
  const named = Object.assign({ __proto__: null }, Object.fromEntries(values.map(([name, value]) => [name, flat(value)])));
  return call(verb, named, { written: JSON.stringify(given), parameters: [] });
}

function call(verb, named, { written, parameters }) {
  const about = FUNCTIONS[verb]?.[1](named) ?? Object.values(named).join(', ');
  return {
    verb: verb || 'no call',
    about: cut(verb ? about : written),
    written,
    parameters,
    address: verb === 'navigate_to' ? text(named.url) : '',
    isKnown: verb in FUNCTIONS || PASSED_OVER.includes(verb),
  };
}

const cut = (words) => {
  const line = text(words).replace(/\s+/g, ' ').trim();
  return line.length > ABOUT_CHARS_MAX ? `${line.slice(0, ABOUT_CHARS_MAX)}…` : line;
};

const flat = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Splits the arguments of a call, and finds the parameters outside of its strings, in a single pass. */
function scanned(rest) {
  const [values, parameters] = [[], []];
  for (let at = 0; at < rest.length && values.length < ARGUMENTS_MAX;) {
    const start = at;
    while (at < rest.length && rest[at] !== ',') {
      const reference = rest[at] === 'p' && REFERENCE.exec(rest.slice(at, at + 250));
      if (reference) parameters.push(reference[2]);
      at = reference ? at + reference[0].length : after(rest, at);
    }
    const [, name = '', value = ''] = /^\s*(?:([A-Za-z_]\w*)\s*=(?!=))?(.*)$/s.exec(rest.slice(start, at)) ?? [];
    if (name || value.trim()) values.push({ name, value: value.trim() });
    at += 1;
  }
  return { values, parameters };
}

/** The position after the string that begins at `at`; if none begins there, after the character at `at`. */
function after(rest, at) {
  const quote = rest[at];
  if (quote !== "'" && quote !== '"') return at + 1;
  let end = at + 1;
  while (end < rest.length && rest[end] !== quote) end += rest[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** The content of a string; any other value as written. */
function plain(value) {
  const whole = value[0] === "'" || value[0] === '"' ? after(value, 0) : 0;
  if (whole !== value.length || value.length < 2) return value;
  return value.slice(1, -1).replace(/\\(['"\\])/g, '$1');
}
