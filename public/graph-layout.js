// Computes the positions of a graph's people by a force simulation of d3-force. People who are already drawn stay about
// where they are, and new ones enter next to a neighbour.

import { forceApart, forceRepel } from './graph-forces.js';
import { forceLink, forceSimulation, forceX, forceY } from './vendor/d3-force.js';

/** The energy of the simulation below which movements are invisible. */
const ALPHA_MIN = 0.01;
const ALPHA_FOR_NEW = 0.6;
const RIM_PX = 34;
/** The distance of A from the left edge and of B from the right edge, in pixels. */
const END_PX = RIM_PX * 1.6;
/** The least distance between a chain's line and a person who is not in the chain: half a person, a line and a name. */
const CLEAR_PX = 42;
/** The share of the remaining way that a person moves towards the middle in a step. */
const GLIDE = 0.14;
/** How far the people around the middle may be from it, as a share of width and height. */
const REACH = 0.36;
/** The least distance of all other people from the middle, as a multiple of `REACH`. */
const APART = 1.14;
/** The radius of a person drawn with a face and a name. */
const FACE_PX = 27;
/** The least radius of an end and of people in the chain, so that no one covers them in a crowd. */
const MARKED_PX = 24;

export class GraphLayout {
  #nodes = new Map();
  #links = [];
  #size = { width: 0, height: 0 };
  #hasChain = false;
  #middle = null; // the node of the person in the middle, if there is one
  #hasCrowd = false; // whether there are further people outside of those around the middle
  #simulation = forceSimulation([]).stop().alphaMin(ALPHA_MIN).alphaDecay(0.035);

  /** Takes a graph from `graphOf`; people missing in it are removed. */
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

  /** Sets the available space, in pixels. */
  resize(width, height) {
    if (width === this.#size.width && height === this.#size.height) return;
    const { width: before } = this.#size;
    this.#size = { width, height };
    if (before > 0) {
      for (const node of this.#nodes.values()) node.x *= width / before;
    }
    this.#arrange(ALPHA_FOR_NEW);
  }

  /** Advances the simulation by one step. Returns whether anything may still move. */
  step() {
    if (this.#simulation.alpha() < ALPHA_MIN) return false;
    this.#glide();
    this.#simulation.tick();
    this.#partFromMiddle();
    const { width, height } = this.#size;
    for (const node of this.#nodes.values()) {
      node.x = within(node.x, width);
      node.y = within(node.y, height);
    }
    this.#clear();
    return true;
  }

  /** Moves people who are not in the chain off its line, so that they do not seem part of it. */
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

  /** Moves a person to the middle step by step, so that the eye can follow. */
  #glide() {
    if (!this.#middle) return;
    const { width, height } = this.#size;
    this.#middle.fx += (width / 2 - this.#middle.fx) * GLIDE;
    this.#middle.fy += (height / 2 - this.#middle.fy) * GLIDE;
  }

  /** Keeps the people around the middle within a distance from it, and all others outside of that distance. */
  #partFromMiddle() {
    if (!this.#hasCrowd) return;
    const { x, y } = this.#middle;
    const [wide, high] = [this.#size.width * REACH, this.#size.height * REACH];
    for (const node of this.#nodes.values()) {
      const away = Math.hypot((node.x - x) / wide, (node.y - y) / high);
      if (node === this.#middle || away === 0) continue;
      const wanted = node.person.isNear ? Math.min(away, 1) : Math.max(away, APART);
      node.x = x + ((node.x - x) * wanted) / away;
      node.y = y + ((node.y - y) * wanted) / away;
    }
  }

  /** Runs all steps at once, for reduced motion. */
  settle() {
    for (let left = 300; left > 0 && this.step(); left -= 1);
  }

  /** `{x, y, person}` of all people. */
  get nodes() {
    return [...this.#nodes.values()];
  }

  /** `{link, source, target}`; both ends are nodes. */
  get links() {
    return this.#links;
  }

  #arrange(alpha) {
    const { width, height } = this.#size;
    const count = Math.max(1, this.#nodes.size);
    // The side of the square that is each person's share of the space, in pixels.
    const room = Math.sqrt((width * height) / count);
    const hadChain = this.#hasChain;
    this.#hasChain = this.nodes.some(({ person }) => person.step !== null);
    for (const node of this.#nodes.values()) {
      const { end, step, steps } = node.person;
      const along = step === null ? null : END_PX + (step * (width - 2 * END_PX)) / Math.max(1, steps - 1);
      node.fx = along ?? (end === 'a' ? END_PX : end === 'b' ? width - END_PX : null);
      node.fy = end || step !== null ? height / 2 : null;
    }
    const before = this.#middle;
    this.#middle = this.nodes.find(({ person }) => person.isMiddle) ?? null;
    this.#hasCrowd = this.#middle !== null && this.nodes.some(({ person }) => person.isFar);
    if (this.#middle) Object.assign(this.#middle, { fx: this.#middle.x, fy: this.#middle.y });
    if ((this.#hasChain && !hadChain) || this.#middle !== before) alpha = ALPHA_FOR_NEW;
    this.#simulation
      .nodes(this.nodes)
      .force('link', forceLink(this.#links).id(({ person }) => person.id).distance((one) => this.#lengthOf(one, room)))
      .force('charge', forceRepel({ strength: room * 2.2, reach: room * 6 }))
      .force('apart', forceApart(({ person }) => halfOf(person, room)))
      .force('x', forceX(width / 2).strength(0.04))
      .force('y', forceY(height / 2).strength(0.06))
      .alpha(Math.max(alpha, this.#simulation.alpha() < ALPHA_MIN ? 0 : this.#simulation.alpha()));
  }

  #lengthOf({ source, target }, room) {
    const isOfMiddle = this.#middle === source || this.#middle === target;
    const isNear = isOfMiddle && (source.person.isNear || target.person.isNear);
    return isNear ? Math.min(this.#size.width, this.#size.height) * REACH : room * 0.75;
  }

  /** A new person starts beside one whom they were seen with, at an angle that depends on their number. */
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

function halfOf({ isNear, end, isOnPath }, room) {
  const half = isNear ? FACE_PX : Math.min(36, room * 0.5);
  return end || isOnPath ? Math.max(MARKED_PX, half) : half;
}

const within = (value, size) => Math.min(Math.max(value, RIM_PX), Math.max(RIM_PX, size - RIM_PX));
