// A workflow's run as seen by a viewer.

import { RunPageRun } from '../run-page/run-page-run.js';
import { list, record, text } from '../safe.js';
import { graphOf } from './reading.js';
import { reduce } from './state.js';

/** Reads a run's record or order: `{document, graph, kept}`, or `{problem, kept}`. */
export function known(value) {
  const { workflow, dialect, servers, status } = record(value);
  const names = list(servers).map((one) => text(one) || text(record(one).name)).filter(Boolean);
  const kept = { dialect: text(dialect), servers: names, status: text(status) };
  const { graph, problem } = graphOf(workflow);
  return graph ? { document: workflow, graph, kept } : { problem, kept };
}

export class WorkflowRun extends RunPageRun {
  constructor(onChange) {
    super({ reduce, known, onChange });
  }
}
