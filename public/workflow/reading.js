// Reads a workflow as far as the page draws it. Only the server decides whether it may run; what cannot be drawn is
// reported in words, and warnings at their nodes or edges. Nothing is executed here.

import { list, record, text } from '../safe.js';
import { lineOf, OUTPUTS, TYPES, typeWords } from './node-words.js';

/** The longest workflow in bytes, which is also the server's limit. */
export const WORKFLOW_BYTES_MAX = 4_000_000;
export const NODES_MAX = 20_000;
const EDGES_MAX = 2 * NODES_MAX;
/** The most remarks shown. */
const REMARKS_MAX = 50;
const NAME_CHARS_MAX = 200;

const UUID = /^[0-9a-f]{32}$/;
/** The order of a node's outputs, from left to right. */
const RANKS = ['IfTrue', 'LoopBody', 'SwitchCase', 'IfFalse', 'SwitchDefault', 'LoopDone'];

/** `{workflow, graph, remarks}` of a text, or `{problem}` in words. */
export function readWorkflow(written) {
  if (written.length > WORKFLOW_BYTES_MAX || new Blob([written]).size > WORKFLOW_BYTES_MAX) {
    return { problem: `This is larger than ${WORKFLOW_BYTES_MAX / 1e6} MB, more than a workflow may be.` };
  }
  if (written.trim() === '') return { problem: 'There is nothing in it.' };
  let json;
  try {
    json = JSON.parse(written);
  } catch (error) {
    return { problem: `This is not JSON: ${text(error.message).slice(0, NAME_CHARS_MAX)}` };
  }
  const isRecord = !Array.isArray(record(json).nodes) && Array.isArray(record(record(json).workflow).nodes);
  const workflow = isRecord ? json.workflow : json;
  const read = graphOf(workflow);
  return read.problem ? read : { ...read, workflow, member: isRecord ? 'workflow' : '' };
}

/**
 * `{graph, remarks}` of a workflow's JSON, or `{problem}`. A graph has a name, `nodes` `{id, type, kind, name, line,
 * isEnabled, isMissing, loop, given}` (`kind` and `line` are words) and `edges` `{key, from, to, output, label,
 * isReturn}`.
 */
export function graphOf(workflow) {
  const { nodes: givenNodes, edges: givenEdges = [] } = record(workflow);
  if (!Array.isArray(givenNodes)) return { problem: 'This is JSON, but no workflow: it has no list “nodes”.' };
  if (givenNodes.length === 0) return { problem: 'This workflow has no nodes.' };
  if (givenNodes.length > NODES_MAX) return { problem: `It has over ${NODES_MAX} nodes, more than may be.` };
  if (!Array.isArray(givenEdges)) return { problem: 'Its member “edges” is not a list.' };
  if (givenEdges.length > EDGES_MAX) return { problem: `It has over ${EDGES_MAX} edges, more than can be read.` };
  const nodes = givenNodes.map(nodeOf);
  const odd = nodes.findIndex((node) => !node.id);
  if (odd >= 0) return { problem: `Node ${odd + 1} of the list cannot be read: it has no id.` };
  const edges = givenEdges.map(edgeOf);
  const loose = edges.findIndex(({ from, to }) => !from || !to);
  if (loose >= 0) return { problem: `Edge ${loose + 1} of the list cannot be read: it lacks “from” or “to”.` };
  const name = text(record(workflow).name).slice(0, NAME_CHARS_MAX) || 'A workflow without a name';
  return completed({ name, nodes, edges });
}

function completed({ name, nodes, edges }) {
  const remarks = [];
  const known = new Map();
  for (const node of nodes) {
    if (known.has(node.id)) remarks.push({ node: node.id, detail: 'Two nodes have this id.' });
    else known.set(node.id, node);
    if (node.isEnabled && !(node.type in TYPES)) {
      remarks.push({ node: node.id, detail: `The type “${node.type || 'none'}” is not known.` });
    }
  }
  const one = [...known.values()];
  for (const { from, to } of edges) {
    for (const id of [from, to]) {
      if (known.has(id)) continue;
      remarks.push({ edge: { from, to }, detail: 'This edge names a node that does not exist.' });
      const missing = { ...nodeOf({ id, name: 'No such node' }), isMissing: true, kind: 'missing' };
      known.set(id, missing);
      one.push(missing);
    }
  }
  for (const node of one) {
    if (node.loop && known.get(node.loop)?.type !== 'Loop') {
      remarks.push({ node: node.id, detail: 'It ends a loop that does not exist.' });
    }
  }
  const drawn = edges.map((edge, i) => ({ ...edge, key: `e${i}`, isReturn: known.get(edge.from).loop === edge.to }));
  return { graph: { name, nodes: one, edges: drawn.sort(byRank) }, remarks: remarks.slice(0, REMARKS_MAX) };
}

function nodeOf(value) {
  const given = record(value);
  const id = canonical(given.id);
  const kind = record(given.node_type);
  const type = text(kind.type);
  const node = {
    id,
    type,
    name: text(given.name).slice(0, NAME_CHARS_MAX) || '(no name)',
    isEnabled: given.enabled !== false,
    isMissing: false,
    loop: type === 'EndLoop' ? canonical(kind.loop_id) : '',
    given,
  };
  return { ...node, kind: typeWords(node), line: lineOf(node) };
}

function edgeOf(value) {
  const { from, to, output } = record(value);
  const { type: kind, name } = record(output);
  const isCase = kind === 'SwitchCase';
  const word = text(kind) || text(output);
  return {
    from: canonical(from),
    to: canonical(to),
    // This output is written as traces write it.
    output: isCase ? `SwitchCase(${text(name)})` : word,
    label: labelOf(word, text(name).slice(0, NAME_CHARS_MAX)),
  };
}

function labelOf(word, name) {
  if (word === 'SwitchCase') return name || 'case';
  return OUTPUTS[word] ?? word;
}

/** Sorts edges by their outputs. Cases keep their order, since the sort is stable. */
function byRank(one, other) {
  return rank(one) - rank(other);
}

function rank({ output }) {
  return RANKS.findIndex((name) => output.startsWith(name));
}

/** The spelling of a UUID in traces: lower case with hyphens. */
export function canonical(value) {
  const id = text(value).trim();
  const digits = id.toLowerCase().replace(/^urn:uuid:/, '').replace(/[{}-]/g, '');
  if (!UUID.test(digits)) return id;
  return [8, 12, 16, 20, 32].map((end, i) => digits.slice([0, 8, 12, 16, 20][i], end)).join('-');
}

/**
 * A server's findings, as remarks: `about` names the node first, then one of its cases or edges. Nodes with the same
 * name are all remarked on.
 */
export function remarksOf(finding, graph, detail) {
  const [name, output] = list(record(finding).about).map(text);
  const named = name ? (graph?.nodes ?? []).filter((node) => node.name === name) : [];
  return named.slice(0, REMARKS_MAX).map(({ id }) => {
    const edge = output && graph.edges.find((one) => one.from === id && one.output === output);
    return edge ? { edge: { from: edge.from, to: edge.to }, detail } : { node: id, detail };
  });
}
