// The picture of who was seen with whom, around the one in the middle or along a chain. All of it is in the list, too.

import { GraphStage } from '../elements/graph-stage.js';
import { isSameGraph } from '../graph.js';
import { count } from '../words.js';

export class AtlasGraph extends HTMLElement {
  #stage = new GraphStage({
    person: ({ id }) => {
      // They leave the place that is pointed at.
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

  /** A graph as `graphOf` gives it, and the links whose photos there are faces in. */
  render(graph, edges) {
    this.hidden = graph.links.length === 0;
    this.#stage.takeFaces({ edges }, graph.people.filter(({ isFar }) => !isFar));
    if (isSameGraph(graph, this.#graph)) return;
    this.#graph = graph;
    const said = `${count(graph.people.length, 'person', 'people')}, ${count(graph.links.length, 'line')}`;
    this.#stage.take(graph, `A graph of ${said}; the list says who was seen with whom.`);
  }

  /** Points at somebody, or at nobody. */
  point(id) {
    this.#stage.point(id);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
