// The page's state as a pure reducer: (state, action) -> state. It uses neither document nor network, so that tests
// need no browser.

import { certificate } from './certificate.js';
import { failure, noPath } from './endings.js';
import { pair, shownNames } from './pair.js';
import { fold, list, number, record, text } from './safe.js';
import { edge, edgeKey, graphEdges, mergeEdge, numbers, people, person } from './wire.js';

// The most lines that are kept. Older ones are dropped, so that a tab that is open for days does not grow without
// limit.
const LOG_LINES_MAX = 300;
const GUESSES_MAX = 30;
const HINTS_MAX = 20;

export const blank = (names = {}) => ({
  phase: 'idle', // idle | starting | running | ended
  showing: names.showing ?? 0, // a number that changes for each run or file that is shown
  run: null,
  isOwn: false, // whether this tab may stop and fork the run
  isFile: false, // whether the run comes from a sealed file, and not from a server
  ...pair(names), // as typed: a, b, wikidataA, wikidataB
  last: 0, // the number of the last event that was applied
  connection: 'none', // none | open | lost
  stopping: false,
  status: null,
  log: [],
  edges: {}, // by edge key, in order of arrival
  newest: '', // the key of the edge that was reported last
  people: {}, // by id: {name, urls}, if the last event has more than a name
  guesses: [], // {from, name}: whom a planner named beside whom, and nobody has seen there
  hinted: [], // [person, person]: who may be in a photo together by the words beside it, until it is looked at
  sides: { a: [], b: [] }, // the chain from A on, and the chain that ends in B
  chain: '', // the address of its publication, and its expiry
  expires: '',
  kept: null, // {expiresAt, options, forkedFrom, reused} of its record
  together: null, // what it and the run that it went on from have cost, in dollars
  verification: null, // of a file: {kind: 'checking' | 'checked' | 'refused' | 'unavailable', ...}
  spent: {},
  budget: {},
  spentAt: 0,
  outcome: null,
});

export function reduce(state, action) {
  switch (action.kind) {
    case 'starting':
      return { ...blank(action), phase: 'starting' };
    case 'following':
      return { ...state, phase: 'running', run: action.run, isOwn: action.isOwn === true };
    case 'refused':
      return { ...state, phase: 'idle' };
    case 'connection':
      return state.phase === 'ended' ? state : { ...state, connection: action.value };
    case 'stopping':
      return { ...state, stopping: action.value };
    case 'event':
      return takeEvent(state, action);
    case 'names':
      return withNames(state, action.record);
    case 'kept':
      return takeRecord(withNames(state, action.record), action.record);
    case 'gone':
      return ended(state, { kind: 'gone', why: action.why, detail: text(action.detail) });
    case 'blank':
      return blank();
    case 'sealed':
      return { ...state, phase: 'running', run: action.run, chain: action.chain, isFile: true };
    case 'published':
      return { ...state, chain: action.chain, expires: action.expires };
    case 'verification':
      return { ...state, verification: action.value };
    case 'known':
      return { ...state, kept: action.kept, together: action.together ?? null };
    default:
      return state;
  }
}

// A reconnect may repeat events. Repeated events are ignored, and so are all events after the run's last one.
function takeEvent(state, { n, event, at = 0 }) {
  if (state.outcome || (n && n <= state.last)) return state;
  const taken = withSpending({ ...state, last: n || state.last }, record(event), at);
  switch (record(event).type) {
    case 'status':
      return takeStatus(taken, event, n);
    case 'evidence':
      return {
        ...withEdges(taken, [event.edge]),
        newest: edge(event.edge)?.key ?? taken.newest,
        log: withNews(taken.log),
      };
    case 'path_update':
      return { ...taken, sides: placed(taken, people(event.path)) };
    case 'final':
      return takeFinal(taken, event);
    case 'no_path':
      return ended(withGraph(taken, event.graph), noPath(event));
    case 'error':
      return ended(taken, failure(event));
    default:
      return taken;
  }
}

function takeStatus(state, event, n) {
  const status = {
    n: n || state.last,
    state: text(event.state),
    message: text(event.message),
    hop: number(event.hop),
    frontier: event.frontier ? person(event.frontier) : null,
    side: text(event.side),
    guess: text(event.guess),
    time: text(event.timestamp),
    news: false,
  };
  const log = [...state.log, status].slice(-LOG_LINES_MAX);
  const hinted = event.hinted ? hintsOf(event.hinted) : state.hinted;
  return { ...state, status, log, guesses: withGuess(state.guesses, status), hinted };
}

/**
 * All current hints. The server sends all of them on each change; hints whose photos were looked at are gone by then.
 */
function hintsOf(hinted) {
  const pairs = list(hinted).map((two) => list(two).map(person).filter(Boolean));
  return pairs.filter((two) => two.length === 2).slice(-HINTS_MAX);
}

/** Marks the last line of the log as having proven a link. */
function withNews(log) {
  const last = log.at(-1);
  return last && !last.news ? [...log.slice(0, -1), { ...last, news: true }] : log;
}

