// Computes the row of each node of a graph. A node's row is below those of all nodes that lead to it. Edges that lead
// back are found and set aside. Pure and deterministic.

/** The number of rows that an edge spans: two if there is a label in between. */
const lengthOf = ({ label }) => (label ? 2 : 1);

/**
 * `{rows, back, steps, held}`: each node's row by id, the keys of the edges that lead back, the nodes and edges in the
 * order of a walk from the beginning (`{node}` or `{edge}`), and the pairs that must be one below the other without an
 * edge (`{from, to}`).
 */
export function layers({ nodes, edges }) {
  const leaving = grouped(edges, ({ from }) => from);
  const back = new Set(edges.filter(({ isReturn, from, to }) => isReturn || from === to).map(({ key }) => key));
  const arrivals = new Set(edges.filter(({ key }) => !back.has(key)).map(({ to }) => to));
  const beginnings = nodes.filter(({ id }) => !arrivals.has(id));
  const steps = walk([...beginnings, ...nodes], leaving, back);
  const down = edges.filter(({ key }) => !back.has(key)).map((edge) => ({ ...edge, length: lengthOf(edge) }));
  const held = afterTheLoop(nodes, edges, down);
  return { rows: longestPaths(nodes, [...down, ...held]), back, steps, held };
}

/** Adds to `back` each edge that closes a cycle. */
function walk(roots, leaving, back) {
  const steps = [];
  const states = new Map(); // of a node: open while the walk is below it
  for (const { id: root } of roots) {
    if (states.has(root)) continue;
    const path = [{ id: root, at: 0 }];
    states.set(root, 'open');
    steps.push({ node: root });
    while (path.length > 0) {
      const place = path.at(-1);
      const edge = leaving.get(place.id)?.[place.at];
      place.at += 1;
      if (!edge) {
        states.set(place.id, 'closed');
        path.pop();
        continue;
      }
      if (states.get(edge.to) === 'open') back.add(edge.key);
      steps.push({ edge: edge.key });
      if (back.has(edge.key) || states.has(edge.to)) continue;
      states.set(edge.to, 'open');
      steps.push({ node: edge.to });
      path.push({ id: edge.to, at: 0 });
    }
  }
  return steps;
}

/** Places what follows a loop below the loop's body, and not beside it. */
function afterTheLoop(nodes, edges, down) {
  const below = grouped(down, ({ from }) => from);
  const held = [];
  for (const { id, loop } of nodes.filter((node) => node.loop)) {
    const ways = edges.filter(({ from, output, to }) => from === loop && output === 'LoopDone' && to !== id);
    for (const { to } of ways) {
      if (reaches(to, id, below)) continue;
      const edge = { from: id, to, length: 1 };
      held.push(edge);
      // The new edge is recorded. If an edge of a later loop would contradict it, that edge is left out.
      below.set(id, [...(below.get(id) ?? []), edge]);
    }
  }
  return held;
}

function reaches(from, to, below) {
  const seen = new Set([from]);
  const open = [from];
  while (open.length > 0) {
    const id = open.pop();
    if (id === to) return true;
    for (const edge of below.get(id) ?? []) {
      if (seen.has(edge.to)) continue;
      seen.add(edge.to);
      open.push(edge.to);
    }
  }
  return false;
}

function longestPaths(nodes, edges) {
  const below = grouped(edges, ({ from }) => from);
  const waiting = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { to } of edges) waiting.set(to, waiting.get(to) + 1);
  const rows = new Map(nodes.map(({ id }) => [id, 0]));
  const open = nodes.map(({ id }) => id).filter((id) => waiting.get(id) === 0);
  for (let i = 0; i < open.length; i += 1) {
    for (const { to, length } of below.get(open[i]) ?? []) {
      rows.set(to, Math.max(rows.get(to), rows.get(open[i]) + length));
      waiting.set(to, waiting.get(to) - 1);
      if (waiting.get(to) === 0) open.push(to);
    }
  }
  return rows;
}

export function grouped(values, by) {
  const groups = new Map();
  for (const value of values) {
    const key = by(value);
    if (groups.has(key)) groups.get(key).push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
