// The graph of an automaton: its states in one column, and the edges that a run has taken. A file does not say where a
// page leads. Before a run, only the order of the states in the file is known, the newest first. Pure.

import { count } from '../words.js';
import { viewOf } from './states.js';

const VERBS_SHOWN_MAX = 6;
const PLANNED = 'Dotted: the order in the file, from its last state to its first. Where a page leads is seen when it runs.';

/**
 * A graph for ../run-page/layout.js. `states` are `{id, json}` in the order of the file, `path` the ids of the visited
 * states in the order of their first visits, `travelled` the edges that were taken. Null without states.
 */
export function graphOf({ states, path = [], travelled = new Map(), family, name = '' }) {
  if (states.length === 0) return null;
  const known = new Map(states.map((one) => [one.id, one]));
  const visited = path.filter((id) => known.has(id));
  const column = [...visited, ...states.map(({ id }) => id).reverse().filter((id) => !visited.includes(id))];
  const places = new Map(column.map((id, i) => [id, i]));
  const edges = [...travelled.keys()].map((way) => way.split(' '))
    .filter(([from, to]) => places.has(from) && places.has(to))
    .map(([from, to]) => edgeOf(from, to, { isReturn: places.get(to) <= places.get(from) }));
  const gone = new Set(edges.map(({ from, to }) => `${from} ${to}`));
  const planned = column.slice(1).map((to, i) => edgeOf(column[i], to, { isPlanned: true }))
    .filter(({ from, to }) => !gone.has(`${from} ${to}`));
  const nodes = column.map((id) => nodeOf(known.get(id), states.length - states.indexOf(known.get(id))));
  return {
    name: name || nameOf(states),
    nodes,
    edges: [...edges, ...planned],
    noun: 'state',
    isOpen: true,
    family,
    note: planned.length > 0 ? PLANNED : '',
  };
}

function edgeOf(from, to, { isReturn = false, isPlanned = false }) {
  const kind = isPlanned ? 'planned' : 'gone';
  return { key: `${kind} ${from} ${to}`, from, to, output: '', label: '', isReturn, isPlanned };
}

function nodeOf({ id, json }, ordinal) {
  const view = viewOf(json);
  const { checks, actions, end } = view;
  const verbs = actions.map(({ verb }) => verb);
  const shown = verbs.slice(0, VERBS_SHOWN_MAX).join(', ') + (verbs.length > VERBS_SHOWN_MAX ? ' …' : '');
  return {
    id,
    type: end ? 'end' : 'state',
    name: view.name || `State ${ordinal}`,
    kind: json === null ? 'not known yet' : `${count(checks.length, 'check')}, ${count(actions.length, 'action')}`,
    line: end ? `ends: ${end}` : shown,
    isEnabled: true,
    isMissing: false,
    loop: '',
    view,
  };
}

/** A file of states has no name; its end describes best what it is for. */
export function nameOf(states) {
  const ends = states.map(({ json }) => viewOf(json).end.trim()).filter(Boolean);
  const size = `An automaton of ${count(states.length, 'state')}`;
  return ends.length === 1 ? `${size}, to “${ends[0].slice(0, 80)}”` : size;
}
