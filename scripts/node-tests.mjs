// Runs test files with the pinned Node.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.mjs';
import { Stop } from './say.mjs';

/** The arguments for Node with two reporters: the readable one, and one that prints each file's duration. */
export const testArguments = (files) => [
  '--test',
  '--test-reporter=spec', '--test-reporter-destination=stdout',
  `--test-reporter=${join(root, 'scripts', 'file-times.mjs')}`, '--test-reporter-destination=stdout',
  ...files,
];

/** The test files of a folder under `tests`. Stops if there are none. */
export async function testFiles(folder) {
  const names = await readdir(join(root, 'tests', folder)).catch(() => []);
  const files = names.filter((name) => name.endsWith('.test.mjs')).sort();
  // A run without tests must not count as success.
  if (files.length === 0) throw new Stop(`There is no *.test.mjs in tests/${folder}.`);
  return files.map((name) => join('tests', folder, name));
}
