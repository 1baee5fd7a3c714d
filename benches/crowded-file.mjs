// Makes the text of a sealed file with this many people in its graph. It only serves to measure drawing, so no run
// produced it.

/**
 * Returns a file in which everybody is in photos with two or three others. The question is about the first and the
 * last.
 */
export function crowdedFile(count) {
  const person = (i) => ({ id: `p${i}`, name: `Person ${i}`, urls: [], side: i % 2 ? 'a' : 'b' });
  const nodes = Array.from({ length: count }, (_, i) => person(i));
  const edges = nodes.slice(1).flatMap((_, i) => {
    const to = Math.floor((i + 1) / 2);
    const other = (i * 7) % (i + 1);
    return [...new Set([to, other])].map((from) => ({
      from: `p${from}`, to: `p${i + 1}`, edgeConfidence: 80 + (i % 20), evidenceRefs: [],
    }));
  });
  const path = [nodes[0], nodes[Math.floor((count - 1) / 2)], nodes[count - 1]];
  const events = [{ type: 'final', path, edges: [], graph: { nodes, edges, evidence: {} } }];
  const order = { personA: path[0].name, personB: path[2].name };
  return JSON.stringify({
    format: 'visual-degrees sealed run', version: 2, body: { run: 's1.crowd', order, events }, digest: '',
  });
}
