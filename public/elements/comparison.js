// Shows each face of a photo beside the portrait with which the recogniser compared it, for readers to judge.

import { el, picture } from '../dom.js';
import { elsewhere } from './photo-notes.js';

/** Returns the pairs of face and portrait; null if the recogniser tells no portrait. */
export function comparison(photo, faces) {
  const compared = faces.filter(({ portrait }) => portrait);
  if (compared.length === 0) return null;
  return el(
    'div',
    { class: 'comparison', testid: 'comparison' },
    el('p', { class: 'small' }, 'In the photo, and the portrait that it was compared with:'),
    el('ul', {}, ...compared.map((face) => pair(photo, face))),
  );
}

function pair(photo, { name, box, portrait }) {
  const face = document.createElement('vd-portrait');
  const urls = [photo.imageUrl, photo.thumbnailUrl].filter(Boolean);
  face.show(name, box && urls.length > 0 ? { urls, box } : null);
  return el(
    'li',
    {},
    face,
    el('a', { class: 'compared', ...elsewhere(portrait.contextUrl ?? portrait.imageUrl) }, image(name, portrait)),
    el('p', { class: 'small' }, el('bdi', {}, name), ...credit(portrait)),
  );
}

function image(name, { imageUrl, sha256 }) {
  const gone = el('span', { class: 'small' }, 'The portrait is no longer there.');
  const shown = picture([imageUrl], {
    alt: `Portrait of ${name}`,
    title: `SHA-256 ${sha256}`,
    gone: () => shown.replaceWith(gone),
  });
  return shown;
}

function credit({ author, license, licenseUrl }) {
  const terms = licenseUrl && license ? el('a', elsewhere(licenseUrl), license) : license;
  const parts = [author && el('bdi', {}, author), terms].filter(Boolean);
  return parts.length > 0 ? [' – portrait: ', ...parts.flatMap((part, i) => (i > 0 ? [', ', part] : [part]))] : [];
}
