// Runs test files with the pinned Node.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.mjs';
import { Stop } from './say.mjs';

/** Node's arguments: the readable reporter, and then the one with each file's duration. */
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
  // Running nothing must not count as success.
  if (files.length === 0) throw new Stop(`There is no *.test.mjs in tests/${folder}.`);
  return files.map((name) => join('tests', folder, name));
}
