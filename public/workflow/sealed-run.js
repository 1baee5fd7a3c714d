// The sealed file of a workflow's run, as somebody drops it: its graph and its events.

import { sealedRun } from '../desk/sealed-run.js';
import { known } from './run.js';

/** `{run, document, graph, kept, events}`, `{problem}` in words, or null where the text is no sealed run at all. */
export const sealedRunOf = (written) => sealedRun(written, 'workflow', known);
