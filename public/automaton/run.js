// One run of an automaton as somebody who watches knows it, and its graph as it is by now.

import { DeskRun } from '../desk/desk-run.js';
import { sealedRun } from '../desk/sealed-run.js';
import { list, record, text } from '../safe.js';
import { graphOf } from './graph.js';
import { documentOf } from './reading.js';
import { reduce } from './state.js';

/**
 * What a record or an order says of a run: `{document, kept, isOlder}`, or `{problem, kept}`. What was read in another
 * way than automata are now is older, and is no longer executed.
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

/** `{run, document, kept, events}`, `{problem}` in words, or null where the text is no sealed run at all. */
export const sealedRunOf = (written) => sealedRun(written, 'automaton', known);

export class AutomatonRun extends DeskRun {
  #drawn = { shape: -1, run: null, graph: null };

  constructor(onChange) {
    super({ reduce, known, onChange });
  }

  /** The graph, another one only where it has changed. */
  get states() {
    const { state } = this;
    if (this.#drawn.shape !== state.shape || this.#drawn.run !== state.run) {
      const { states, path, travelled, run, shape, kept } = state;
      const graph = graphOf({ states, path, travelled, family: `run ${run}`, name: kept?.name });
      this.#drawn = { shape, run, graph };
    }
    return this.#drawn.graph;
  }

  /** What is run once more: the states as they were sent, with what anybody may see of what was given beside. */
  get again() {
    const { prompts, parameters, secrets, origins } = this.state.kept ?? {};
    return JSON.stringify({ automaton: this.document, prompts, parameters, secrets, origins });
  }
}
