// Test files on the pinned Node.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.mjs';
import { Stop } from './say.mjs';

/** Node's arguments: all in words for a reader, and then how long each file took. */
export const testArguments = (files) => [
  '--test',
  '--test-reporter=spec', '--test-reporter-destination=stdout',
  `--test-reporter=${join(root, 'scripts', 'file-times.mjs')}`, '--test-reporter-destination=stdout',
  ...files,
];

/** The tests of a folder under `tests`. */
export async function testFiles(folder) {
  const names = await readdir(join(root, 'tests', folder)).catch(() => []);
  const files = names.filter((name) => name.endsWith('.test.mjs')).sort();
  // To run nothing and call it success would be a skip in silence.
  if (files.length === 0) throw new Stop(`There is no *.test.mjs in tests/${folder}.`);
  return files.map((name) => join('tests', folder, name));
}
