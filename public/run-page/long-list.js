// Shows a graph that is too large to draw as a list of its nodes in the order of the file, in pages.

import { el, setText } from '../dom.js';
import { Card, waysOf } from './card.js';
import { stateOf } from './standing.js';
import { unreachedOf } from './unreached.js';

const ON_PAGE = 100;

export class LongList {
  #list = el('div', { class: 'long', role: 'group', 'aria-label': 'Nodes of this part' });
  #where = el('span', { class: 'small' });
  #before = el('button', { type: 'button' }, 'Earlier');
  #after = el('button', { type: 'button' }, 'Later');
  node = el('div', {}, el('p', { class: 'paging' }, this.#before, this.#after, this.#where), this.#list);
  #graph;
  #nodes;
  #ways;
  #at;
  #cards = new Map();
  #first = -1;

  /** `turned()` is called when another page is shown. */
  constructor(graph, turned) {
    this.#graph = graph;
    this.#nodes = graph.nodes;
    this.#ways = waysOf(graph);
    this.#at = new Map(graph.nodes.map(({ id }, i) => [id, i]));
    this.#before.addEventListener('click', () => this.#turn(-ON_PAGE, turned));
    this.#after.addEventListener('click', () => this.#turn(ON_PAGE, turned));
    this.#show(0);
  }

  get ids() {
    return [...this.#cards.keys()];
  }

  buttonOf(id) {
    return this.#cards.get(id)?.button;
  }

  /** Shows the page with a node. */
  turnTo(id) {
    if (this.#at.has(id)) this.#show(Math.floor(this.#at.get(id) / ON_PAGE) * ON_PAGE);
  }

  render({ state, chosen, remarks }) {
    for (const [id, card] of this.#cards) {
      const remark = remarks.find(({ node }) => node === id)?.detail ?? '';
      const isAt = state.phase === 'running' && id === state.at;
      const unreached = unreachedOf(this.#graph, state).get(id) ?? '';
      card.render({ known: stateOf(state, id), isAt, isChosen: id === chosen, remark, unreached });
    }
  }

  #turn(by, turned) {
    this.#show(this.#first + by);
    turned();
  }

  #show(first) {
    if (first === this.#first) return;
    this.#first = first;
    const shown = this.#nodes.slice(first, first + ON_PAGE);
    this.#cards = new Map(shown.map((node) => [node.id, new Card(node, this.#ways.get(node.id))]));
    this.#list.replaceChildren(...[...this.#cards.values()].map(({ button }) => button));
    this.#before.disabled = first === 0;
    this.#after.disabled = first + ON_PAGE >= this.#nodes.length;
    setText(this.#where, `${first + 1} to ${first + shown.length} of ${this.#nodes.length}`);
  }
}
