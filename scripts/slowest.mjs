// Determines the duration of each test file from the output of cargo and of Node's reporter (file-times.mjs).
import { MARK } from './file-times.mjs';

const NODE = new RegExp(`^${MARK} (?<seconds>[\\d.]+) s: (?<file>.+)$`, 'gm');
/** Matches two kinds of lines: the program that cargo runs, and then the program's duration. */
const CARGO = /^ +Running (?:unittests )?(?<file>\S+)|finished in (?<seconds>[\d.]+)s$/gm;

/** The files in this output, the slowest first. */
export function slowestFiles(words) {
  // eslint-disable-next-line no-control-regex
  const plain = words.replace(/\x1b\[[0-9;]*m/g, '');
  const found = [...plain.matchAll(NODE)].map(({ groups }) => fileOf(groups));
  let file = null;
  for (const { groups } of plain.matchAll(CARGO)) {
    if (groups.file) ({ file } = groups);
    else if (file) found.push(fileOf({ ...groups, file }));
  }
  return found.sort((one, other) => other.ms - one.ms);
}

const fileOf = ({ file, seconds }) => ({ file, ms: 1000 * Number(seconds) });
