// Reads a dropped sealed file of a run. Whether it is authentic is checked elsewhere (../verification.js).

import { list, record, text } from '../safe.js';
import { engineOf, readSealed } from '../sealed-file.js';
import { FORGED_RUN, trustOf, uncheckedWords } from '../trust.js';

const SEALED = /"format"\s*:\s*"visual-degrees sealed run"/;

const ELSEWHERE = {
  '': 'This is the sealed run of a search. The first page shows and checks it.',
  workflow: 'This is the sealed run of a workflow. The page /workflow shows and checks it.',
  automaton: 'This is the sealed run of an automaton. The page /automaton shows and checks it.',
};

/**
 * Null if the text is no sealed run; otherwise `{run, events}` with what `read(order)` makes of this engine's order, or
 * `{problem}` in words.
 */
export function sealedRun(written, engine, read) {
  if (!SEALED.test(written)) return null;
  const { file, problem } = readSealed(written);
  if (problem) return { problem };
  if (engineOf(file) !== engine) return { problem: ELSEWHERE[engineOf(file)] };
  const { run, order, events } = record(file.body);
  const known = read(record(order));
  return known.problem ? known : { run: text(run), ...known, events: list(events) };
}

/** The result of the file's check, in words. */
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
