// Reads the parts that events share: people, photos, edges, money. The shapes are those of the stream; unknown members
// are ignored and missing ones become empty, never an exception.

import { box, httpUrl, list, number, record, text } from './safe.js';

/** The key of an edge. It is the same in both directions, since a photo has no direction. */
export const edgeKey = (from, to) => JSON.stringify([from, to].sort());

export function person(value) {
  if (typeof value === 'string') return { id: value, name: value };
  const { id, name } = record(value);
  return { id: text(id) || text(name), name: text(name) || text(id) };
}

export const people = (value) =>
  list(value)
    .map(person)
    .filter((one) => one.id);

export function edge(value) {
  const raw = record(value);
  const from = text(raw.from);
  const to = text(raw.to);
  if (!from || !to || from === to) return null;
  const capture = captureOf(raw.capture);
  const photos = list(raw.evidence).map(photo).filter(Boolean);
  return {
    key: edgeKey(from, to),
    from,
    to,
    fromName: text(raw.fromName) || from,
    toName: text(raw.toName) || to,
    confidence: number(raw.edgeConfidence) ?? number(raw.edgeConf),
    photos: photos.map((one) => (one.ref === capture?.ref ? { ...one, capture } : one)),
  };
}

/** The capture of the page that shows a photo: `{ref, sha256, at}`. */
function captureOf(value) {
  const { ref, sha256, at } = record(value);
  const isWhole = /^[0-9a-f]{64}$/.test(text(sha256)) && !Number.isNaN(Date.parse(text(at)));
  return isWhole ? { ref: text(ref), sha256, at } : null;
}

/** A last event's graph: `nodes` by id, and `edges` in the form of an evidence event. */
export function graphEdges(value) {
  const raw = record(value);
  const told = list(raw.nodes).map((one) => ({ ...person(one), urls: addresses(record(one).urls) }));
  const nodes = Object.fromEntries(told.map(({ id, ...node }) => [id, node]));
  const photos = record(raw.evidence);
  const edges = list(raw.edges).map((one) => {
    const { from, to, evidenceRefs, ...rest } = record(one);
    const evidence = list(evidenceRefs).map((ref) => ({ ...record(photos[text(ref)]), ref }));
    return { ...rest, from, to, fromName: nodes[from]?.name, toName: nodes[to]?.name, evidence };
  });
  return { nodes, edges };
}

const addresses = (value) => list(value).map(httpUrl).filter(Boolean);

export function photo(value) {
  const raw = record(value);
  const ref = text(raw.ref) || text(raw.sha256) || text(raw.imageUrl);
  if (!ref) return null;
  return {
    ref,
    imageUrl: httpUrl(raw.imageUrl),
    // Null and not false, so that merging keeps an earlier value.
    isThumbnail: raw.isThumbnail === true ? true : null,
    thumbnailUrl: httpUrl(raw.thumbnailUrl),
    contextUrl: httpUrl(raw.contextUrl),
    title: text(raw.title),
    author: text(raw.author).trim(),
    license: text(raw.license).trim(),
    licenseUrl: httpUrl(raw.licenseUrl),
    query: text(raw.query),
    recognisedBy: recognisedBy(record(raw.recognisedBy)),
    rememberedAt: timeOf(record(raw.remembered).at),
    doubt: text(raw.doubt) || null,
    making: text(raw.making) || null,
    taken: takenOf(record(raw.taken)),
    score: number(raw.imageScore),
    faces: list(raw.faces)
      .map(face)
      .filter((one) => one.id),
  };
}

/** The words for those who say when a photo was taken. */
const DATE_SOURCES = {
  camera: 'by the camera',
  caption: 'by the caption in its file',
  provider: 'by the page that shows it',
};

/** When a photo was taken and who says so, like "2009-05-17, by the camera", or null. */
function takenOf({ date, source }) {
  const isDate = /^\d{4}(-\d\d(-\d\d)?)?$/.test(text(date));
  return isDate && Object.hasOwn(DATE_SOURCES, source) ? `${date}, ${DATE_SOURCES[source]}` : null;
}

/** The time in a text, as written there, or null. */
function timeOf(value) {
  return Number.isNaN(Date.parse(text(value))) ? null : value;
}

function face(value) {
  const raw = record(value);
  return {
    ...person(raw),
    confidence: number(raw.confidence),
    box: box(raw.box),
    portrait: portrait(record(raw.portrait)),
  };
}

/** The portrait that a face was compared with, or null. */
function portrait(raw) {
  const imageUrl = httpUrl(raw.imageUrl);
  if (!imageUrl) return null;
  return {
    imageUrl,
    contextUrl: httpUrl(raw.contextUrl),
    sha256: text(raw.sha256),
    box: box(raw.box),
    author: text(raw.author).trim(),
    license: text(raw.license).trim(),
    licenseUrl: httpUrl(raw.licenseUrl),
  };
}

/** The recogniser of the faces in a photo: `{recogniser, model}`, or null. */
function recognisedBy({ recogniser, model }) {
  return text(recogniser) ? { recogniser, model: text(model) } : null;
}

/**
 * Merges an edge that is reported twice: the later one wins, including the order of its photos, best first; what it
 * leaves out stays.
 */
export function mergeEdge(older, newer) {
  if (!older) return newer;
  const known = new Map(older.photos.map((one) => [one.ref, one]));
  const told = newer.photos.map((one) => mergePhoto(known.get(one.ref), one));
  for (const one of told) known.delete(one.ref);
  return {
    ...newer,
    confidence: newer.confidence ?? older.confidence,
    photos: [...told, ...known.values()],
  };
}

function mergePhoto(older, newer) {
  if (!older) return newer;
  const merged = { ...older };
  for (const [name, value] of Object.entries(newer)) {
    const empty = value === '' || value === null || (Array.isArray(value) && value.length === 0);
    if (!empty) merged[name] = value;
  }
  return merged;
}

/** Only the numbers of `spent` or `budget`, one level deep: `final` may send an empty object. */
export function numbers(value) {
  const kept = {};
  for (const [name, inner] of Object.entries(record(value))) {
    if (number(inner) !== null) kept[name] = inner;
    else if (Object.keys(record(inner)).length > 0) kept[name] = numbers(inner);
  }
  return kept;
}
