// The request to the API to run a workflow.

import { limitsOf } from '../run-page/limits.js';

export const DIALECTS = ['seed', 'clickweave'];

/** The limits of a run in the form: the server's defaults. */
export const LIMITS = Object.freeze({ steps: '100000', runtimeMs: '600', toolCalls: '1000', budgetUsd: '' });

/** The body of `POST /runs`. */
export function questionOf({ workflow, servers, dialect, limits }) {
  const options = { dialect, ...limitsOf(LIMITS, limits) };
  // Without a list the run may use all of the operator's servers.
  return { workflow, ...(servers ? { servers } : {}), options };
}
