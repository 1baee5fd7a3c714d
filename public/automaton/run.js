// An automaton's run as seen by a viewer, and its current graph.

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

/** `{run, document, kept, events}`, `{problem}` in words, or null if the text is no sealed run. */
export const sealedRunOf = (written) => sealedRun(written, 'automaton', known);

export class AutomatonRun extends RunPageRun {
  #drawn = { shape: -1, run: null, graph: null };

  constructor(onChange) {
    super({ reduce, known, onChange });
  }

  /** The graph, a new object only after a change. */
  get states() {
    const { state } = this;
    if (this.#drawn.shape !== state.shape || this.#drawn.run !== state.run) {
      const { states, path, travelled, run, shape, kept } = state;
      const graph = graphOf({ states, path, travelled, family: `run ${run}`, name: kept?.name });
      this.#drawn = { shape, run, graph };
    }
    return this.#drawn.graph;
  }

  /** The automaton to run again: its states as sent, with the public part of its other input. */
  get again() {
    const { prompts, parameters, secrets, origins } = this.state.kept ?? {};
    return JSON.stringify({ automaton: this.document, prompts, parameters, secrets, origins });
  }
}
