// What is said below a photo: who was recognised, how it was found, where it is from, who made it.

import { el } from '../dom.js';
import { percent } from '../words.js';

/** Names, and how sure each is. */
export const matches = (faces) =>
  el(
    'dl',
    { class: 'matches' },
    ...faces.flatMap((face) => [
      el('dt', {}, el('bdi', {}, face.name)),
      el('dd', {}, percent(face.confidence)),
    ]),
  );

/** Names with commas between, each on its own: one from right to left turns no other round. */
export const listed = (names) =>
  names.flatMap((name, i) => [i === 0 ? null : ', ', el('bdi', {}, name)]).filter(Boolean);

/** `pictureAt` gives the address of a picture that the server keeps, or '' where it keeps none. */
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
    photo.rememberedAt ? remembered(photo.rememberedAt) : null,
    photo.recognisedAt
      ? el('p', { class: 'small', testid: 'recognised' }, `Recognised on ${photo.recognisedAt.slice(0, 10)}.`)
      : null,
    photo.contextUrl ? source(photo) : null,
    photo.author || photo.license || photo.licenseUrl ? credit(photo) : null,
    photo.capture ? pagePicture(photo.capture, pictureAt(photo.capture.sha256)) : null,
  ].filter(Boolean);
}

/** When an earlier run had the answer that is used again. */
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

/** The photo's author, and the terms under which it may be used. */
function credit({ author, license, licenseUrl }) {
  const terms = license || (licenseUrl && 'licence');
  return el(
    'p',
    { class: 'small credit', testid: 'credit' },
    'Photo: ',
    // Isolated: a name that is written from right to left turns nothing else round.
    author ? el('bdi', {}, author) : null,
    author && terms ? ', ' : null,
    licenseUrl ? el('a', elsewhere(licenseUrl), terms) : terms,
  );
}

/** What the page looked like: it shows the page, and proves nothing. */
function pagePicture({ sha256, at }, href) {
  const words = 'Picture of the page';
  return el(
    'p',
    { class: 'small page-picture', testid: 'page-picture', title: `SHA-256 ${sha256}` },
    href ? el('a', elsewhere(href), words) : words,
    ` as it was on ${at.slice(0, 10)} at ${at.slice(11, 19)} UTC. It shows the page, and is no proof.`,
  );
}

const elsewhere = (href) => ({ href, target: '_blank', rel: 'noreferrer noopener' });
