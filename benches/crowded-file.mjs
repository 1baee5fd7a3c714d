// The text of a sealed file whose graph has so many people, for what is drawn of it: nobody ran it.

/** Everybody beside two or three others, the first and the last of them being asked about. */
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