function withGuess(guesses, { guess, frontier }) {
  const isNew = guess && frontier && !guesses.some(({ name }) => name === guess);
  return isNew ? [...guesses, { from: frontier.id, name: guess }].slice(-GUESSES_MAX) : guesses;
}

function takeFinal(state, event) {
  const shown = withGraph(withEdges(state, list(event.edges)), event.graph);
  const path = people(event.path);
  const map = record(event.confidenceMap);
  return ended(
    { ...shown, sides: { a: path, b: [] } },
    {
      kind: 'final',
      path,
      keys: hops(path),
      bottleneck: number(map.bottleneck),
      cumulative: number(map.cumulative),
      certificate: certificate(event),
      disclaimer: text(event.disclaimer),
    },
  );
}

const ended = (state, outcome) => ({
  ...state,
  phase: 'ended',
  connection: 'none',
  stopping: false,
  outcome,
});

function withSpending(state, event, at) {
  const spent = numbers(event.spent);
  return {
    ...state,
    spent: { ...state.spent, ...spent },
    budget: { ...state.budget, ...numbers(event.budget) },
    spentAt: 'runtimeMs' in spent ? at : state.spentAt,
  };
}

/** Takes the whole graph: the pages of people, and the edges that were not reported before. */
function withGraph(state, value) {
  const { nodes, edges } = graphEdges(value);
  const untold = edges.filter(({ from, to }) => !state.edges[edgeKey(from, to)]);
  return { ...withEdges(state, untold), people: { ...state.people, ...nodes } };
}

function withEdges(state, values) {
  const edges = { ...state.edges };
  for (const one of values.map(edge).filter(Boolean)) {
    edges[one.key] = mergeEdge(edges[one.key], one);
  }
  return { ...state, edges };
}

/**
 * Puts a partial chain on its side: A's side begins with A; B's side, which is only used if both ends are searched
 * from, ends with B.
 */
function placed(state, path) {
  const { sides } = state;
  if (path.length === 0) return { ...sides, a: [] };
  const { a, b } = shownNames(state);
  const is = (one, typed) => typed !== '' && fold(one.name) === fold(typed);
  const fromB = is(path[0], b);
  const ordered = fromB ? [...path].reverse() : path;
  if (!fromB && !is(path[path.length - 1], b)) return { ...sides, a: ordered };
  return is(ordered[0], a) ? { a: ordered, b: [] } : { ...sides, b: ordered };
}

export const hops = (path) => path.slice(1).map((one, i) => edgeKey(path[i].id, one.id));

// The record's `meta` has the names as typed. For a link without names, it is their only source.
function withNames(state, value) {
  const meta = record(record(value).meta);
  const name = (side, long) => state[side] || person(meta[long] ?? meta[side]).name || '';
  const named = { a: name('a', 'personA'), b: name('b', 'personB') };
  // A number belongs to its name, so the record's number is used only with the record's name.
  const number = (side, long, option) =>
    state[option] || (fold(named[side]) === fold(meta[long]) ? meta[option] : '');
  return {
    ...state,
    ...pair({
      ...named,
      wikidataA: number('a', 'personA', 'wikidataA'),
      wikidataB: number('b', 'personB', 'wikidataB'),
    }),
  };
}

/** Takes the stored record of a run whose events have expired. Nothing else can be shown then. */
function takeRecord(state, value) {
  const kept = record(value);
  const last = [kept.outcome, kept.last].find((one) => record(one).type);
  if (last && !state.outcome) return takeEvent(withKept(state, kept), { event: last });
  const shown = withKept(state, kept);
  const path = shown.sides.a;
  const links = hops(path).map((key) => shown.edges[key]?.confidence ?? null);
  if (stateName(kept) !== 'S6' || links.length === 0) {
    const { endedWith, endedBecause } = record(kept.meta);
    const reason = endedWith === 'no_path' ? endedBecause : '';
    return ended(shown, { ...noPath({ reason }), kept: true, finished: stateName(kept) === 'S7' });
  }
  const known = links.every((one) => one !== null);
  return ended(shown, {
    kind: 'final',
    kept: true,
    path,
    keys: hops(path),
    bottleneck: known ? Math.min(...links) : null,
    cumulative: known ? links.reduce((product, one) => (product * one) / 100, 1) : null,
    certificate: certificate({}),
    disclaimer: text(kept.disclaimer),
  });
}

function withKept(state, kept) {
  const edges = Array.isArray(kept.edges) ? kept.edges : Object.values(record(kept.edges));
  const path = people(Array.isArray(kept.path) ? kept.path : record(kept.path).path);
  const money = { spent: kept.spend ?? kept.spent, budget: record(kept.meta).budgets };
  const shown = withEdges(withSpending(state, money, 0), edges);
  return path.length > 0 ? { ...shown, sides: { a: path, b: [] } } : shown;
}

const stateName = (kept) => text(kept.state) || text(record(kept.state).state);
