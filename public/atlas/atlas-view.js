// Draws what the page of the atlas shows: people to start from, a person with those around, or a chain.

import { graphOf } from '../graph.js';
import { setText } from '../dom.js';
import { shownChain } from './reading.js';
import { titleOf } from './told-words.js';
import { graphAround } from './walked.js';

const EMPTY = { people: [], links: [] };

export class AtlasView {
  #parts; // {main, head, people, chain, around, graph, list, photo, evidence, chainTo, said}
  #walked;
  #shown = { page: 'refused' };
  #key = ''; // the key of the link whose photo is shown

  constructor(parts, walked) {
    [this.#parts, this.#walked] = [parts, walked];
  }

  /** What is shown now, as passed to `show`. */
  get shown() {
    return this.#shown;
  }

  /** Shows something else. For a person, the photo of the first link is shown too. */
  show(shown) {
    this.#shown = shown;
    this.#key = shown.page === 'person' ? (this.#links[0]?.key ?? '') : '';
    this.draw();
  }

  draw() {
    const { main, head, people, around, chainTo, photo, evidence, chain } = this.#parts;
    const { page } = this.#shown;
    const known = this.#walked.around(this.#shown.id);
    const told = { ...this.#shown, person: known?.person ?? null, neighbours: known?.edges.length ?? 0 };
    main.dataset.page = page;
    head.render(told);
    document.title = titleOf(told);
    people.hidden = page !== 'home';
    if (page === 'home') people.render(this.#shown);
    chainTo.hidden = page !== 'person';
    around.hidden = this.#links.length === 0;
    const number = this.#links.findIndex(({ key }) => key === this.#key) + 1;
    photo.render(page === 'person' ? this.#edge(this.#key) : null, number || '–');
    this.#drawGraph();
    this.#drawList();
    for (const part of [chain, evidence]) part.hidden = page !== 'path';
    if (page === 'path') this.#drawChain();
  }

  /** Shows the photo of a link: in the link's card for a person, or among the cards of a chain. */
  showPhoto(key) {
    const { evidence, photo, said } = this.#parts;
    if (this.#shown.page === 'path') {
      evidence.reveal(key);
      return;
    }
    const edge = this.#edge(key);
    if (!edge) return;
    this.#key = key;
    this.draw();
    photo.reveal();
    setText(said, `Photo of ${edge.fromName} and ${edge.toName}`);
  }

  /** The links of what is shown, in order. */
  get #links() {
    const { page, id, chain } = this.#shown;
    if (page === 'path') return chain.edges;
    return page === 'person' ? (this.#walked.around(id)?.edges ?? []) : [];
  }

  /**
   * The link with this key: one of those shown, or one of those that only the picture still has from the user's earlier
   * steps.
   */
  #edge(key) {
    return [...this.#links, ...this.#walked.edges].find((one) => one.key === key) ?? null;
  }

  #drawGraph() {
    const { page, id, chain } = this.#shown;
    const graph = { person: () => graphAround(this.#walked, id, this.#key), path: () => graphOf(shownChain(chain)) };
    this.#parts.graph.render(graph[page]?.() ?? EMPTY, this.#links);
  }

  #drawList() {
    const { page, id, chain } = this.#shown;
    const isChain = page === 'path';
    const rows = this.#links.map((link) => {
      const [from, to] = [{ id: link.from, name: link.fromName }, { id: link.to, name: link.toName }];
      const isWeakest = isChain && chain.edges.length > 1 && link.key === chain.weakest;
      return { ...link, people: isChain ? [from, to] : [to], isWeakest };
    });
    const heading = isChain ? 'The chain, link by link' : 'Seen with, the most and clearest first';
    const hasMore = !isChain && Boolean(this.#walked.around(id)?.next);
    this.#parts.list.render({ heading, rows, shown: this.#key, hasMore });
  }

  #drawChain() {
    const { chain, evidence } = this.#parts;
    const state = this.#shown.chain.path.length > 0 ? shownChain(this.#shown.chain) : { outcome: null, edges: {} };
    chain.render(state);
    evidence.render(state, { pictureAt: () => '' });
  }
}
