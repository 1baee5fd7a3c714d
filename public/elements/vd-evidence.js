// The contact sheet: one card for each proven edge, with its photo, its names and its source.

import { arrange, el, setText } from '../dom.js';
import { cardsOf } from '../views.js';
import { count, percent } from '../words.js';

export class Evidence extends HTMLElement {
  #path = section('sheet path');
  #aside = section('sheet aside');
  #cards = new Map();

  connectedCallback() {
    if (this.contains(this.#path.root)) return;
    this.append(el('div', { testid: 'evidence' }, this.#path.root, this.#aside.root));
  }

  render(state) {
    const { path, aside } = cardsOf(state);
    const ended = Boolean(state.outcome);
    fill(
      this.#path,
      path.map((card) => this.#card(card)),
      ended ? 'The proof, photo by photo' : 'Photos verified so far',
    );
    fill(
      this.#aside,
      aside.map((card) => this.#card(card)),
      state.outcome?.kind === 'final' ? 'Also seen on the way' : 'What was verified',
    );
    this.hidden = path.length + aside.length === 0;
    for (const key of this.#cards.keys()) if (!(key in state.edges)) this.#cards.delete(key);
  }

  /** Brings an edge's card before the eyes and the keyboard. */
  reveal(key) {
    const node = this.#cards.get(key)?.node;
    node?.focus({ preventScroll: true });
    node?.scrollIntoView({ block: 'center' });
  }

  // A card is made again only when its edge was told anew: pictures should not blink.
  #card({ edge, label }) {
    const told = JSON.stringify(edge);
    let card = this.#cards.get(edge.key);
    if (card?.told !== told) {
      const node =
        card?.node ?? el('article', { class: 'card', testid: 'evidence-card', tabindex: '-1' });
      card = { told, node };
      this.#cards.set(edge.key, card);
      drawCard(node, edge, 0);
    }
    setText(card.node.querySelector('.number'), String(label));
    return card.node;
  }
}

function section(style) {
  const heading = el('h2');
  const grid = el('div', { class: style });
  return { root: el('section', { hidden: true }, heading, grid), heading, grid };
}

function fill({ root, heading, grid }, nodes, title) {
  root.hidden = nodes.length === 0;
  setText(heading, title);
  arrange(grid, nodes);
}

function drawCard(node, edge, at) {
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
      el('h3', {}, edge.fromName, el('span', { class: 'and' }, ' with '), edge.toName),
      ...(shown
        ? details(edge, shown)
        : [el('p', { class: 'small' }, 'Only the link was kept, not its photo.')]),
      edge.photos.length > 1 ? pager(node, edge, at) : null,
    ),
  );
}

function details(edge, photo) {
  const proof = [edge.from, edge.to]
    .map((id) => photo.faces.find((face) => face.id === id))
    .filter(Boolean);
  const others = photo.faces.filter((face) => face.id !== edge.from && face.id !== edge.to);
  return [
    el(
      'dl',
      { class: 'matches' },
      ...proof.flatMap((face) => [el('dt', {}, face.name), el('dd', {}, percent(face.confidence))]),
    ),
    others.length > 0
      ? el(
          'p',
          { class: 'small' },
          `Also in the photo: ${others.map((face) => face.name).join(', ')}`,
        )
      : null,
    photo.isThumbnail
      ? el(
          'p',
          { class: 'small', testid: 'small-copy' },
          'Recognised in its small copy; the photo itself could not be had.',
        )
      : null,
    photo.query
      ? el('p', { class: 'small' }, 'Found by searching ', el('q', {}, photo.query))
      : null,
    photo.contextUrl ? source(photo) : null,
    photo.author || photo.license || photo.licenseUrl ? credit(photo) : null,
  ].filter(Boolean);
}

function source(photo) {
  const host = new URL(photo.contextUrl).hostname.replace(/^www\./, '');
  return el(
    'p',
    { class: 'small source' },
    el(
      'a',
      { ...elsewhere(photo.contextUrl), title: photo.title },
      photo.title || host,
    ),
    photo.title ? el('span', { class: 'host' }, host) : null,
  );
}

/** Who made the photo, and under which terms it may be used. */
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

const elsewhere = (href) => ({ href, target: '_blank', rel: 'noreferrer noopener' });

function pager(node, edge, at) {
  const turn = () => {
    drawCard(node, edge, (at + 1) % edge.photos.length);
    node.querySelector('.pager button').focus();
  };
  return el(
    'p',
    { class: 'pager small' },
    `Photo ${at + 1} of ${count(edge.photos.length, 'photo')} `,
    el('button', { type: 'button', class: 'plain', on: { click: turn } }, 'Next photo'),
  );
}
