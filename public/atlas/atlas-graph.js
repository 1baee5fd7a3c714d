// Draws who was seen with whom, around the person in the middle or along a chain. The list beside it has the same
// content.

import { GraphStage } from '../elements/graph-stage.js';
import { isSameGraph } from '../graph.js';
import { count } from '../words.js';

export class AtlasGraph extends HTMLElement {
  #stage = new GraphStage({
    person: ({ id }) => {
      // The pressed person moves to the middle, away from the pointer, so nobody is pointed at any more.
      this.#stage.point(null);
      this.#tell('atlas-walk', id);
    },
    link: ({ key }) => this.#tell('vd-show', key),
  });
  #graph = { people: [], links: [] };

  connectedCallback() {
    if (!this.contains(this.#stage.node)) this.append(this.#stage.node);
    this.#stage.connect();
  }

  disconnectedCallback() {
    this.#stage.disconnect();
  }

  /** Draws a graph in the form of `graphOf`; faces are cut out of the photos of the links `edges`. */
  render(graph, edges) {
    this.hidden = graph.links.length === 0;
    this.#stage.takeFaces({ edges }, graph.people.filter(({ isFar }) => !isFar));
    if (isSameGraph(graph, this.#graph)) return;
    this.#graph = graph;
    const said = `${count(graph.people.length, 'person', 'people')}, ${count(graph.links.length, 'line')}`;
    this.#stage.take(graph, `A graph of ${said}; the list says who was seen with whom.`);
  }

  /** Marks a person as pointed at; nobody if `id` is null. */
  point(id) {
    this.#stage.point(id);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
