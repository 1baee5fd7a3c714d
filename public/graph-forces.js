// The two forces that keep people apart, like `forceManyBody` and `forceCollide` of d3-force, but fast enough for a
// thousand people in every frame. No tree is built in each step. Instead, people are kept sorted from left to right, in
// typed arrays, and each is compared only with near ones to the right.

/** The distance, in pixels, that is assumed between people at the same place, in varying directions. */
const NUDGE_PX = 1e-6;
const nudge = (number, directions) => NUDGE_PX * ((number % directions) - directions / 2);

/**
 * Each person is repelled by all who are nearer than `reach`, the more strongly the nearer they are; `strength` scales
 * the force.
 */
export function forceRepel({ strength, reach }) {
  const row = new Row();
  const force = (alpha) => {
    row.line(({ x }) => x, ({ y }) => y);
    const { x, y, vx, vy, count } = row;
    const [push, square] = [strength * alpha, reach * reach];
    for (let i = 0; i < count; i += 1) {
      for (let j = i + 1; j < count && x[j] - x[i] < reach; j += 1) {
        const dx = x[j] - x[i] || nudge(j, 7);
        const dy = y[j] - y[i] || nudge(j, 5);
        const away = dx * dx + dy * dy;
        if (away >= square) continue;
        // People nearer than a pixel are pushed less, so that they are not thrown out of the picture.
        const part = push / (away < 1 ? Math.sqrt(away) : away);
        vx[i] -= dx * part;
        vy[i] -= dy * part;
        vx[j] += dx * part;
        vy[j] += dy * part;
      }
    }
    row.tell();
  };
  force.initialize = (nodes) => row.take(nodes);
  return force;
}

/** Keeps people from overlapping. `radiusOf` returns a person's radius; the smaller of two people gives way more. */
export function forceApart(radiusOf) {
  const row = new Row();
  let radii = []; // by a node's number
  let most = 0;
  const force = () => {
    // The positions that people would have after this step are compared.
    row.line((node) => node.x + node.vx, (node) => node.y + node.vy);
    const { x, y, vx, vy, count, order } = row;
    for (let i = 0; i < count; i += 1) {
      const own = radii[order[i]];
      const [left, top] = [x[i] + vx[i], y[i] + vy[i]];
      for (let j = i + 1; j < count && x[j] - x[i] < own + most; j += 1) {
        const other = radii[order[j]];
        const dx = left - x[j] - vx[j] || nudge(j, 7);
        const dy = top - y[j] - vy[j] || nudge(j, 5);
        const away = Math.sqrt(dx * dx + dy * dy);
        if (away >= own + other) continue;
        const push = (own + other - away) / away;
        const part = (other * other) / (own * own + other * other);
        vx[i] += dx * push * part;
        vy[i] += dy * push * part;
        vx[j] -= dx * push * (1 - part);
        vy[j] -= dy * push * (1 - part);
      }
    }
    row.tell();
  };
  force.initialize = (nodes) => {
    row.take(nodes);
    radii = nodes.map(radiusOf);
    most = Math.max(0, ...radii);
  };
  return force;
}

/** Nodes from left to right. `vx` and `vy` collect what a force adds to their velocity. */
class Row {
  count = 0;
  order = new Int32Array(0); // the number of the node at each place
  #nodes = [];

  take(nodes) {
    this.#nodes = nodes;
    this.count = nodes.length;
    this.order = Int32Array.from(nodes, (_, i) => i).sort((one, other) => nodes[one].x - nodes[other].x);
    for (const name of ['x', 'y', 'vx', 'vy']) this[name] = new Float64Array(this.count);
  }

  /** Sorts the nodes. Their order hardly changes between steps, so few swaps are needed. */
  line(xOf, yOf) {
    const { order, x, y } = this;
    for (let i = 0; i < this.count; i += 1) {
      const number = order[i];
      const own = xOf(this.#nodes[number]);
      let at = i;
      for (; at > 0 && x[at - 1] > own; at -= 1) {
        x[at] = x[at - 1];
        order[at] = order[at - 1];
      }
      x[at] = own;
      order[at] = number;
    }
    for (let i = 0; i < this.count; i += 1) y[i] = yOf(this.#nodes[order[i]]);
    this.vx.fill(0);
    this.vy.fill(0);
  }

  /** Adds the collected velocities to the nodes. */
  tell() {
    for (let i = 0; i < this.count; i += 1) {
      const node = this.#nodes[this.order[i]];
      node.vx += this.vx[i];
      node.vy += this.vy[i];
    }
  }
}
