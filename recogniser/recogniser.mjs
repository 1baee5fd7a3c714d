// Recognises the candidates in a photo.
import { MODEL } from './faces/model.mjs';
import { doubtful, matches, SIDE_MIN } from './matching.mjs';

/**
 * The longest wait for candidates who are fetched for the first time, once the photo is described, and for second
 * portraits, in milliseconds.
 */
const PEOPLE_MS_MAX = 5_000;
const SECOND_MS_MAX = 3_000;
/** How many candidates, the likeliest, must have been looked for before a face counts as nobody's. */
const LEADING = 12;
/** The confidence from which a face counts as somebody's, in percent. */
const SURE_MIN = 80;

/** Somebody whom the photo probably shows is still being fetched, or cannot be. `failure` says why Wikimedia is not asked. */
export class Unready extends Error {
  constructor(failure) {
    super(failure ? `Wikimedia cannot be asked: ${failure.message}.` : 'People are still being fetched.');
    this.retryMs = failure?.retryMs ?? 3_000;
    this.isDown = Boolean(failure);
  }
}

/**
 * Returns the answer for a photo: each face with its box, in fractions of the photo, and its match among the candidates,
 * the likeliest first, and the gallery. A face that is none of these is described in memory alone. Throws `Unready`.
 */
export async function recognise({ photo, candidates }, { describer, directory, signal }) {
  // Where the queue is full this throws, before anybody is fetched.
  const described = describer.describe(photo, signal);
  // They are fetched meanwhile. Their portraits are described after the photo, so the wait begins only then.
  directory.people(candidates, 0).catch(() => {});
  const faces = await described;
  if (!faces.some(isMatchable)) return answerOf(faces, [], { people: [], unready: [] });
  const { people, unready, failure } = await directory.people(candidates, PEOPLE_MS_MAX);
  const all = await withSecondPortraits(faces, withGallery(people, directory), directory);
  const found = matches(faces, all);
  const isNobodys = (face, place) => isMatchable(face) && !(found[place]?.confidence >= SURE_MIN);
  if (faces.some(isNobodys) && unready.some((place) => place < LEADING)) throw new Unready(failure);
  return answerOf(faces, found, { people: all, unready });
}

const isMatchable = ({ side }) => side >= SIDE_MIN;

/** Returns the people, those in doubt with a second portrait where there is one. */
async function withSecondPortraits(faces, people, directory) {
  const inDoubt = doubtful(faces, people).filter(({ hasSecond }) => !hasSecond);
  if (inDoubt.length === 0) return people;
  const descriptions = faces.map(({ description }) => description);
  await Promise.all(inDoubt.map((person) => directory.addSecondPortrait(person, descriptions, SECOND_MS_MAX)));
  const asked = people.filter(({ isAsked }) => isAsked).map(({ number }) => ({ number }));
  return withGallery((await directory.people(asked, SECOND_MS_MAX)).people, directory);
}

function withGallery(people, directory) {
  const asked = new Set(people.map(({ number }) => number));
  const others = directory.gallery().filter(({ number }) => !asked.has(number));
  return [
    ...people.map((person) => ({ ...person, isAsked: true })), ...others.map((person) => ({ ...person, isAsked: false })),
  ];
}

function answerOf(faces, found, { people, unready }) {
  return {
    model: MODEL,
    faces: faces.map(({ box }, place) => ({ box: sides(box), match: found[place] ? told(found[place]) : null })),
    compared: people.length,
    unready: unready.length,
  };
}

const sides = ([left, top, width, height]) => ({ left, top, width, height });

function told({ person, portrait, confidence }) {
  const { url, page, sha256, box, author, license, licenseUrl } = portrait;
  return {
    number: person.number, name: person.name, confidence: Math.round(100 * confidence) / 100,
    portrait: { url, page, sha256, box: sides(box), author, license, licenseUrl },
  };
}
