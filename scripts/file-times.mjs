// An additional reporter for Node's tests: one line per file with its duration.
import { relative } from 'node:path';
import { root } from './places.mjs';

/** The beginning of each line that this reporter prints. */
export const MARK = 'file took';

export default async function* fileTimes(source) {
  for await (const { type, data } of source) {
    if (type !== 'test:summary' || !data.file) continue;
    yield `${MARK} ${(data.duration_ms / 1000).toFixed(1)} s: ${relative(root, data.file)}\n`;
  }
}
