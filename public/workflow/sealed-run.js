// Reads a dropped sealed file of a workflow's run: its graph and its events.

import { sealedRun } from '../run-page/sealed-run.js';
import { known } from './run.js';

/** `{run, document, graph, kept, events}`, `{problem}` in words, or null if the text is no sealed run. */
export const sealedRunOf = (written) => sealedRun(written, 'workflow', known);
