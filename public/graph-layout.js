// Where the people of a graph stand: a simulation of forces by d3-force. What was found before stays
// about where it is, and what is new comes from beside its neighbour.

import { forceApart, forceRepel } from './graph-forces.js';
import { forceLink, forceSimulation, forceX, forceY } from './vendor/d3-force.js';

/** Below this nothing moves that an eye would see. */
const ALPHA_MIN = 0.01;
const ALPHA_FOR_NEW = 0.6;
const RIM_PX = 34;
/** Where A and B stand, from the left and from the right. */
const END_PX = RIM_PX * 1.6;
/** So far from the line of a chain stands who is not in it: a person's half width, that of a line and a name. */
const CLEAR_PX = 42;
/** So much of the way that is left goes, in a step, who is coming to the middle. */
const GLIDE = 0.14;
/** How far around the one in the middle their own stand, in parts of the width and of the height. */
const REACH = 0.36;
/** Nobody else comes nearer than so much of that. */
const APART = 1.14;
/** Half the room of somebody who is drawn with a face and a name. */
const FACE_PX = 27;
/** Half the room of an end, and of people in the chain: in a crowd nobody stands on them. */
const MARKED_PX = 24;

export class GraphLayout {
  #nodes = new Map();
  #links = [];
  #size = { width: 0, height: 0 };
  #hasChain = false;
  #middle = null; // the node of who stands in the middle
  #hasCrowd = false; // beside those around the middle
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

  /** Moves people who are not in the chain off its line: nobody is taken for one of it. */
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

  /** Moves the person who comes into the middle there step by step: the eye follows. */
  #glide() {
    if (!this.#middle) return;
    const { width, height } = this.#size;
    this.#middle.fx += (width / 2 - this.#middle.fx) * GLIDE;
    this.#middle.fy += (height / 2 - this.#middle.fy) * GLIDE;
  }

  /** Around the middle stand those who belong there, and all others outside. */
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

function halfOf({ isNear, end, isOnPath }, room) {
  const half = isNear ? FACE_PX : Math.min(36, room * 0.5);
  return end || isOnPath ? Math.max(MARKED_PX, half) : half;
}

const within = (value, size) => Math.min(Math.max(value, RIM_PX), Math.max(RIM_PX, size - RIM_PX));
