// What is known of a workflow's run, as a pure reducer: (state, action) -> state. It knows no document and no
// network. A run may tell a hundred thousand events, so they are taken many at once: what is copied is copied
// once for all of them.

import { record, text } from '../safe.js';
import { isVisit, nodeAfter, unvisited, wayOf } from './node-state.js';
import { asText, isTrouble, wordsOf } from './trace-words.js';

/** Older lines than these are in the archive of the trace. */
const LINES_KEPT_MAX = 2_000;
/** They are told at the beginning, too, and looked for at the end. */
const TROUBLES_KEPT_MAX = 500;
/** As many as a workflow may have, and some that a stream may invent. */
const NODES_KEPT_MAX = 20_000;
const WAYS_KEPT_MAX = 40_000;
const LAST_WORDS = ['completed', 'failed', 'stopped'];

export const isLastWord = (type) => LAST_WORDS.includes(type);

export const blank = () => ({
  phase: 'idle', // idle | starting | running | ended
  run: '',
  isOwn: false, // whether this tab may stop it
  isFile: false, // told by a sealed file, and by no server
  verification: null, // what a check of the file came to: ../verification.js
  connection: 'none', // none | open | lost
  isStopping: false,
  kept: null, // {dialect, servers, status} of its record
  last: 0, // number of the last event taken
  events: 0,
  nodes: new Map(), // by id: node-state.js
  at: '', // the node where the walk is
  way: '', // the way that it takes from there, as far as it is told
  lit: '', // the edge that it came by: wayKey
  travelled: new Map(), // how often each edge was gone along
  lines: [], // {n, time, node, name, isBad, words}
  troubles: [], // those of them that are bad: kept for longer
  counts: { troubles: 0, warnings: 0, checks: 0, passed: 0 },
  heard: '', // the newest words, for those who hear them
  isBounded: false, // the server tells no more of what goes on
  outcome: null, // {kind: 'completed' | 'failed' | 'stopped' | 'gone', ...}
});

export function reduce(state, action) {
  switch (action.kind) {
    case 'starting':
      return { ...blank(), phase: 'starting' };
    case 'following':
      return {
        ...blank(), phase: 'running', run: action.run, isOwn: action.isOwn === true, isFile: action.isFile === true,
      };
    case 'blank':
      return blank();
    case 'connection':
      return state.phase === 'running' ? { ...state, connection: action.value } : state;
    case 'stopping':
      return { ...state, isStopping: action.value };
    case 'verification':
      return { ...state, verification: action.value };
    case 'known':
      return { ...state, kept: action.kept };
    case 'events':
      return fold(state, action.events);
    case 'gone':
      return ended(state, { kind: 'gone', why: text(action.why), detail: text(action.detail) });
    default:
      return state;
  }
}

/** Takes events `{n, event}` in their order. A reconnect may send again what was taken. */
function fold(state, told) {
  let next = {
    ...state,
    nodes: new Map(state.nodes),
    travelled: new Map(state.travelled),
    lines: [...state.lines],
    troubles: [...state.troubles],
    counts: { ...state.counts },
  };
  for (const { n, event } of told) {
    if (next.outcome) break;
    if (n && n <= next.last) continue;
    next = take(next, n, record(event));
  }
  next.lines = next.lines.slice(-LINES_KEPT_MAX);
  next.troubles = next.troubles.slice(-TROUBLES_KEPT_MAX);
  return next;
}

