// During a run: the last verified photo, or the one of the link that the user chose.

import { el, setText } from '../dom.js';
import { percent } from '../words.js';

export class Newest extends HTMLElement {
  #heading = el('h2', { class: 'quiet' });
  #photo = document.createElement('vd-photo');
  #names = el('p', { class: 'names' });
  #note = el('p', { class: 'small note' });
  #chosen = '';
  #showing = 0;
  #told = '';

  connectedCallback() {
    this.dataset.testid = 'newest';
    if (this.contains(this.#photo)) return;
    this.tabIndex = -1;
    this.append(this.#heading, el('div', { class: 'film' }, this.#photo), this.#names, this.#note);
  }

  /** Shows this link's photo until another one is chosen or another run is shown. */
  choose(key) {
    this.#chosen = key;
  }

  render(state) {
    if (state.showing !== this.#showing) this.#chosen = '';
    this.#showing = state.showing;
    this.hidden = state.phase !== 'running' && state.phase !== 'starting';
    const edge = state.edges[this.#chosen] ?? state.edges[state.newest] ?? null;
    setText(this.#heading, this.#chosen ? 'The photo of this link' : 'The newest photo');
    const told = JSON.stringify(edge);
    if (told === this.#told) return;
    this.#told = told;
    this.#draw(edge);
  }

  #draw(edge) {
    if (!edge) {
      this.#photo.replaceChildren(el('div', { class: 'frame' }, el('p', { class: 'unreachable' }, 'No photo is verified yet.')));
      this.#names.replaceChildren();
      setText(this.#note, '');
      return;
    }
    const [photo] = edge.photos;
    const names = `${edge.fromName} and ${edge.toName}`;
    const empty = { faces: [], imageUrl: '', thumbnailUrl: '' };
    this.#photo.show(photo ?? empty, [edge.from, edge.to], `Photo in which ${names} were both recognised`);
    this.#names.replaceChildren(
      el('bdi', {}, edge.fromName), el('span', { class: 'and' }, ' with '), el('bdi', {}, edge.toName),
    );
    const host = photo?.contextUrl ? new URL(photo.contextUrl).hostname.replace(/^www\./, '') : '';
    setText(this.#note, [`link ${percent(edge.confidence)}`, host].filter(Boolean).join(' · '));
  }
}
