// Computes the graph of who was seen with whom from a run's state.

import { hops } from './model.js';
import { shownNames } from './pair.js';
import { fold } from './safe.js';
import { edgeKey } from './wire.js';

/**
 * `{people, links}`. A person has `{id, name, end, isSeen, isOnPath, isSearched, step}`: `end` is "a", "b" or "";
 * `step` is the place in an ended run's chain, from 0 at A, or null. A link has `{key, from, to, confidence, kind}`;
 * `kind` is "path", "proven", "guess" or "hint", and the last two have no confidence and no photo.
 */
export function graphOf(state) {
  if (state.phase === 'idle' || state.outcome?.kind === 'gone') return { people: [], links: [] };
  const people = new Map();
  const see = (id, name) =>
    people.set(id, { id, name, end: '', isSeen: true, isOnPath: false, isSearched: false, step: null });
  const links = Object.values(state.edges).map((edge) => {
    if (!people.has(edge.from)) see(edge.from, edge.fromName);
    if (!people.has(edge.to)) see(edge.to, edge.toName);
    const { key, from, to, confidence } = edge;
    return { key, from, to, confidence, kind: 'proven' };
  });
  markEnds(state, people, see);
  markPath(state, people, links);
  links.push(...guesses(state, people), ...hints(state, people));
  markSearched(state, people);
  return { people: [...people.values()], links };
}

/** Adds the two people of the run if they were not recognised yet, as unseen. */
function markEnds(state, people, see) {
  const typed = shownNames(state);
  const path = state.outcome?.path ?? [];
  const ends = { a: path[0] ?? state.sides.a[0], b: path.at(-1) ?? state.sides.b.at(-1) };
  for (const side of ['a', 'b']) {
    const known = ends[side];
    if (known && !people.has(known.id)) see(known.id, known.name);
    const person = people.get(known?.id) ?? called(typed[side], people);
    if (person) person.end = side;
    else if (typed[side]) people.set(`typed ${side}`, unseen(`typed ${side}`, typed[side], side));
  }
}

/** Finds the first person with this name, in any spelling. */
function called(name, people) {
  const sought = fold(name);
  if (sought === '') return undefined;
  for (const person of people.values()) if (foldedOf(person.name) === sought) return person;
  return undefined;
}

/** The folded form of each name, cached because every event looks up the same few. */
const folded = new Map();
const FOLDED_MAX = 5_000;

function foldedOf(name) {
  const known = folded.get(name);
  if (known !== undefined) return known;
  if (folded.size >= FOLDED_MAX) folded.clear();
  const made = fold(name);
  folded.set(name, made);
  return made;
}

const unseen = (id, name, end) =>
  ({ id, name, end, isSeen: false, isOnPath: false, isSearched: false, step: null });

function markPath(state, people, links) {
  const paths = state.outcome?.path ? [state.outcome.path] : [state.sides.a, state.sides.b];
  const keys = new Set(paths.flatMap(hops));
  for (const link of links) if (keys.has(link.key)) link.kind = 'path';
  for (const { id } of paths.flat()) {
    if (people.has(id)) people.get(id).isOnPath = true;
  }
  if (state.phase !== 'ended') return;
  // The two parts of an unfinished chain keep their places. Between them there is a gap for one person.
  const part = (side) => (side.length > 0 ? side : [null]);
  const steps = state.outcome?.path ?? [...part(state.sides.a), null, ...part(state.sides.b)];
  steps.forEach((known, step) => {
    if (known && people.has(known.id)) Object.assign(people.get(known.id), { step, steps: steps.length });
  });
}

/** Adds the planner's guesses, each until its link is proven. An ended run has no guesses. */
function guesses(state, people) {
  if (state.outcome) return [];
  return state.guesses.flatMap(({ from, name }) => {
    if (!people.has(from)) return [];
    const met = called(name, people);
    const to = met?.id ?? `guess ${fold(name)}`;
    if (to === from || state.edges[edgeKey(from, to)]) return [];
    if (!met) people.set(to, unseen(to, name, ''));
    return [{ key: `guess ${edgeKey(from, to)}`, from, to, confidence: null, kind: 'guess' }];
  });
}

/** Adds the people who may be together according to the text that comes with a photo, until that photo is looked at. */
function hints(state, people) {
  if (state.outcome) return [];
  const links = new Map();
  const known = ({ id, name }) => {
    const met = people.get(id) ?? called(name, people);
    if (!met) people.set(id, unseen(id, name, ''));
    return met?.id ?? id;
  };
  for (const two of state.hinted) {
    const [from, to] = two.map(known);
    const key = `hint ${edgeKey(from, to)}`;
    if (from === to || state.edges[edgeKey(from, to)]) continue;
    links.set(key, { key, from, to, confidence: null, kind: 'hint' });
  }
  return [...links.values()];
}

/** Whether two graphs have the same people and links, in the same order. */
export const isSameGraph = (one, other) => isSameList(one.people, other.people) && isSameList(one.links, other.links);

function isSameList(one, other) {
  if (one.length !== other.length) return false;
  // Lists are compared from the end, since changes are usually there.
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (const name in one[i]) if (one[i][name] !== other[i][name]) return false;
    for (const name in other[i]) if (!(name in one[i])) return false;
  }
  return true;
}

/** Marks the people whose surroundings are searched now. At the beginning these are the two people of the run. */
function markSearched(state, people) {
  if (state.phase !== 'running') return;
  const around = state.status?.frontier?.id;
  for (const person of people.values()) {
    person.isSearched = around ? person.id === around : person.end !== '';
  }
}

/** Whether links of this kind have a photo. */
export const isProven = (kind) => kind !== 'guess' && kind !== 'hint';

/** The graph in words: each link once, those of the chain first, then the others by confidence. */
export function linksInWords({ people, links }) {
  const name = new Map(people.map((person) => [person.id, person.name]));
  const weight = ({ kind, confidence }) => (kind === 'path' ? 1000 : 0) + (confidence ?? -1);
  return [...links]
    .sort((one, other) => weight(other) - weight(one))
    .map((link) => ({ ...link, fromName: name.get(link.from), toName: name.get(link.to) }));
}
