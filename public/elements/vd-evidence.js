// The contact sheet: a card for each proven link of the chain, and one for each other photo.

import { arrange, el, setText } from '../dom.js';
import { cardsOf } from '../views.js';
import { count } from '../words.js';
import { drawLink } from './link-card.js';
import { drawPhoto } from './photo-card.js';

export class Evidence extends HTMLElement {
  #path = section('sheet path');
  #aside = folded('sheet aside');
  #cards = new Map();
  #places = new Map(); // the card of each link, by its key

  connectedCallback() {
    if (this.contains(this.#path.root)) return;
    this.append(el('div', { testid: 'evidence' }, this.#path.root, this.#aside.root));
  }

  render(state) {
    const { path, aside } = cardsOf(state);
    const links = path.map(({ edge, label }) => {
      const node = this.#card(edge.key, 'evidence-card', edge, drawLink);
      setText(node.querySelector('.number'), String(label));
      return node;
    });
    const photos = aside.map((card) =>
      this.#card(card.photo.ref, 'photo-card', card, drawPhoto));
    fill(this.#path, links, 'The proof, photo by photo');
    const isFound = state.outcome?.kind === 'final';
    const what = isFound ? 'Also seen on the way' : 'What was verified';
    fill(this.#aside, photos, `${what}: ${count(aside.length, 'photo')}`);
    // What there is beside a chain waits; without one it is all there is.
    if (state.outcome !== this.#aside.outcome) this.#aside.root.open = !isFound;
    this.#aside.outcome = state.outcome;
    this.#places.clear();
    aside.forEach((card, i) => card.edges.forEach(({ key }) => this.#places.set(key, photos[i])));
    path.forEach(({ edge }, i) => this.#places.set(edge.key, links[i]));
    this.hidden = links.length + photos.length === 0;
    const shown = [...links, ...photos];
    for (const [key, { node }] of this.#cards) if (!shown.includes(node)) this.#cards.delete(key);
  }

  /** Brings a link's card before the eyes and the keyboard. */
  reveal(key) {
    const node = this.#places.get(key);
    if (!node) return;
    if (this.#aside.root.contains(node)) this.#aside.root.open = true;
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: 'center' });
  }

  // A card is made again only when what it shows was told anew: pictures should not blink.
  #card(name, kind, shown, draw) {
    const key = `${kind} ${name}`;
    const told = JSON.stringify(shown);
    const card = this.#cards.get(key);
    if (card?.told === told) return card.node;
    const node = card?.node ?? el('article', { class: 'card', testid: kind, tabindex: '-1' });
    this.#cards.set(key, { told, node });
    draw(node, shown);
    return node;
  }
}

function section(style) {
  const heading = el('h2');
  const grid = el('div', { class: style });
  return { root: el('section', { hidden: true }, heading, grid), heading, grid };
}

function folded(style) {
  const heading = el('h2');
  const grid = el('div', { class: style });
  const root = el('details', { hidden: true, testid: 'aside' }, el('summary', {}, heading), grid);
  return { root, heading, grid, outcome: null };
}

function fill({ root, heading, grid }, nodes, title) {
  root.hidden = nodes.length === 0;
  setText(heading, title);
  arrange(grid, nodes);
}
