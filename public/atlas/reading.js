// Reads the atlas's answers. A value of the wrong type becomes a harmless one or is left out, as in wire.js.

import { hops } from '../model.js';
import { list, number, record, text } from '../safe.js';
import { facing } from '../views.js';
import { numberOf, pageOf } from '../wikidata.js';
import { edge, edgeKey, people as pathOf, person as named } from '../wire.js';

/** The most people drawn in one picture. */
export const PEOPLE_MAX = 1_000;

/** The size of the atlas and what it saved: `{people, photos, pairs, recognitions, usd}`. */
export function sizeOf(answer) {
  const { people, photos, pairs, saved } = record(answer);
  const { recognitions, usd } = record(saved);
  return {
    people: whole(people),
    photos: whole(photos),
    pairs: whole(pairs),
    recognitions: whole(recognitions),
    usd: Math.max(0, number(usd) ?? 0),
  };
}

/** The people of an answer, each once: `{id, name, photos, wikidata}`. */
export function peopleOf(answer) {
  const people = new Map();
  for (const one of list(record(answer).people).map(personOf)) {
    if (one.id && !people.has(one.id)) people.set(one.id, one);
  }
  return [...people.values()];
}

/** A person in a list of suggestions. */
export const suggestionOf = ({ id, name, photos, wikidata }) =>
  ({ id, label: name, number: wikidata, description: `${photos} ${photos === 1 ? 'photo' : 'photos'}`, alias: '' });

/** A person and those seen with them: `{person, edges, next}`; null if the answer names no person. */
export function neighboursOf(answer) {
  const raw = record(answer);
  const person = personOf(raw.person);
  if (!person.id) return null;
  const edges = edgesOf(raw.edges)
    .filter(({ from, to }) => from === person.id || to === person.id)
    .map((one) => facing(one, person.id));
  const next = number(raw.next);
  return { person, edges, next: Number.isInteger(next) && next > 0 ? next : null };
}

/**
 * A chain: `{a, b, path, edges, weakest, isWhole}`. Its path is empty if none is known or a link is missing in the
 * answer; `weakest` is the key of its weakest link.
 */
export function chainOf(answer) {
  const raw = record(answer);
  const edges = new Map(edgesOf(raw.edges).map((one) => [one.key, one]));
  const told = pathOf(raw.path);
  const isLinked = told.length > 1 && hops(told).every((key) => edges.has(key));
  const path = isLinked ? told : [];
  const { from, to } = record(raw.weakest);
  return {
    a: personOf(raw.a),
    b: personOf(raw.b),
    path,
    edges: hops(path).map((key, i) => facing(edges.get(key), path[i].id)),
    weakest: edgeKey(text(from), text(to)),
    isWhole: raw.isWhole !== false,
  };
}

/** Converts a chain to the form that the views of a run's result expect. */
export function shownChain({ a, b, path, edges, weakest }) {
  const urls = [a, b].filter(({ wikidata }) => wikidata).map(({ id, wikidata }) => [id, { urls: [pageOf(wikidata)] }]);
  return {
    phase: 'ended',
    a: a.name,
    b: b.name,
    sides: { a: path, b: [] },
    outcome: { kind: 'final', path, weakest },
    edges: Object.fromEntries(edges.map((one) => [one.key, one])),
    people: Object.fromEntries(urls),
    guesses: [],
    hinted: [],
  };
}

function personOf(value) {
  const { photos, wikidata } = record(value);
  return { ...named(record(value)), photos: whole(photos), wikidata: numberOf(wikidata) };
}

function edgesOf(value) {
  const edges = new Map();
  for (const raw of list(value)) {
    const read = edge(raw);
    if (!read || edges.has(read.key)) continue;
    // The time in the atlas's answer is that of the recognition, and not the time at which an answer was reused.
    const photos = read.photos.map((one) => ({ ...one, rememberedAt: null, recognisedAt: one.rememberedAt }));
    edges.set(read.key, { ...read, photos, photoCount: whole(record(raw).photos) });
  }
  return [...edges.values()].slice(0, PEOPLE_MAX);
}

/** A value as a count: an integer that is at least 0. */
const whole = (value) => Math.max(0, Math.floor(number(value) ?? 0));
