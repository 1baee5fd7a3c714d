// The state of an automaton's run: what all engines report (../run-page/run-state.js), its current states, the last page,
// and what models make.

import { addLine, arriveAt, blankRun, ended, isLastWord, reduceRun } from '../run-page/run-state.js';
import { list, number, record, text } from '../safe.js';
import { heardOf, isTrouble, wordsOf } from './event-words.js';
import { entriesOf, STATES_MAX } from './reading.js';
import { atEnd, pointOf, stateAfter, unvisited } from './state-known.js';
import { viewOf } from './states.js';

const DIGEST = /^[0-9a-f]{64}$/;

export const blank = () => ({
  ...blankRun(),
  states: [], // {id, json, isNameOnly} in the order of the file; json is null if not known yet
  path: [], // the states that were entered, in the order of their first visits
  shape: 0, // a number that changes whenever the graph of the states changes
  made: 0, // the number of states that models made, of which some may have been given up
  look: null, // {url, passed} of the last look
  picture: null, // {digest, url} of the last look that stored a picture
  isPictured: false, // whether that look was also the last one of all
  click: null, // {point, node, line, isPictured}: the last action since that picture, and whether the picture shows it
  making: null, // {about} while models make a state
});

export const reduce = (state, action) => reduceRun(state, action, {
  blank, take, copied: ({ states, path }) => ({ states: [...states], path: [...path] }), known: withStates,
});

/**
 * Adds the states of a run's document. The record with the document may arrive after events have already added states.
 */
function withStates(state, document) {
  const given = list(record(document).state_repository ?? document);
  if (document === null || document === undefined) return state;
  const known = new Map(state.states.map((one) => [one.id, one]));
  const fresh = entriesOf(given.slice(0, STATES_MAX)).map((one) => (isTold(known.get(one.id)) ? known.get(one.id) : one));
  const made = state.states.filter(({ id }) => id.startsWith('m'));
  return { ...state, states: [...made, ...fresh], shape: state.shape + 1 };
}

const isTold = (entry) => Boolean(entry?.json) && entry.isNameOnly !== true;

function take(next, event) {
  const type = text(event.type);
  const payload = record(event.payload);
  changeStates(next, type, payload);
  const id = idOf(next, type, payload);
  if (type === 'state_entered') enter(next, id, payload);
  if (id) next.nodes.set(id, stateAfter(next.nodes.get(id) ?? unvisited, event));
  see(next, type, payload, id);
  const words = wordsOf(event);
  if (words.length > 0) {
    const name = id ? nameIn(next, id) : '';
    addLine(next, { time: text(event.timestamp), node: id, name, isBad: isTrouble(event), words });
    if (type === 'warning') next.counts.warnings += 1;
    // An event that only reports waiting is not announced to screen readers.
    if (type !== 'waiting') next.heard = heardOf(name, words);
  }
  if (type === 'trace_bounded') next.isBounded = true;
  return isLastWord(type) ? finish(next, type, payload) : next;
}

const nameIn = (next, id) => viewOf(next.states.find((one) => one.id === id)?.json).name || id.replace(/^s/, 'State #');

/** The id of the state that an event concerns. The event names the state by its current position. */
function idOf(next, type, payload) {
  if (type === 'state_made') return next.states[0]?.id ?? '';
  const position = ['state_changed', 'state_kept'].includes(type) ? payload.position : payload.state;
  return next.states[number(position) ?? -1]?.id ?? '';
}

function changeStates(next, type, payload) {
  const { states } = next;
  const at = number(payload.position) ?? -1;
  if (type === 'automaton_started' && states.length === 0) {
    const count = Math.min(STATES_MAX, number(payload.states) ?? 0);
    states.push(...entriesOf(Array.from({ length: count }, () => null)));
  } else if (type === 'state_made' && states.length < 2 * STATES_MAX) {
    next.made += 1;
    states.unshift({ id: `m${next.made}`, json: payload.state });
  } else if (['state_changed', 'state_kept'].includes(type) && states[at]) {
    states[at] = { id: states[at].id, json: payload.state };
  } else if (type === 'action_begun' && isUnwritten(states[number(payload.state) ?? -1], payload)) {
    const entry = states[payload.state];
    const { actions } = record(entry.json);
    states[payload.state] = { ...entry, json: { ...record(entry.json), actions: [...list(actions), text(payload.call)] } };
  } else if (type === 'state_dropped' && states.length > 0) {
    const { id } = states.shift();
    next.nodes.delete(id);
    next.path = next.path.filter((one) => one !== id);
    if (next.at === id) [next.at, next.lit] = ['', ''];
  } else return;
  next.shape += 1;
}

/**
 * Whether a state is still being made. The state is executed at the same time, so each of its actions is known only
 * when the action begins.
 */
const isUnwritten = (entry, { line }) => entry?.id.startsWith('m') && list(record(entry.json).actions).length + 1 === line;

function enter(next, id, { name }) {
  if (!id) return;
  const at = next.states.findIndex((one) => one.id === id);
  if (next.states[at].json === null) next.states[at] = { id, json: { name: text(name) }, isNameOnly: true };
  const before = next.nodes.get(next.at);
  if (before?.status === 'running') next.nodes.set(next.at, { ...before, status: 'done' });
  const ways = next.travelled.size;
  arriveAt(next, id);
  if (!next.path.includes(id)) next.path.push(id);
  else if (ways === next.travelled.size) return;
  next.shape += 1;
}

/** Notes what an event reports about the browser's page and about models. */
function see(next, type, payload, id) {
  switch (type) {
    case 'looked': {
      const passed = list(payload.passed).map((one) => next.states[one]?.id).filter(Boolean);
      next.look = { url: text(payload.url), passed };
      next.isPictured = DIGEST.test(text(payload.picture));
      if (!next.isPictured) return;
      next.picture = { digest: payload.picture, url: text(payload.url) };
      next.click = null;
      return;
    }
    case 'action_done': {
      const point = pointOf(payload.point);
      const { isPictured } = next;
      if (point) next.click = { point, node: id, line: number(payload.line) ?? 0, isPictured };
      return;
    }
    case 'making':
    case 'asked':
      next.making = { about: text(payload.about) };
      return;
    case 'state_made':
    case 'state_kept':
    case 'state_dropped':
    case 'state_left':
      // This request to a model has ended; the next one is reported by an event of its own.
      next.making = null;
      return;
    default:
  }
}

function finish(next, kind, payload) {
  for (const [id, known] of next.nodes) next.nodes.set(id, atEnd(known));
  for (const { state, check } of list(payload.unmet).map(record)) {
    const id = next.states[number(state) ?? -1]?.id;
    const unmet = number(check) ?? -1;
    if (id) next.nodes.set(id, { ...(next.nodes.get(id) ?? unvisited), unmet });
  }
  next.making = null;
  return ended(next, {
    kind,
    reason: text(payload.reason),
    node: next.states[number(payload.state) ?? -1]?.id ?? '',
    line: number(payload.line),
    message: text(payload.message),
    spent: record(payload.spent),
    leftOut: Number.isSafeInteger(payload.eventsLeftOut) ? payload.eventsLeftOut : 0,
    drift: payload.drift ? record(payload.drift) : null,
  });
}
