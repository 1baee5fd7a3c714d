// The example that comes with the page, with a pair that the server knows.

/** The text of a workflow whose investigations search for a chain between these two people. */
export function withPair(written, { a, b }) {
  if (!a || !b) return written;
  const workflow = JSON.parse(written);
  for (const { node_type } of workflow.nodes) {
    if (node_type.type === 'Investigation') Object.assign(node_type, { a, b });
  }
  return JSON.stringify(workflow);
}
