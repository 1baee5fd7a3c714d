// Shows each face of a photo beside the portrait with which the recogniser compared it, for readers to judge.

import { el } from '../dom.js';
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
  const urls = [photo.imageUrl, photo.thumbnailUrl].filter(Boolean);
  const link = { ...elsewhere(portrait.contextUrl || portrait.imageUrl), title: `SHA-256 ${portrait.sha256}` };
  return el(
    'li',
    {},
    square(name, box && urls.length > 0 ? { urls, box } : null),
    el(
      'a',
      { class: 'compared', 'aria-label': `Portrait of ${name}`, ...link },
      square(name, { urls: [portrait.imageUrl], box: portrait.box ?? WHOLE }),
    ),
    el('p', { class: 'small' }, el('bdi', {}, name), ...credit(portrait)),
  );
}

/** The place of a face of which the recogniser does not tell it: the whole portrait. */
const WHOLE = { left: 0, top: 0, width: 1, height: 1 };

function square(name, face) {
  const view = document.createElement('vd-portrait');
  view.show(name, face);
  return view;
}

function credit({ author, license, licenseUrl }) {
  const terms = licenseUrl && license ? el('a', elsewhere(licenseUrl), license) : license;
  const parts = [author && el('bdi', {}, author), terms].filter(Boolean);
  return parts.length > 0 ? [' – portrait: ', ...parts.flatMap((part, i) => (i > 0 ? [', ', part] : [part]))] : [];
}
