// Reads a sealed file as far as the page shows it; whether it is authentic is checked elsewhere (verification.js).

import { record, text } from './safe.js';

/**
 * The longest sealed file in bytes, which is the server's limit, too. It is five times the size of a run with the
 * largest default caps.
 */
export const SEALED_BYTES_MAX = 4 * 1024 * 1024;
const FORMAT = 'visual-degrees sealed run';

/** `{file}`, or `{problem}` in words if it is no sealed file. */
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

/** The engines whose runs have pages of their own. */
const ENGINES = ['workflow', 'automaton'];

/** The engine of a sealed run with a page of its own; "" for a search. */
export const engineOf = ({ body }) => ENGINES.find((name) => name === record(record(body).order).engine) ?? '';
