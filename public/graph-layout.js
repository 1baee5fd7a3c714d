// Where the people of a graph stand: a simulation of forces by d3-force. What was found before stays
// about where it is, and what is new comes from beside its neighbour.

import {
  forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY,
} from './vendor/d3-force.js';

/** Below this nothing moves that an eye would see. */
const ALPHA_MIN = 0.01;
const ALPHA_FOR_NEW = 0.6;
const RIM_PX = 34;
/** Where A and B stand, from the left and from the right. */
const END_PX = RIM_PX * 1.6;
/** So far from the line of a chain stands who is not in it: a person's half width, that of a line and a name. */
const CLEAR_PX = 42;

export class GraphLayout {
  #nodes = new Map();
  #links = [];
  #size = { width: 0, height: 0 };
  #hasChain = false;
  #simulation = forceSimulation([]).stop().alphaMin(ALPHA_MIN).alphaDecay(0.035);

  /** Takes a graph as `graphOf` gives it; those who have gone leave. */
  take({ people, links }) {
    const ids = new Set(people.map(({ id }) => id));
    const before = this.#nodes.size + this.#links.length;
    const isSame = before === people.length + links.length && people.every(({ id }) => this.#nodes.has(id));
    for (const id of this.#nodes.keys()) if (!ids.has(id)) this.#nodes.delete(id);
    for (const person of people) {
      const node = this.#nodes.get(person.id) ?? this.#beside(person, links);
      this.#nodes.set(person.id, Object.assign(node, { person }));
    }
    this.#links = links.map((link) => ({ link, source: link.from, target: link.to }));
    this.#arrange(isSame ? 0 : ALPHA_FOR_NEW);
  }

  /** The place that there is, in pixels. */
  resize(width, height) {
    if (width === this.#size.width && height === this.#size.height) return;
    const { width: before } = this.#size;
    this.#size = { width, height };
    if (before > 0) {
      for (const node of this.#nodes.values()) node.x *= width / before;
    }
    this.#arrange(ALPHA_FOR_NEW);
  }

  /** Goes on by one step; answers whether anything may still move. */
  step() {
    if (this.#simulation.alpha() < ALPHA_MIN) return false;
    this.#simulation.tick();
    const { width, height } = this.#size;
    for (const node of this.#nodes.values()) {
      node.x = within(node.x, width);
      node.y = within(node.y, height);
    }
    this.#clear();
    return true;
  }

  /** Whoever is not in the chain leaves its line: nobody is taken for one of it. */
  #clear() {
    if (!this.#hasChain) return;
    const line = this.#size.height / 2;
    for (const node of this.#nodes.values()) {
      const { end, step } = node.person;
      if (end || step !== null || Math.abs(node.y - line) >= CLEAR_PX) continue;
      node.y = node.y < line ? line - CLEAR_PX : line + CLEAR_PX;
      node.vy = 0;
    }
  }

  /** All steps at once, for those who want nothing to move. */
  settle() {
    for (let left = 300; left > 0 && this.step(); left -= 1);
  }

  /** `{x, y, person}` of everybody. */
  get nodes() {
    return [...this.#nodes.values()];
  }

  /** `{link, source, target}`, the ends being nodes. */
  get links() {
    return this.#links;
  }

  #arrange(alpha) {
    const { width, height } = this.#size;
    const count = Math.max(1, this.#nodes.size);
    // So much room has each of them, in pixels on a side.
    const room = Math.sqrt((width * height) / count);
    const hadChain = this.#hasChain;
    this.#hasChain = this.nodes.some(({ person }) => person.step !== null);
    for (const node of this.#nodes.values()) {
      const { end, step, steps } = node.person;
      const along = step === null ? null : END_PX + (step * (width - 2 * END_PX)) / Math.max(1, steps - 1);
      node.fx = along ?? (end === 'a' ? END_PX : end === 'b' ? width - END_PX : null);
      node.fy = end || step !== null ? height / 2 : null;
    }
    if (this.#hasChain && !hadChain) alpha = ALPHA_FOR_NEW;
    this.#simulation
      .nodes(this.nodes)
      .force('link', forceLink(this.#links).id(({ person }) => person.id).distance(room * 0.75))
      .force('charge', forceManyBody().strength(-room * 2.2).distanceMax(room * 6))
      .force('apart', forceCollide(Math.min(36, room * 0.5)))
      .force('x', forceX(width / 2).strength(0.04))
      .force('y', forceY(height / 2).strength(0.06))
      .alpha(Math.max(alpha, this.#simulation.alpha() < ALPHA_MIN ? 0 : this.#simulation.alpha()));
  }

  /** Somebody new stands at first beside whom they were seen with; the angle is by their number. */
  #beside({ id }, links) {
    const link = links.find(({ from, to }) => from === id || to === id);
    const other = link && this.#nodes.get(link.from === id ? link.to : link.from);
    const { width, height } = this.#size;
    const angle = this.#nodes.size * 2.4;
    return {
      x: (other?.x ?? width / 2) + 20 * Math.cos(angle),
      y: (other?.y ?? height / 2) + 20 * Math.sin(angle),
    };
  }
}

const within = (value, size) => Math.min(Math.max(value, RIM_PX), Math.max(RIM_PX, size - RIM_PX));
