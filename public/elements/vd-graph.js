// The recognised people around A and around B, until the two sides join: as a picture, and as a list of its links for
// users of keyboards and screen readers.

import { arrange, el, setText } from '../dom.js';
import { graphOf, isProven, isSameGraph, linksInWords } from '../graph.js';
import { count, percent } from '../words.js';
import { GraphStage } from './graph-stage.js';

export class Graph extends HTMLElement {
  #heading = el('h2', { class: 'quiet' });
  #summary = el('summary');
  #list = el('ul', { class: 'links', testid: 'links' });
  #fold = el('details', { class: 'as-list', testid: 'as-list' });
  // A press on a link shows the link's photo. A press on a person shows the photo of one of the person's links: one in
  // the chain if possible, or else the one with the highest confidence.
  #stage = new GraphStage({ person: ({ id }) => this.#show(this.#bestOf(id)), link: ({ key }) => this.#show(key) });
  #graph = null;
  #rows = new Map();

  connectedCallback() {
    if (!this.contains(this.#stage.node)) {
      this.#fold.append(this.#summary, this.#list);
      this.#fold.addEventListener('toggle', () => this.#write());
      this.append(this.#heading, this.#stage.node, this.#fold);
    }
    this.#stage.connect();
  }

  disconnectedCallback() {
    this.#stage.disconnect();
  }

  render(state) {
    const graph = graphOf(state);
    this.hidden = graph.people.length === 0 || (state.phase === 'ended' && graph.links.length === 0);
    setText(this.#heading, state.phase === 'ended' ? 'Everybody who was seen' : 'Seen so far');
    this.#stage.takeFaces(state, graph.people);
    if (this.#graph && isSameGraph(graph, this.#graph)) return;
    this.#graph = graph;
    const said = `${count(graph.people.length, 'person', 'people')}, ${count(graph.links.length, 'link')}`;
    this.#stage.take(graph, `A graph of ${said}; the list below says the same.`);
    setText(this.#summary, `As a list: ${said}`);
    this.#write();
  }

  /** Writes the list while it is open. A row is created once; a link that joins the chain is marked and moved. */
  #write() {
    if (!this.#fold.open || !this.#graph) return;
    const rows = linksInWords(this.#graph).map((link) => {
      const row = this.#rows.get(link.key) ?? this.#row(link);
      this.#rows.set(link.key, row);
      row.className = link.kind;
      setText(row.querySelector('.sure'), said(link));
      return row;
    });
    arrange(this.#list, rows);
    for (const [key, row] of this.#rows) if (!rows.includes(row)) this.#rows.delete(key);
  }

  #row({ key, kind, fromName, toName }) {
    const names = [el('bdi', {}, fromName), ' with ', el('bdi', {}, toName), ' '];
    const sure = el('span', { class: 'sure' });
    if (!isProven(kind)) return el('li', {}, ...names, sure);
    const press = { type: 'button', class: 'plain', on: { click: () => this.#show(key) } };
    return el('li', {}, el('button', press, ...names, sure));
  }

  #show(key) {
    if (key) this.dispatchEvent(new CustomEvent('vd-show', { detail: key, bubbles: true }));
  }

  #bestOf(id) {
    const own = linksInWords(this.#graph).filter(({ from, to }) => from === id || to === id);
    return own.find(({ kind }) => isProven(kind))?.key;
  }
}

const UNPROVEN = { guess: 'a guess, not seen', hint: 'a hint, not seen' };

const said = ({ kind, confidence }) =>
  UNPROVEN[kind] ?? `${percent(confidence)}${kind === 'path' ? ', in the chain' : ''}`;
