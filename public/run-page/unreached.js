// Why nodes were not reached, from the graph of an ended run and the edges that it took.

import { edgesGone, isLastWord } from './run-state.js';

const NOT_REACHED = 'not reached';
/**
 * The reason for all unvisited nodes if the server stopped sending details. The run may have visited them unnoticed.
 */
const NOT_TOLD = 'not told';
const NOTHING = new Map();

let known = { graph: null, nodes: null, reasons: NOTHING };

/**
 * Words for each node that was not visited, by its id; empty before the run has ended. Cached, since it is drawn
 * several times.
 */
export function unreachedOf(graph, state) {
  if (!graph || !isLastWord(state.outcome?.kind)) return NOTHING;
  if (known.graph !== graph || known.nodes !== state.nodes) {
    known = { graph, nodes: state.nodes, reasons: reasonsOf(graph, state) };
  }
  return known.reasons;
}

function reasonsOf(graph, state) {
  const isVisited = (id) => (state.nodes.get(id)?.visits ?? 0) > 0;
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]));
  const { gone } = edgesGone(state, graph);
  const ways = new Map(graph.nodes.map(({ id }) => [id, []]));
  for (const edge of graph.edges) ways.get(edge.from)?.push(edge);
  const reasons = new Map();
  /** Marks all unvisited nodes behind these with this reason. */
  const spread = (from, words) => {
    const open = [...from];
    while (open.length > 0) {
      const id = open.pop();
      if (isVisited(id) || reasons.has(id)) continue;
      reasons.set(id, words);
      open.push(...(ways.get(id) ?? []).map(({ to }) => to));
    }
  };
  const rest = () => spread(graph.nodes.map(({ id }) => id), NOT_REACHED);
  if (state.isBounded) {
    spread(graph.nodes.map(({ id }) => id), NOT_TOLD);
    return reasons;
  }
  // If the run ended early, no branch decided that the nodes behind that place are not reached.
  if (state.outcome.kind !== 'completed') {
    spread((ways.get(state.at) ?? []).filter(({ key }) => !gone.has(key)).map(({ to }) => to), NOT_REACHED);
  }
  for (const { id } of graph.nodes.filter((node) => isVisited(node.id))) {
    const untaken = (ways.get(id) ?? []).filter(({ label, key }) => label && !gone.has(key));
    spread(untaken.map(({ to }) => to), `${NOT_REACHED}: “${names.get(id)}” went another way`);
  }
  rest();
  return reasons;
}
