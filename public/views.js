// What is drawn, computed from the state: the chain, the ordered photos, the meters.

import { hops } from './model.js';
import { shownNames } from './pair.js';
import { fold } from './safe.js';
import { edgeKey } from './wire.js';

/**
 * The chain as a row of people, links and gaps. An unfinished one has a gap in the middle; a typed name that was not
 * recognised appears with `seen: false`.
 */
export function chainOf(state) {
  if (state.phase === 'idle' || state.outcome?.kind === 'gone') return [];
  const { a, b } = state.sides;
  // Once the run is over, two names with nothing between them are not shown as a chain.
  if (state.outcome && a.length + b.length === 0) return [];
  const typed = shownNames(state);
  const whole = state.outcome?.kind === 'final';
  const joined = whole || (a.length > 1 && fold(a[a.length - 1].name) === fold(typed.b));
  const head = a.length > 0 ? row(state, a) : alone(state, typed.a, 'a');
  if (joined) return marked(head, state.outcome);
  const tail = b.length > 0 ? row(state, b) : alone(state, typed.b, 'b');
  const gap = head.length > 0 && tail.length > 0 ? [{ kind: 'gap', key: 'gap' }] : [];
  return [...head, ...gap, ...tail];
}

/** The person typed for this side, who has no link in the chain, but may have been seen with others. */
function alone(state, name, side) {
  if (!name) return [];
  const faces = Object.values(state.edges).flatMap((edge) => [
    { id: edge.from, name: edge.fromName },
    { id: edge.to, name: edge.toName },
  ]);
  const known = faces.find((one) => fold(one.name) === fold(name));
  if (known) return row(state, [known]);
  return [{ kind: 'person', key: `typed ${side}`, name, seen: false, portrait: null }];
}

function row(state, path) {
  return path.flatMap((one, i) => {
    const shown = {
      kind: 'person',
      key: one.id,
      name: one.name,
      seen: true,
      portrait: portraitOf(state, one.id),
      urls: state.people[one.id]?.urls ?? [],
    };
    if (i === 0) return [shown];
    const key = edgeKey(path[i - 1].id, one.id);
    const confidence = state.edges[key]?.confidence ?? null;
    const between = [path[i - 1].name, one.name];
    return [{ kind: 'link', key, between, confidence, weakest: false }, shown];
  });
}

// Marks the weakest link, if there is a stronger one to compare it with.
function marked(items, outcome) {
  const links = items.filter((item) => item.kind === 'link' && item.confidence !== null);
  if (!outcome || links.length < 2) return items;
  const least = Math.min(...links.map((item) => item.confidence));
  const weakest = links.find(({ key }) => key === outcome.weakest) ?? links.find((item) => item.confidence === least);
  return items.map((item) => (item === weakest ? { ...item, weakest: true } : item));
}

/** The largest face of this person in any shown photo, which makes the sharpest portrait. */
export function portraitOf(state, id) {
  let best = null;
  let area = 0;
  for (const edge of Object.values(state.edges)) {
    for (const photo of edge.photos) {
      for (const face of photo.faces) {
        const size = face.box ? face.box.width * face.box.height : 0;
        if (face.id !== id || size <= area || !(photo.imageUrl || photo.thumbnailUrl)) continue;
        area = size;
        best = { box: face.box, urls: [photo.imageUrl, photo.thumbnailUrl].filter(Boolean) };
      }
    }
  }
  return best;
}

/**
 * The photos of an ended run, as `{path, aside}`: a card for each link of the chain, in order, and one for each other
 * photo.
 */
export function cardsOf(state) {
  if (!state.outcome) return { path: [], aside: [] };
  const edges = Object.values(state.edges);
  if (state.outcome.kind !== 'final') return { path: [], aside: photosOf(edges) };
  const onPath = linksOf(state, state.outcome.path);
  const shown = onPath.flatMap((edge) => edge.photos.map(({ ref }) => ref));
  const others = edges.filter((edge) => !onPath.some(({ key }) => key === edge.key));
  return {
    path: onPath.map((edge, i) => ({ edge, label: i + 1 })),
    aside: photosOf(others, shown),
  };
}

/** The known links of a chain, in order. */
export const linksOf = (state, path) =>
  hops(path)
    .map((key, i) => state.edges[key] && facing(state.edges[key], path[i].id))
    .filter(Boolean);

/** `{photo, edges}` for each photo of these edges, in order, except those already shown. */
function photosOf(edges, shown = []) {
  const cards = new Map();
  for (const edge of edges) {
    for (const photo of edge.photos) {
      if (shown.includes(photo.ref)) continue;
      const card = cards.get(photo.ref) ?? { photo, edges: [] };
      card.edges.push(edge);
      cards.set(photo.ref, card);
    }
  }
  return [...cards.values()];
}

/** Turns an edge, which is reported in the order of its discovery, into the direction of the chain. */
export function facing(edge, from) {
  if (edge.from === from) return edge;
  return { ...edge, from: edge.to, to: edge.from, fromName: edge.toName, toName: edge.fromName };
}

const METERS = [
  ['searchCalls', 'Searches'],
  ['rekognitionCalls', 'Recognitions'],
  ['llmCalls', 'Planner calls'],
  ['runtimeMs', 'Time'],
  ['usd', 'Cost'],
];

/** What was spent and the limits; `now` keeps the clock of a live run going between events. */
export function metersOf(state, now = 0) {
  const live = state.phase === 'running' && state.connection === 'open' && state.spentAt > 0;
  return METERS.filter(([key]) => key in state.spent || key in state.budget).map(([key, label]) => {
    const limit = state.budget[key] ?? null;
    let value = state.spent[key] ?? 0;
    if (key === 'runtimeMs' && live) value += Math.max(0, now - state.spentAt);
    if (key === 'runtimeMs' && limit !== null && live) value = Math.min(value, limit);
    return { key, label, value, limit };
  });
}
