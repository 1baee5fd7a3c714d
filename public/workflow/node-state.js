// What is known of one node during a run. Pure: each event makes a new value.

import { isRun } from '../api.js';
import { list, number, record, text } from '../safe.js';

const VARIABLES_MAX = 100;
const RETRIES_MAX = 20;
const VERDICTS_MAX = 20;
const CHILDREN_MAX = 10;
const WARNINGS_MAX = 20;
const PICTURES_MAX = 12;

const DIGEST = /^[0-9a-f]{64}$/;

export const unvisited = Object.freeze({
  status: 'waiting', // waiting | running | done | failed | skipped | stopped
  visits: 0,
  events: 0,
  variables: new Map(), // by name, the newest last
  call: null, // {name, server, args} of the last one
  calls: 0, // in this visit
  result: null, // {name, text, bytes, images} of the last one
  retries: [], // {attempt, error} of this visit
  verdicts: [], // {name, word, reasoning}
  decision: '', // of a control node, in words
  notes: [], // its findings on the screen
  children: [], // child runs of another engine
  warnings: [], // warnings about it, sent before it is visited
  pictures: [], // digests of its tools' pictures in this visit, the newest last
  error: '',
});

const VISITS = { __proto__: null, node_started: 'running', node_evaluated: 'done', node_skipped: 'skipped' };

/** What is known of a node, by its id. */
export const knownOf = (state, id) => state.nodes.get(id) ?? unvisited;

/** Whether an event starts a visit of its node. */
export const isVisit = (type) => VISITS[type] !== undefined;

export function nodeAfter(before, { type, payload }, words) {
  const node = { ...before, events: before.events + 1 };
  const told = record(payload);
  if (isVisit(type)) {
    const fresh = { call: null, calls: 0, result: null, retries: [], notes: [], pictures: [], decision: '', error: '' };
    return { ...node, ...fresh, status: VISITS[type], visits: node.visits + 1 };
  }
  switch (type) {
    case 'node_completed':
      return { ...node, status: 'done' };
    case 'node_failed':
      return { ...node, status: 'failed', error: text(told.error) };
    case 'tool_call':
      return { ...node, call: callOf(told), calls: node.calls + 1, result: null };
    case 'tool_result':
      return { ...node, result: resultOf(told), pictures: withPictures(node.pictures, told) };
    case 'warning':
      return { ...node, warnings: [...node.warnings, text(told.message)].slice(-WARNINGS_MAX) };
    case 'variable_set':
      return { ...node, variables: withVariable(node.variables, told) };
    case 'retry': {
      const retry = { attempt: number(told.attempt), error: text(told.error) };
      return { ...node, retries: [...node.retries, retry].slice(-RETRIES_MAX) };
    }
    case 'check_evaluated': {
      const verdict = { name: text(told.check_name), word: text(told.verdict), reasoning: text(told.reasoning) };
      return { ...node, verdicts: [...node.verdicts, verdict].slice(-VERDICTS_MAX) };
    }
    case 'branch_evaluated':
    case 'loop_iteration':
    case 'loop_exited':
      return { ...node, decision: words };
    case 'target_resolved':
    case 'app_resolved':
    case 'element_resolved':
    case 'vision_summary':
      return { ...node, notes: [...node.notes, words].slice(-RETRIES_MAX) };
    case 'investigation':
    case 'automaton':
      return { ...node, children: withChild(node.children, told) };
    default:
      return node;
  }
}

/** The output that a control node takes, from its event; empty for other events. */
export function wayOf({ type, payload }) {
  if (type === 'branch_evaluated') return text(record(payload).output_taken);
  return { loop_iteration: 'LoopBody', loop_exited: 'LoopDone' }[type] ?? '';
}

const callOf = ({ name, server, args }) => ({ name: text(name), server: text(server), args: args ?? null });

function resultOf({ name, text: answer, text_len: bytes, image_count: images }) {
  return { name: text(name), text: text(answer), bytes: number(bytes) ?? 0, images: number(images) ?? 0 };
}

function withPictures(before, { images }) {
  const fresh = list(images).map(text).filter((one) => DIGEST.test(one));
  return [...new Set([...before, ...fresh])].slice(-PICTURES_MAX);
}

/** Adds a variable as the newest, even if it was set before. */
function withVariable(before, { variable, value }) {
  const variables = new Map(before);
  variables.delete(text(variable));
  variables.set(text(variable), value ?? null);
  if (variables.size > VARIABLES_MAX) variables.delete(variables.keys().next().value);
  return variables;
}

/**
 * Adds a child run's message. It replaces an earlier message of the run, and any message whose run had no token yet.
 */
function withChild(before, { run, message }) {
  const known = isRun(run) ? run : '';
  const others = before.filter((one) => one.run && one.run !== known);
  return [...others, { run: known, message: text(message) }].slice(-CHILDREN_MAX);
}
