// The state of a workflow's run: what all engines report (../run-page/run-state.js), and the walk along its graph.

import { addLine, arriveAt, blankRun, ended, isLastWord, reduceRun } from '../run-page/run-state.js';
import { asText } from '../run-page/told-words.js';
import { record, text } from '../safe.js';
import { isVisit, nodeAfter, unvisited, wayOf } from './node-state.js';
import { isTrouble, wordsOf } from './trace-words.js';

/** The most nodes kept. This is more than a workflow may have, but a stream may invent nodes. */
const NODES_KEPT_MAX = 20_000;

export const blank = blankRun;

export const reduce = (state, action) => reduceRun(state, action, { blank, take });

function take(next, event) {
  const [node, type] = [text(event.nodeId), text(event.type)];
  const words = wordsOf(event);
  if (words.length > 0) {
    const isBad = isTrouble(event);
    addLine(next, { time: text(event.timestamp), node, name: text(event.nodeName), isBad, words });
    tally(next.counts, event);
    next.heard = [text(event.nodeName), asText(words)].filter(Boolean).join(': ');
  }
  if (node && isVisit(type)) arrive(next, node);
  if (node && (next.nodes.has(node) || next.nodes.size < NODES_KEPT_MAX)) {
    next.nodes.set(node, nodeAfter(next.nodes.get(node) ?? unvisited, event, asText(words)));
  }
  if (node && node === next.at) next.way = wayOf(event) || next.way;
  if (type === 'trace_bounded') next.isBounded = true;
  return isLastWord(type) ? ended(next, outcomeOf(type, record(event.payload))) : next;
}

function tally(counts, { type, payload }) {
  if (type === 'warning') counts.warnings += 1;
  if (type !== 'check_evaluated') return;
  counts.checks += 1;
  if (record(payload).verdict === 'pass') counts.passed += 1;
}

function arrive(next, node) {
  const before = next.nodes.get(next.at);
  // The next node has begun, so this one has succeeded; a failure would have ended the run.
  if (before?.status === 'running') next.nodes.set(next.at, { ...before, status: 'done' });
  arriveAt(next, node);
}

function outcomeOf(kind, payload) {
  return {
    kind,
    reason: text(payload.reason),
    node: text(payload.node),
    message: text(payload.message),
    spent: record(payload.spent),
    leftOut: Number.isSafeInteger(payload.events_left_out) ? payload.events_left_out : 0,
  };
}
