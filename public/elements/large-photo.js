// Shows a photo enlarged above everything else, with all its faces and the names of all recognised people.

import { el, picture } from '../dom.js';
import { percent } from '../words.js';
import { comparison } from './comparison.js';
import { notes } from './photo-notes.js';

/** A dialog that shows one photo after the other. */
export class LargePhoto {
  #place = el('div', { class: 'place' });
  #names = el('ul', { class: 'who' });
  #notes = el('div', { class: 'notes' });
  #close = el('button', { type: 'button', class: 'secondary' }, 'Close');
  node = el(
    'dialog',
    { class: 'large', testid: 'large', part: 'large', 'aria-label': 'The photo in large' },
    this.#place,
    el('div', { class: 'about' }, this.#close, this.#names, this.#notes),
  );

  constructor() {
    this.#close.addEventListener('click', () => this.node.close());
    // A click beside the photo closes the dialog.
    this.node.addEventListener('click', ({ target }) => target === this.node && this.node.close());
  }

  /** Closes the dialog, because another run is shown. */
  close() {
    if (this.node.open) this.node.close();
  }

  show(photo) {
    const faces = photo.faces.map((face, i) => ({ ...face, ring: face.box ? ring(face, i + 1) : null }));
    const rings = faces.map(({ ring: one }) => one).filter(Boolean);
    // Each photo has its own `print`, so a photo that loads late is not shown in place of a later one.
    const print = el('div', { class: 'print' });
    const image = picture([photo.imageUrl, photo.thumbnailUrl].filter(Boolean), {
      alt: `Photo of ${faces.map(({ name }) => name).join(', ')}`,
      loaded: () => print.append(...rings),
      gone: () => print.replaceChildren(
        el('p', { class: 'unreachable' }, 'The photo is no longer reachable at its source.'),
      ),
    });
    print.append(image);
    this.#place.replaceChildren(print);
    this.#names.replaceChildren(...faces.map((face, i) => row(face, i + 1)));
    this.#notes.replaceChildren(...[comparison(photo, faces), ...notes(photo)].filter(Boolean));
    if (!this.node.open) this.node.showModal();
  }
}

function ring({ box }, number) {
  const node = el('div', { class: 'face proof', 'aria-hidden': 'true' }, el('span', { class: 'number' }, String(number)));
  for (const [side, value] of Object.entries(box)) node.style[side] = `${value * 100}%`;
  return node;
}

/** Creates the row of a name: pointing at it shows the person's face. */
function row({ name, confidence, ring: mark }, number) {
  const point = (isPointed) => () => mark?.classList.toggle('pointed', isPointed);
  return el(
    'li',
    { on: { pointerenter: point(true), pointerleave: point(false) } },
    el('span', { class: 'number' }, mark ? String(number) : '–'),
    el('bdi', {}, name),
    el('span', { class: 'sure' }, percent(confidence)),
  );
}