/** Changes what `fold` has copied, and nothing else. */
function take(state, n, event) {
  const [node, type] = [text(event.nodeId), text(event.type)];
  const words = wordsOf(event);
  const next = { ...state, last: n || state.last, events: state.events + 1 };
  if (words.length > 0) {
    const isBad = isTrouble(event);
    const line = { n: next.events, time: text(event.timestamp), node, name: text(event.nodeName), isBad, words };
    next.lines.push(line);
    if (isBad) next.troubles.push(line);
    tally(next.counts, event, isBad);
    next.heard = [text(event.nodeName), asText(words)].filter(Boolean).join(': ');
  }
  if (node && isVisit(type)) arrive(next, node);
  if (node && (next.nodes.has(node) || next.nodes.size < NODES_KEPT_MAX)) {
    next.nodes.set(node, nodeAfter(next.nodes.get(node) ?? unvisited, event, asText(words)));
  }
  if (node && node === next.at) next.way = wayOf(event) || next.way;
  if (type === 'trace_bounded') next.isBounded = true;
  return isLastWord(type) ? ended(next, outcomeOf(type, record(event.payload))) : next;
}

function tally(counts, { type, payload }, isBad) {
  if (isBad) counts.troubles += 1;
  if (type === 'warning') counts.warnings += 1;
  if (type !== 'check_evaluated') return;
  counts.checks += 1;
  if (record(payload).verdict === 'pass') counts.passed += 1;
}

/** The walk comes to a node, by an edge from where it was. */
function arrive(next, node) {
  const before = next.nodes.get(next.at);
  // What follows has begun: a failure would have ended the run.
  if (before?.status === 'running') next.nodes.set(next.at, { ...before, status: 'done' });
  if (next.at) {
    next.lit = wayKey({ from: next.at, to: node, output: next.way });
    const isKept = next.travelled.has(next.lit) || next.travelled.size < WAYS_KEPT_MAX;
    if (isKept) next.travelled.set(next.lit, (next.travelled.get(next.lit) ?? 0) + 1);
  }
  next.at = node;
  next.way = '';
}

function outcomeOf(kind, payload) {
  return {
    kind,
    reason: text(payload.reason),
    node: text(payload.node),
    message: text(payload.message),
    spent: record(payload.spent),
    leftOut: Number.isSafeInteger(payload.events_left_out) ? payload.events_left_out : 0,
  };
}

function ended(state, outcome) {
  const nodes = new Map(state.nodes);
  for (const [id, node] of nodes) {
    if (node.status === 'running') nodes.set(id, { ...node, status: 'stopped' });
  }
  const failed = nodes.get(outcome.node);
  if (failed && failed.status !== 'failed') {
    nodes.set(outcome.node, { ...failed, status: 'failed', error: failed.error || outcome.message });
  }
  return { ...state, nodes, phase: 'ended', connection: 'none', isStopping: false, outcome, lit: '' };
}

/** One text for an edge that was gone along. */
export const wayKey = ({ from, to, output }) => `${from} ${to} ${output}`;

/**
 * How often each edge of a graph was gone along, by its key, and which one is lit. A plain node tells no way;
 * then it is the first edge between the two.
 */
export function edgesGone(state, graph) {
  const named = new Map(graph.edges.map((edge) => [wayKey(edge), edge.key]));
  const between = new Map([...graph.edges].reverse().map((edge) => [`${edge.from} ${edge.to}`, edge.key]));
  const keyOf = (way) => named.get(way) ?? between.get(way.split(' ').slice(0, 2).join(' '));
  const gone = new Map();
  for (const [way, times] of state.travelled) {
    const key = keyOf(way);
    if (key) gone.set(key, (gone.get(key) ?? 0) + times);
  }
  return { gone, lit: state.lit ? (keyOf(state.lit) ?? '') : '' };
}

/** The newest lines, of one node, of what is bad, or of all, and how many are before them. */
export function linesOf(state, { node = '', isBad = false, most }) {
  if (isBad) {
    const lines = state.troubles.slice(-most);
    return { lines, before: state.counts.troubles - lines.length };
  }
  const own = node ? state.lines.filter((line) => line.node === node) : state.lines;
  const all = node ? (state.nodes.get(node)?.events ?? 0) : state.events;
  const lines = own.slice(-most);
  return { lines, before: Math.max(0, all - lines.length) };
}
