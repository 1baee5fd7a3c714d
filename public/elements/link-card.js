// Draws a card of the contact sheet for one link: its photo, both names with their confidences, and the source.

import { el } from '../dom.js';
import { count, percent } from '../words.js';
import { comparison } from './comparison.js';
import { listed, matches, notes } from './photo-notes.js';

/** Draws the link's photo number `at` into `node`; `pictureAt` returns the address of a page's capture. */
export function drawLink(node, edge, pictureAt, at = 0) {
  const shown = edge.photos[at] ?? null;
  const names = `${edge.fromName} and ${edge.toName}`;
  const number = node.querySelector('.number')?.textContent ?? '';
  const view = document.createElement('vd-photo');
  const empty = { faces: [], imageUrl: '', thumbnailUrl: '' };
  view.show(shown ?? empty, [edge.from, edge.to], `Photo in which ${names} were both recognised`);
  node.setAttribute('aria-label', `${names}, seen together`);
  node.replaceChildren(
    el(
      'div',
      { class: 'film' },
      el(
        'div',
        { class: 'edge-print' },
        el('span', { class: 'number' }, number),
        el('span', {}, `link ${percent(edge.confidence)}`),
      ),
      view,
    ),
    el(
      'div',
      { class: 'caption' },
      el(
        'h3',
        {},
        el('bdi', {}, edge.fromName),
        el('span', { class: 'and' }, ' with '),
        el('bdi', {}, edge.toName),
      ),
      ...(shown
        ? [...recognised(edge, shown), ...notes(shown, pictureAt)]
        : [el('p', { class: 'small' }, 'Only the link was kept, not its photo.')]),
      edge.photos.length > 1 ? pager(node, edge, pictureAt, at) : null,
    ),
  );
}

function recognised(edge, photo) {
  const proof = [edge.from, edge.to]
    .map((id) => photo.faces.find((face) => face.id === id))
    .filter(Boolean);
  const others = photo.faces.filter((face) => face.id !== edge.from && face.id !== edge.to);
  return [
    matches(proof),
    comparison(photo, proof),
    others.length > 0
      ? el('p', { class: 'small' }, 'Also in the photo: ', ...listed(others.map(({ name }) => name)))
      : null,
  ].filter(Boolean);
}

function pager(node, edge, pictureAt, at) {
  const turn = () => {
    drawLink(node, edge, pictureAt, (at + 1) % edge.photos.length);
    node.querySelector('.pager button').focus();
  };
  return el(
    'p',
    { class: 'pager small' },
    `Photo ${at + 1} of ${count(edge.photos.length, 'photo')} `,
    el('button', { type: 'button', class: 'plain', on: { click: turn } }, 'Next photo'),
  );
}
