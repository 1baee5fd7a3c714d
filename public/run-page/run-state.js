// The part of a run's state that all engines share: a pure reducer, (state, action) -> state, without document or
// network. A run may have a hundred thousand events, so they are taken in batches: each batch copies the state once.

import { record, text } from '../safe.js';

/** The most lines that are kept in the page. Older ones are in the run's record. */
const LINES_KEPT_MAX = 2_000;
/**
 * The most lines about trouble. They are kept for longer than other lines, since users look for early trouble when the
 * run has ended.
 */
const TROUBLES_KEPT_MAX = 500;
const WAYS_KEPT_MAX = 40_000;
const LAST_WORDS = ['completed', 'failed', 'stopped'];

export const isLastWord = (type) => LAST_WORDS.includes(type);

export const blankRun = () => ({
  phase: 'idle', // idle | starting | running | ended
  run: '',
  isOwn: false, // whether this tab may stop it
  isFile: false, // from a sealed file, not from a server
  verification: null, // the result of the file's check: ../verification.js
  connection: 'none', // none | open | lost
  isStopping: false,
  kept: null, // data from its record
  last: 0, // number of the last event taken
  events: 0,
  nodes: new Map(), // what is known of each node, by its id
  at: '', // the node where the run is
  way: '', // the way that it takes from there, as far as known
  lit: '', // the edge that it came by: wayKey
  travelled: new Map(), // how often each edge was gone along
  lines: [], // {n, time, node, name, isBad, words}
  troubles: [], // the bad ones among them, kept for longer
  counts: { troubles: 0, warnings: 0, checks: 0, passed: 0 },
  heard: '', // the newest words, for screen readers
  isBounded: false, // the server stopped sending details
  outcome: null, // {kind: 'completed' | 'failed' | 'stopped' | 'gone', ...}
});

/**
 * An engine provides `blank()`, `take(next, n, event)`, which applies an event to a copied state, and `copied(state)`,
 * copies of its own members that `take` changes.
 */
export function reduceRun(state, action, { blank, take, copied = () => ({}), known = (next) => next }) {
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
      return known({ ...state, kept: action.kept }, action.document);
    case 'events':
      return fold(state, action.events, take, copied);
    case 'gone':
      return ended(state, { kind: 'gone', why: text(action.why), detail: text(action.detail) });
    default:
      return state;
  }
}

/** Applies events `{n, event}` in order. A reconnect may repeat earlier ones. */
function fold(state, told, take, copied) {
  let next = {
    ...state,
    nodes: new Map(state.nodes),
    travelled: new Map(state.travelled),
    lines: [...state.lines],
    troubles: [...state.troubles],
    counts: { ...state.counts },
    ...copied(state),
  };
  for (const { n, event } of told) {
    if (next.outcome) break;
    if (n && n <= next.last) continue;
    next = take({ ...next, last: n || next.last, events: next.events + 1 }, record(event));
  }
  next.lines = next.lines.slice(-LINES_KEPT_MAX);
  next.troubles = next.troubles.slice(-TROUBLES_KEPT_MAX);
  return next;
}

/** Adds a line to the trace of the state passed to `take`. */
export function addLine(next, { time, node, name, isBad, words }) {
  const line = { n: next.events, time, node, name, isBad, words };
  next.lines.push(line);
  if (isBad) {
    next.troubles.push(line);
    next.counts.troubles += 1;
  }
}

/** Notes that the run arrives at a node by an edge from the previous node. */
export function arriveAt(next, node) {
  if (next.at) {
    next.lit = wayKey({ from: next.at, to: node, output: next.way });
    const isKept = next.travelled.has(next.lit) || next.travelled.size < WAYS_KEPT_MAX;
    if (isKept) next.travelled.set(next.lit, (next.travelled.get(next.lit) ?? 0) + 1);
  }
  next.at = node;
  next.way = '';
}

/** Marks the active nodes as stopped, and records where the run failed. */
export function ended(state, outcome) {
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

/** The key of an edge that was taken. */
export const wayKey = ({ from, to, output }) => `${from} ${to} ${output}`;

/**
 * How often each edge of a graph was taken, by key, and which one is lit. A plain node does not report which edge was
 * taken; then the first one between the two nodes counts.
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

/** The newest lines of one node, of problems, or of all, and the number of lines before them. */
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
