// Shows the photo of a link, with the faces of both people framed.

import { el, setText } from '../dom.js';
import { drawLink } from '../elements/link-card.js';

export class AtlasPhoto extends HTMLElement {
  #card = el('article', { class: 'card', testid: 'photo', tabindex: '-1' });
  #shown = null;

  /** Shows the photo of a link, whose place in the list is `number`; nothing if there is no link. */
  render(edge, number) {
    this.hidden = edge === null;
    if (!this.contains(this.#card)) this.append(this.#card);
    if (edge === null || edge === this.#shown) return;
    this.#shown = edge;
    drawLink(this.#card, edge, () => '');
    setText(this.#card.querySelector('.number'), String(number));
  }

  /** Scrolls the photo into view unless it is visible already. The keyboard focus stays where it is. */
  reveal() {
    const { top, bottom } = this.getBoundingClientRect();
    const isInSight = top < innerHeight * 0.6 && bottom > innerHeight * 0.4;
    if (!isInSight) this.scrollIntoView({ block: 'start' });
  }
}
