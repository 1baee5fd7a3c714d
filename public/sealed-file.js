// Reads a sealed file as far as the page shows it; whether it is true is another question (verification.js).

import { record, text } from './safe.js';

/** What a server executes again, too: five times what a run of the largest default caps makes. */
export const SEALED_BYTES_MAX = 4 * 1024 * 1024;
const FORMAT = 'visual-degrees sealed run';

/** `{file}`, or `{problem}` in words where it is none. */
export function readSealed(sealed) {
  if (sealed.length > SEALED_BYTES_MAX || new Blob([sealed]).size > SEALED_BYTES_MAX) {
    return { problem: 'The file is over 4 MiB; check it on your own machine: cargo run --bin replay.' };
  }
  let file;
  try {
    file = record(JSON.parse(sealed));
  } catch {
    return { problem: 'The file is no JSON. A sealed run is what “the sealed run” below a result gives.' };
  }
  if (text(file.format) !== FORMAT || !Array.isArray(record(file.body).events)) {
    return { problem: 'The file is no sealed run. One is what “the sealed run” below a result gives.' };
  }
  return { file };
}

/** The engines whose runs other pages than the first one show, each at its own. */
const ENGINES = ['workflow', 'automaton'];

/** Which of them has told it; "" where it is a search. */
export const engineOf = ({ body }) => ENGINES.find((name) => name === record(record(body).order).engine) ?? '';
