// A node in words: its type as users know it, and what it does in one line.

import { list, number, record, text } from '../safe.js';

const LINE_CHARS_MAX = 160;

/** The types of nodes, and their descriptions. Without a prototype, like all tables that strangers' words index. */
export const TYPES = {
  __proto__: null,
  AiStep: ['AI step', ({ prompt }) => text(prompt)],
  TakeScreenshot: ['Take screenshot', ({ mode, target }) => joined([text(mode).toLowerCase(), text(target)], ' ')],
  FindText: ['Find text', ({ search_text: looked }) => text(looked)],
  FindImage: ['Find image', ({ template_image: image }) => (text(image) ? 'as the template' : '')],
  Click: ['Click', ({ target, x, y }) => text(target) || [x, y].filter((side) => number(side) !== null).join(', ')],
  TypeText: ['Type text', ({ text: typed }) => text(typed)],
  PressKey: ['Press key', ({ key, modifiers }) => joined([...list(modifiers).map(text), text(key)], ' + ')],
  Scroll: ['Scroll', ({ delta_y: by }) => String(number(by) ?? '')],
  ListWindows: ['List windows', ({ app_name: app }) => text(app)],
  FocusWindow: ['Focus window', ({ value }) => text(value)],
  McpToolCall: ['Tool call', ({ tool_name: tool }) => text(tool)],
  AppDebugKitOp: ['AppDebugKit op', ({ operation_name: name }) => text(name)],
  Investigation: ['Investigation', ({ a, b }) => `${text(a)} to ${text(b)}`],
  Automaton: ['Automaton', ({ automaton }) => text(automaton) || `${list(automaton).length} states`],
  If: ['If', ({ condition }) => conditionWords(condition)],
  Switch: ['Switch', ({ cases }) => list(cases).map((one) => text(record(one).name)).join(', ')],
  Loop: ['Loop', loopWords],
  EndLoop: ['End of loop', () => ''],
};

const OPERATORS = {
  __proto__: null,
  Equals: '=',
  NotEquals: '≠',
  GreaterThan: '>',
  LessThan: '<',
  GreaterThanOrEqual: '≥',
  LessThanOrEqual: '≤',
  Contains: 'contains',
  NotContains: 'does not contain',
  IsEmpty: 'is empty',
  IsNotEmpty: 'is not empty',
};

/** The labels of a node's outputs. */
export const OUTPUTS = {
  __proto__: null,
  IfTrue: 'true',
  IfFalse: 'false',
  SwitchDefault: 'default',
  LoopBody: 'body',
  LoopDone: 'done',
};

export const typeWords = ({ type, isMissing }) => (isMissing ? 'missing' : (TYPES[type]?.[0] ?? (type || 'no type')));

/** What a node does, in one line; empty if its type says all. */
export function lineOf({ type, given }) {
  const words = TYPES[type]?.[1](record(given.node_type)) ?? '';
  return words.replace(/\s+/g, ' ').slice(0, LINE_CHARS_MAX);
}

const joined = (words, between) => words.filter(Boolean).join(between);

function loopWords({ exit_condition: until, max_iterations: most }) {
  const times = number(most) === null ? '' : `, at most ${most} times`;
  return `until ${conditionWords(until)}${times}`;
}

export function conditionWords(value) {
  const { left, operator, right } = record(value);
  const word = OPERATORS[operator] ?? text(operator);
  if (['IsEmpty', 'IsNotEmpty'].includes(operator)) return `${side(left)} ${word}`;
  return `${side(left)} ${word} ${side(right)}`;
}

function side(value) {
  const { type, name, value: literal } = record(value);
  if (type === 'Variable') return text(name);
  const { value: inner } = record(literal);
  return inner === undefined ? '…' : JSON.stringify(inner);
}
