// The sealed file of a workflow's run, as somebody drops it: its graph and its events, as it says itself. Whether
// it is true is another question (../verification.js).

import { isOfWorkflow, readSealed } from '../sealed-file.js';
import { list, record, text } from '../safe.js';
import { FORGED_RUN, trustOf, uncheckedWords } from '../trust.js';
import { graphOf } from './reading.js';

const SEALED = /"format"\s*:\s*"visual-degrees sealed run"/;

/**
 * Null where the text is no sealed run at all; else `{run, workflow, graph, kept, events}`, or `{problem}` in
 * words.
 */
export function sealedRunOf(written) {
  if (!SEALED.test(written)) return null;
  const { file, problem } = readSealed(written);
  if (problem) return { problem };
  if (!isOfWorkflow(file)) return { problem: 'This is the sealed run of a search. The first page shows and checks it.' };
  const { run, order, events } = record(file.body);
  const { workflow, dialect, servers } = record(order);
  const { graph, problem: odd } = graphOf(workflow);
  if (odd) return { problem: odd };
  const kept = { dialect: text(dialect), servers: list(servers).map(text).filter(Boolean), status: '' };
  return { run: text(run), workflow, graph, kept, events: list(events) };
}

/** What a check of the file came to, in words. */
export function verificationWords(verification) {
  switch (trustOf({ isFile: true, verification })) {
    case 'proven':
      return 'From a file, checked in your browser: executed again without a call, it tells the same.';
    case 'forged':
      return `${FORGED_RUN} ${verification.says}`;
    case 'unchecked':
      return `From a file. ${uncheckedWords(verification)}`;
    default:
      return 'From a file, which is being checked in your browser…';
  }
}
