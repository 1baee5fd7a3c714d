// Reads a file of states as far as the page draws it. Only the server decides whether it may run; what cannot be drawn
// is reported in words. Nothing is executed here.

import { list, record, text } from '../safe.js';
import { graphOf, nameOf } from './graph.js';
import { viewOf } from './states.js';

/** The longest automaton in bytes, which is also the server's limit. */
export const AUTOMATON_BYTES_MAX = 1_000_000;
export const STATES_MAX = 1_000;
/** The most remarks shown. */
const REMARKS_MAX = 50;
const PARAMETERS_MAX = 100;
const ORIGINS_MAX = 50;
/** The members that a document may have besides its states. */
const MEMBERS = ['prompts', 'parameters', 'secrets', 'origins', 'options'];

let families = 0;

/** Reads a file of an automaton. Returns what `documentOf` returns, or `{problem}` in words. */
export function readAutomaton(written) {
  if (written.length > 2 * AUTOMATON_BYTES_MAX || new Blob([written]).size > 2 * AUTOMATON_BYTES_MAX) {
    return { problem: `This is larger than ${AUTOMATON_BYTES_MAX / 1e6} MB, more than an automaton may be.` };
  }
  if (written.trim() === '') return { problem: 'There is nothing in it.' };
  let json;
  try {
    json = JSON.parse(written);
  } catch (error) {
    return { problem: `This is not JSON: ${text(error.message).slice(0, 200)}` };
  }
  const read = documentOf(json);
  return read.problem ? read : { ...read, written };
}

/**
 * Reads a list of states, an object with the list `state_repository`, or one with `automaton` and its `MEMBERS`.
 * Returns `{name, states, document, member, graph, remarks, parameters, origins, given}`: `document` are the states as
 * written, `parameters` the names in actions, `origins` those that actions open, `given` the document's other members.
 */
export function documentOf(json, name = '') {
  const isWhole = record(json).automaton !== undefined;
  const document = isWhole ? json.automaton : json;
  const states = list(record(document).state_repository ?? document);
  const problem = problemOf(json, document, states);
  if (problem) return { problem };
  const views = states.map(viewOf);
  const calls = views.flatMap(({ actions }) => actions);
  families += 1;
  const entries = entriesOf(states);
  const shown = name || text(record(json).name).slice(0, 200) || nameOf(entries);
  return {
    name: shown,
    states,
    document,
    member: isWhole ? 'automaton' : '',
    graph: graphOf({ states: entries, family: `file ${families}`, name: shown }),
    remarks: remarksOf(entries, views),
    parameters: unique(calls.flatMap(({ parameters }) => parameters)).slice(0, PARAMETERS_MAX),
    origins: unique(calls.map(({ address }) => originOf(address))).slice(0, ORIGINS_MAX),
    given: Object.fromEntries(MEMBERS.filter((one) => isWhole && json[one]).map((one) => [one, json[one]])),
  };
}

/** Makes an id for each state, which the state keeps if others are inserted before it. */
export const entriesOf = (states) => states.map((json, i) => ({ id: `s${i}`, json }));

function problemOf(json, document, states) {
  const isList = Array.isArray(document) || Array.isArray(record(document).state_repository);
  if (Array.isArray(record(json).nodes)) return 'This is a workflow. The page /workflow shows and runs it.';
  if (!isList) return 'This is JSON, but no automaton: it is no list of states, and has no list “state_repository”.';
  if (states.length > STATES_MAX) return `It has over ${STATES_MAX} states, more than may be.`;
  const odd = states.findIndex((state) => text(record(state).name) === '' && typeof record(state).name !== 'string');
  if (odd >= 0) return `State ${odd + 1} of the list cannot be read: it has no name.`;
  const bent = states.findIndex(({ checks = [], actions = [] }) => !Array.isArray(checks) || !Array.isArray(actions));
  if (bent >= 0) return `State ${bent + 1} of the list cannot be read: its checks and actions must be lists.`;
  return '';
}

/** The warnings about an automaton's file. */
function remarksOf(entries, views) {
  const remarks = [];
  const tell = (i, detail) => remarks.push({ node: entries[i].id, detail });
  const names = new Map();
  views.forEach(({ name, checks, actions }, i) => {
    if (checks.length === 0) tell(i, 'It has no checks, so it is never entered.');
    if (names.has(name)) tell(i, 'Another state has its name; they are two states all the same.');
    names.set(name, i);
    actions.forEach(({ verb, isKnown }, line) => {
      if (!isKnown) tell(i, `Action ${line + 1}, “${verb.slice(0, 60)}”, is none that may be called.`);
    });
  });
  return remarks.slice(0, REMARKS_MAX);
}

/** The remarks that a server's refusal contains. It identifies a state by its number, from 1. */
export function refusedStates({ message }, { graph }) {
  const [, number] = /\bstate (\d+):/.exec(message) ?? [];
  const id = `s${number - 1}`;
  return graph?.nodes.some((node) => node.id === id) ? [{ node: id, detail: message }] : [];
}

const unique = (values) => [...new Set(values.filter(Boolean))];

function originOf(address) {
  try {
    const url = new URL(address);
    return ['http:', 'https:'].includes(url.protocol) ? url.origin : '';
  } catch {
    return '';
  }
}
