// Draws a graph that is laid out: lines and their labels in an SVG, cards above them. All nodes are created once; a run
// only changes classes.

import { el } from '../dom.js';
import { Card, waysOf } from './card.js';
import { headOf, pathOf } from './paths.js';
import { edgesGone } from './run-state.js';
import { stateOf } from './standing.js';
import { unreachedOf } from './unreached.js';

const SVG = 'http://www.w3.org/2000/svg';

export class Drawing {
  node = el('div', { class: 'drawing' });
  layout;
  #graph;
  #cards = new Map();
  #lines = new Map();

  constructor(graph, layout) {
    this.#graph = graph;
    this.layout = layout;
    const svg = svgEl('svg', { width: layout.width, height: layout.height, 'aria-hidden': 'true' });
    const signs = [];
    const planned = new Set(graph.edges.filter((one) => one.isPlanned).map(({ key }) => key));
    for (const edge of layout.edges) {
      const isPlanned = planned.has(edge.key);
      const line = svgEl('g', { class: `edge${edge.isBack ? ' back' : ''}${isPlanned ? ' planned' : ''}` });
      line.append(svgEl('path', { class: 'way', d: pathOf(edge) }));
      line.append(svgEl('path', { class: 'head', d: headOf(edge) }));
      svg.append(line);
      const sign = edge.label && signAt(edge.label);
      if (sign) signs.push(sign);
      this.#lines.set(edge.key, { line, sign });
    }
    this.node.style.width = `${layout.width}px`;
    this.node.style.height = `${layout.height}px`;
    this.node.append(svg, ...signs, ...this.#makeCards());
  }

  /** Creates the cards in order from top to bottom, in which screen readers read them. */
  #makeCards() {
    const [nodes, ways] = [new Map(this.#graph.nodes.map((node) => [node.id, node])), waysOf(this.#graph)];
    return this.layout.cards.map(({ id, x, y }) => {
      const card = new Card(nodes.get(id), ways.get(id));
      card.button.style.left = `${x}px`;
      card.button.style.top = `${y}px`;
      this.#cards.set(id, card);
      return card.button;
    });
  }

  get ids() {
    return [...this.#cards.keys()];
  }

  buttonOf(id) {
    return this.#cards.get(id)?.button;
  }

  render({ state, chosen, remarks }) {
    const of = new Map(remarks.filter(({ node }) => node).map(({ node, detail }) => [node, detail]));
    const unreached = unreachedOf(this.#graph, state);
    for (const [id, card] of this.#cards) {
      const isAt = state.phase === 'running' && id === state.at;
      const known = stateOf(state, id);
      card.render({
        known, isAt, isChosen: id === chosen, remark: of.get(id) ?? '', unreached: unreached.get(id) ?? '',
      });
    }
    const { gone, lit } = edgesGone(state, this.#graph);
    const wrong = new Set(remarks.filter(({ edge }) => edge).map(({ edge }) => `${edge.from} ${edge.to}`));
    for (const { key, from, to } of this.#graph.edges) {
      const { line, sign } = this.#lines.get(key) ?? {};
      for (const one of [line, sign].filter(Boolean)) {
        one.classList.toggle('gone', gone.has(key));
        one.classList.toggle('lit', key === lit);
        one.classList.toggle('wrong', wrong.has(`${from} ${to}`));
      }
    }
  }
}

function signAt({ text, x, y, width }) {
  const sign = el('span', { class: 'way-name', 'aria-hidden': 'true' }, el('bdi', {}, text));
  sign.style.left = `${x - width / 2}px`;
  sign.style.top = `${y}px`;
  sign.style.width = `${width}px`;
  return sign;
}

function svgEl(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
