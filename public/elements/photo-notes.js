// The notes below a photo: who was recognised, how it was found, its source and author.

import { el } from '../dom.js';
import { percent } from '../words.js';

/** The names of faces with their confidences, as text. */
export const matches = (faces) =>
  el(
    'dl',
    { class: 'matches' },
    ...faces.flatMap((face) => [
      el('dt', {}, el('bdi', {}, face.name)),
      el('dd', {}, percent(face.confidence)),
    ]),
  );

/** Names separated by commas, each isolated, so that a right-to-left name does not reorder others. */
export const listed = (names) =>
  names.flatMap((name, i) => [i === 0 ? null : ', ', el('bdi', {}, name)]).filter(Boolean);

/** `pictureAt` returns the address of a stored capture, or ''. */
export function notes(photo, pictureAt = () => '') {
  return [
    photo.isThumbnail
      ? el(
          'p',
          { class: 'small', testid: 'small-copy' },
          'Recognised in its small copy; the photo itself could not be had.',
        )
      : null,
    photo.query
      ? el('p', { class: 'small' }, 'Found by searching ', el('q', {}, el('bdi', {}, photo.query)))
      : null,
    photo.doubt
      ? el('p', { class: 'small', testid: 'doubt' }, 'Doubtful: ', el('bdi', {}, photo.doubt), '.')
      : null,
    photo.taken ? el('p', { class: 'small', testid: 'taken' }, `Taken ${photo.taken}.`) : null,
    photo.making
      ? el('p', { class: 'small', testid: 'making' }, 'Its making: ', el('bdi', {}, photo.making), '.')
      : null,
    photo.recognisedBy ? recogniser(photo.recognisedBy) : null,
    photo.rememberedAt ? remembered(photo.rememberedAt) : null,
    photo.recognisedAt
      ? el('p', { class: 'small', testid: 'recognised' }, `Recognised on ${photo.recognisedAt.slice(0, 10)}.`)
      : null,
    photo.contextUrl ? source(photo) : null,
    photo.author || photo.license || photo.licenseUrl ? credit(photo) : null,
    photo.capture ? pagePicture(photo.capture, pictureAt(photo.capture.sha256)) : null,
  ].filter(Boolean);
}

/** The recognisers' names for readers. */
const RECOGNISERS = { rekognition: 'Amazon Rekognition', references: 'comparing portraits' };

/** States who recognised the faces. */
function recogniser({ recogniser: id, model }) {
  const who = Object.hasOwn(RECOGNISERS, id) ? RECOGNISERS[id] : id;
  return el(
    'p',
    { class: 'small', testid: 'recogniser' },
    'Recognised by ',
    el('bdi', {}, who),
    ...(model ? [' (', el('bdi', {}, model), ')'] : []),
    '.',
  );
}

/** States when an earlier run got the answer that was reused for a photo. */
function remembered(at) {
  return el(
    'p',
    { class: 'small', testid: 'remembered' },
    `Recognised before, on ${at.slice(0, 10)}; the photo is still the same.`,
  );
}

function source(photo) {
  const host = new URL(photo.contextUrl).hostname.replace(/^www\./, '');
  return el(
    'p',
    { class: 'small source' },
    el(
      'a',
      { ...elsewhere(photo.contextUrl), title: photo.title },
      el('bdi', {}, photo.title || host),
    ),
    photo.title ? el('span', { class: 'host' }, host) : null,
  );
}

/** The photo's author and licence. */
function credit({ author, license, licenseUrl }) {
  const terms = license || (licenseUrl && 'licence');
  return el(
    'p',
    { class: 'small credit', testid: 'credit' },
    'Photo: ',
    // Isolated, so that a right-to-left name does not reorder its surroundings.
    author ? el('bdi', {}, author) : null,
    author && terms ? ', ' : null,
    licenseUrl ? el('a', elsewhere(licenseUrl), terms) : terms,
  );
}

/** Links the capture of the page with the photo. It shows the page, and proves nothing about the photo. */
function pagePicture({ sha256, at }, href) {
  const words = 'Picture of the page';
  return el(
    'p',
    { class: 'small page-picture', testid: 'page-picture', title: `SHA-256 ${sha256}` },
    href ? el('a', elsewhere(href), words) : words,
    ` as it was on ${at.slice(0, 10)} at ${at.slice(11, 19)} UTC. It shows the page, and is no proof.`,
  );
}

export const elsewhere = (href) => ({ href, target: '_blank', rel: 'noreferrer noopener' });
