// Recognises the candidates in a photo.
import { MODEL } from './faces/model.mjs';
import { doubtful, matches } from './matching.mjs';

/** The longest wait for candidates who are fetched for the first time, and for second portraits, in milliseconds. */
const PEOPLE_MS_MAX = 6_000;
const SECOND_MS_MAX = 3_000;

/**
 * Returns the answer for a photo: each face with its box, in fractions of the photo, and its match among the candidates
 * and the gallery. A face that is none of these is described in memory alone.
 */
export async function recognise({ photo, candidates }, { describer, directory }) {
  const [faces, { people, unready }] = await Promise.all([
    describer.describe(photo), directory.people(candidates, PEOPLE_MS_MAX),
  ]);
  let all = withGallery(people, directory);
  const inDoubt = doubtful(faces, all).filter(({ hasSecond }) => !hasSecond);
  if (inDoubt.length > 0) {
    await Promise.all(inDoubt.map((person) =>
      directory.addSecondPortrait(person, faces.map(({ description }) => description), SECOND_MS_MAX)));
    const again = await directory.people(people.map(({ number }) => ({ number })), 0);
    all = withGallery(again.people, directory);
  }
  const found = matches(faces, all);
  return {
    model: MODEL,
    faces: faces.map(({ box: [left, top, width, height] }, number) => ({
      box: { left, top, width, height }, match: found[number] && told(found[number]),
    })),
    compared: all.length,
    unready,
  };
}

function withGallery(people, directory) {
  const asked = new Set(people.map(({ number }) => number));
  const others = directory.gallery().filter(({ number }) => !asked.has(number));
  return [
    ...people.map((person) => ({ ...person, isAsked: true })), ...others.map((person) => ({ ...person, isAsked: false })),
  ];
}

function told({ person, portrait, confidence }) {
  const { url, page, sha256, author, license, licenseUrl } = portrait;
  return {
    number: person.number, name: person.name, confidence: Math.round(100 * confidence) / 100,
    portrait: { url, page, sha256, author, license, licenseUrl },
  };
}
