// The end-to-end tests. Each file is a step of its own; several run at a time, each on a stand of its own (stand.mjs).
import { basename } from 'node:path';
import { testArguments } from './node-tests.mjs';
import { runOnStand } from './stands.mjs';

/**
 * The longest files, which begin first, so that none runs alone at the end. Update the list from the table of the
 * slowest files at the end of `npm test`.
 */
export const LONGEST = [
  'chains', 'traps', 'providers', 'memory-failures', 'kills', 'accessible', 'links', 'budget', 'automaton-page',
  'workflow-kills', 'workflow-page', 'tool-access', 'published', 'browser', 'held-back', 'down', 'form', 'graphs', 'embed',
  'memory', 'browsers', 'made-states', 'automata', 'strangers', 'meant', 'hands', 'captures', 'atlas',
];
/** The files whose tests run one of the native programs. */
export const WITH_PROGRAMS = ['sealed'];

/**
 * Returns a step for each file. `after` has the titles of the steps that must end before any file begins,
 * `afterPrograms` the titles that files of `WITH_PROGRAMS` wait for as well. `environment` returns environment variables
 * for the tests, in addition to the addresses of their services.
 */
export function endToEndSteps(files, { after, afterPrograms, environment }) {
  const named = files.map((file) => ({ file, name: basename(file, '.test.mjs') }));
  const rank = ({ name }) => (LONGEST.includes(name) ? LONGEST.indexOf(name) : LONGEST.length);
  named.sort((one, other) => rank(one) - rank(other));
  return named.map(({ file, name }) => ({
    part: 'e2e',
    title: `end to end: ${name}`,
    uses: ['stand'],
    after: WITH_PROGRAMS.includes(name) ? [...after, ...afterPrograms] : after,
    work: (told) => runOnStand(testArguments([file]), { told, env: environment() }),
  }));
}
