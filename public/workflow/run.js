// One run of a workflow as somebody who watches knows it.

import { DeskRun } from '../desk/desk-run.js';
import { list, record, text } from '../safe.js';
import { graphOf } from './reading.js';
import { reduce } from './state.js';

/** What a record or an order says of a run: `{document, graph, kept}`, or `{problem, kept}`. */
export function known(value) {
  const { workflow, dialect, servers, status } = record(value);
  const names = list(servers).map((one) => text(one) || text(record(one).name)).filter(Boolean);
  const kept = { dialect: text(dialect), servers: names, status: text(status) };
  const { graph, problem } = graphOf(workflow);
  return graph ? { document: workflow, graph, kept } : { problem, kept };
}

export class WorkflowRun extends DeskRun {
  constructor(onChange) {
    super({ reduce, known, onChange });
  }
}
