// The contact sheet of an ended run: a card for each proven link of the chain, and one for each other photo.

import { el, setText } from '../dom.js';
import { cardsOf } from '../views.js';
import { trustOf } from '../trust.js';
import { count } from '../words.js';
import { drawLink } from './link-card.js';
import { drawPhoto } from './photo-card.js';

/** The number of cards that one task draws, so that slow devices stay responsive. */
const AT_ONCE = 3;

/** The headings by trust. A file's photos are no proof before the file is checked. */
const HEADINGS = { unchecked: 'What the file shows, photo by photo' };

export class Evidence extends HTMLElement {
  #path = section('sheet path');
  #aside = folded('sheet aside');
  #shown = null; // the outcome and the edges for which the cards were made
  #cards = 0;
  #waiting = []; // functions that draw the cards that are still empty
  #pictureAt = null; // returns the address of a stored capture
  #places = new Map(); // the card of each link, by its key

  connectedCallback() {
    if (this.contains(this.#path.root)) return;
    this.#aside.root.addEventListener('toggle', () => this.#aside.root.open && this.#drawSome());
    this.append(el('div', { testid: 'evidence' }, this.#path.root, this.#aside.root));
  }

  render(state, { pictureAt }) {
    this.#pictureAt = pictureAt;
    const { outcome, edges } = state;
    const isNew = this.#shown?.outcome !== outcome || this.#shown.edges !== edges;
    if (isNew) this.#draw(state);
    // While a file is being checked again, there are no cards to show.
    this.hidden = this.#cards === 0;
    setText(this.#path.heading, HEADINGS[trustOf(state)] ?? 'The proof, photo by photo');
  }

  #draw(state) {
    const { outcome, edges } = state;
    this.#shown = { outcome, edges };
    const { path, aside } = cardsOf(state);
    const isFound = outcome?.kind === 'final';
    this.#cards = path.length + aside.length;
    this.#places.clear();
    this.#waiting = [];
    fill(this.#path, path.map((link) => this.#linkCard(link)));
    const what = isFound ? 'Also seen on the way' : 'What was verified';
    const photos = aside.map((card) => this.#photoCard(card));
    fill(this.#aside, photos);
    setText(this.#aside.heading, `${what}: ${count(aside.length, 'photo')}`);
    // If a chain was found, photos beside it are collapsed; otherwise they are open.
    this.#aside.root.open = Boolean(outcome) && !isFound;
    if (this.#aside.root.open) this.#drawSome();
  }

  /** Scrolls to a link's card and focuses it. */
  reveal(key) {
    const node = this.#places.get(key);
    if (!node) return;
    if (this.#aside.root.contains(node)) {
      this.#aside.root.open = true;
      this.#drawSome(Infinity);
    }
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: 'center' });
  }

  /** Makes the card of a link. The first card is drawn at once, each further one in a task of its own. */
  #linkCard({ edge, label }) {
    const node = card('evidence-card');
    const draw = () => {
      drawLink(node, edge, this.#pictureAt);
      setText(node.querySelector('.number'), String(label));
    };
    if (label === 1) draw();
    else setTimeout(draw);
    this.#places.set(edge.key, node);
    return node;
  }

  #photoCard(shown) {
    const node = card('photo-card');
    this.#waiting.push(() => drawPhoto(node, shown));
    for (const { key } of shown.edges) if (!this.#places.has(key)) this.#places.set(key, node);
    return node;
  }

  /** Draws a few of the waiting cards now, and the others in later tasks. */
  #drawSome(most = AT_ONCE) {
    for (const draw of this.#waiting.splice(0, most)) draw();
    if (this.#waiting.length > 0) setTimeout(() => this.#drawSome());
  }
}

const card = (testid) => el('article', { class: 'card', testid, tabindex: '-1' });

function section(style) {
  const heading = el('h2');
  const grid = el('div', { class: style });
  return { root: el('section', { hidden: true }, heading, grid), heading, grid };
}

function folded(style) {
  const heading = el('h2');
  const grid = el('div', { class: style });
  const root = el('details', { hidden: true, testid: 'aside' }, el('summary', {}, heading), grid);
  return { root, heading, grid };
}

function fill({ root, grid }, nodes) {
  root.hidden = nodes.length === 0;
  grid.replaceChildren(...nodes);
}
