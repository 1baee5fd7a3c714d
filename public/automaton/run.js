// An automaton's run as a viewer sees it, and the run's current graph.

import { RunPageRun } from '../run-page/run-page-run.js';
import { sealedRun } from '../run-page/sealed-run.js';
import { list, record, text } from '../safe.js';
import { graphOf } from './graph.js';
import { documentOf } from './reading.js';
import { reduce } from './state.js';

/**
 * Reads a run's record or order: `{document, kept, isOlder}`, or `{problem, kept}`. `isOlder` marks a document of an
 * older format, which is no longer executed.
 */
export function known(value) {
  const { automaton, prompts, dialect, parameters, secrets, origins, status, name } = record(value);
  const kept = {
    name: text(name),
    prompts: prompts ?? null,
    parameters: record(parameters),
    secrets: list(secrets).map(text).filter(Boolean),
    origins: list(origins).map(text).filter(Boolean),
    status: text(status),
  };
  const { problem } = documentOf(automaton);
  return problem ? { problem, kept } : { document: automaton, kept, isOlder: (dialect ?? 'strict') !== 'strict' };
}

/**
 * Reads a sealed run: `{run, document, kept, events}`, or `{problem}` in words; null if the text is not a sealed run.
 */
export const sealedRunOf = (written) => sealedRun(written, 'automaton', known);

export class AutomatonRun extends RunPageRun {
  #drawn = { shape: -1, run: null, graph: null };

  constructor(onChange) {
    super({ reduce, known, onChange });
  }

  /** The graph of the run's states. It is a new object only after a change, so that it can be compared by identity. */
  get states() {
    const { state } = this;
    if (this.#drawn.shape !== state.shape || this.#drawn.run !== state.run) {
      const { states, path, travelled, run, shape, kept } = state;
      const graph = graphOf({ states, path, travelled, family: `run ${run}`, name: kept?.name });
      this.#drawn = { shape, run, graph };
    }
    return this.#drawn.graph;
  }

  /** The automaton to run again: its states as they were sent, with the part of its other input that is public. */
  get again() {
    const { prompts, parameters, secrets, origins } = this.state.kept ?? {};
    return JSON.stringify({ automaton: this.document, prompts, parameters, secrets, origins });
  }
}
