// The chain of an ended run, or as much of it as was found: portraits, with the confidence of each link between them.

import { arrange, el, setText } from '../dom.js';
import { chainOf } from '../views.js';
import { percent } from '../words.js';

const HEADINGS = { final: 'The chain', no_path: 'How far it got', error: 'How far it got' };

/** The names of websites about people, by host. */
const SITES = { 'imdb.com': 'IMDb', 'wikidata.org': 'Wikidata', 'wikipedia.org': 'Wikipedia' };
const PAGES_MAX = 2;

function identify(node, { name, seen, urls = [] }) {
  const place = node.querySelector('.ids');
  if (!seen || !place || place.dataset.urls === urls.join(' ')) return;
  place.dataset.urls = urls.join(' ');
  place.replaceChildren(...urls.slice(0, PAGES_MAX).map((url) => page(url, name)));
}

function page(url, name) {
  const host = new URL(url).hostname.replace(/^www\./, '');
  const site = SITES[host] ?? host;
  const link = { href: url, target: '_blank', rel: 'noreferrer noopener' };
  return el('a', { ...link, 'aria-label': `${name} at ${site}` }, site);
}

export class Chain extends HTMLElement {
  #heading = el('h2', { id: 'chain-heading' });
  #row = el('ol', { class: 'chain', testid: 'chain', 'aria-labelledby': 'chain-heading' });
  #nodes = new Map();

  connectedCallback() {
    if (!this.contains(this.#row)) this.append(this.#heading, this.#row);
  }

  render(state) {
    // While the chain grows, the graph shows more, so the chain is shown only at the end.
    const items = state.outcome ? chainOf(state) : [];
    this.hidden = items.length === 0;
    setText(this.#heading, HEADINGS[state.outcome?.kind] ?? 'The chain');
    // The heading of the result is right above the chain and reads better, so this heading is only for screen readers
    // then.
    this.#heading.classList.toggle('unheard', state.outcome?.kind === 'final');
    const nodes = items.map((item) => this.#node(item));
    this.#row.dataset.people = items.filter((item) => item.kind === 'person').length;
    arrange(this.#row, nodes);
    for (const [key, node] of this.#nodes) if (!nodes.includes(node)) this.#nodes.delete(key);
  }

  // The node of a person. It is kept, so that the portrait is not loaded and faded in again.
  #node(item) {
    const key = `${item.kind} ${item.key}`;
    const node = this.#nodes.get(key) ?? this.#make(item);
    this.#nodes.set(key, node);
    if (item.kind === 'person') {
      node.querySelector('vd-portrait').show(item.name, item.portrait);
      setText(node.querySelector('.name'), item.name);
      identify(node, item);
      if (!item.seen) setText(node.querySelector('.note'), 'not recognised');
    }
    if (item.kind === 'link') {
      const sure = item.confidence;
      setText(node.querySelector('.sure'), percent(sure));
      setText(node.querySelector('.weakest'), item.weakest ? 'weakest' : '');
      node.querySelector('button').disabled = sure === null;
    }
    return node;
  }

  #make(item) {
    if (item.kind === 'gap') {
      return el('li', { class: 'gap' }, el('span', { class: 'unheard' }, 'not connected'));
    }
    if (item.kind === 'link') {
      const show = () =>
        this.dispatchEvent(new CustomEvent('vd-show', { detail: item.key, bubbles: true }));
      return el(
        'li',
        { class: 'link' },
        el(
          'button',
          { type: 'button', title: 'Show the photo of this link', on: { click: show } },
          el('span', { class: 'unheard' }, `${item.between.join(' and ')} in one photo, confidence `),
          el('span', { class: 'sure' }),
          el('span', { class: 'weakest' }),
        ),
      );
    }
    return el(
      'li',
      { class: item.seen ? 'person' : 'person unseen', testid: 'chain-person' },
      document.createElement('vd-portrait'),
      el('bdi', { class: 'name' }),
      el('span', { class: item.seen ? 'ids' : 'note' }),
    );
  }
}
