// Computes where arrow keys lead from a node: up and down along the edges, left and right within a row. Pure.

/** The input of `move`, computed once per graph: `rows` are its layout's, or one list of all its nodes. */
export function ways(graph, rows) {
  const places = new Map(rows.flatMap((row, at) => row.map((id, i) => [id, { row: at, i }])));
  const [down, up] = [new Map(), new Map()];
  for (const { from, to } of graph.edges) {
    if (!places.has(from) || !places.has(to) || from === to) continue;
    down.set(from, [...(down.get(from) ?? []), to]);
    up.set(to, [...(up.get(to) ?? []), from]);
  }
  return { rows, places, down, up };
}

/** The node that a key leads to, or the same node. `came` is the previously focused node: going back returns to it. */
export function move({ rows, places, down, up }, id, key, came = '') {
  const place = places.get(id);
  if (!place) return rows[0]?.[0] ?? id;
  const row = rows[place.row];
  switch (key) {
    case 'ArrowDown':
      return along(down.get(id), came, places, place, 1) ?? id;
    case 'ArrowUp':
      return along(up.get(id), came, places, place, -1) ?? id;
    case 'ArrowLeft':
      return row[place.i - 1] ?? id;
    case 'ArrowRight':
      return row[place.i + 1] ?? id;
    case 'Home':
      return rows[0][0];
    case 'End':
      return rows.at(-1).at(-1);
    default:
      return id;
  }
}

/** The node in `ids` that the user came from, or else the first in the key's direction, or else the first of all. */
function along(ids = [], came, places, { row }, direction) {
  if (ids.includes(came)) return came;
  const isAhead = (id) => (places.get(id).row - row) * direction > 0;
  return ids.find(isAhead) ?? ids[0];
}
