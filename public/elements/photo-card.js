// Draws a card of the contact sheet for a photo that is not part of the chain, with all recognised people.

import { el } from '../dom.js';
import { count, percent } from '../words.js';
import { comparison } from './comparison.js';
import { listed, matches, notes } from './photo-notes.js';

/** Draws `{photo, edges}` into `node`. */
export function drawPhoto(node, { photo, edges }) {
  const ids = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
  const seen = photo.faces.filter((face) => ids.has(face.id));
  // Without recognised faces only the link is known, and not whose face is where.
  const people = edges.flatMap((edge) => [edge.fromName, edge.toName]);
  const names = seen.length > 0 ? seen.map(({ name }) => name) : [...new Set(people)];
  const view = document.createElement('vd-photo');
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
  view.show(photo, [...ids], `Photo in which ${all} were recognised`);
  node.setAttribute('aria-label', `${all}, seen together`);
  node.replaceChildren(
    el('div', { class: 'film' }, el('div', { class: 'edge-print' }, links(edges)), view),
    el(
      'div',
      { class: 'caption' },
      seen.length > 0 ? matches(seen) : el('p', {}, ...listed(names)),
      comparison(photo, seen),
      ...notes(photo),
    ),
  );
}

const links = (edges) =>
  el('span', {}, edges.length === 1 ? `link ${percent(edges[0].confidence)}` : count(edges.length, 'link'));
