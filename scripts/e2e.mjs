// The end-to-end tests: one step for each file, several at a time, each beside a stand of its own.
import { basename } from 'node:path';
import { testArguments } from './node-tests.mjs';
import { runOnStand } from './stands.mjs';

/**
 * Those that take longest begin first: one that began last would be waited for alone. In this order; the
 * table of the slowest files that `npm test` ends with says when it is out of date.
 */
export const LONGEST = [
  'chains', 'traps', 'providers', 'memory-failures', 'kills', 'accessible', 'links', 'budget', 'automaton-page',
  'workflow-kills', 'workflow-page', 'tool-access', 'published', 'browser', 'held-back', 'down', 'form', 'graphs', 'embed',
  'memory', 'browsers', 'made-states', 'automata', 'strangers', 'meant', 'hands', 'captures', 'atlas',
];
/** They run one of the native programs. */
export const WITH_PROGRAMS = ['sealed'];

/**
 * `after` are the titles that each comes after, `afterPrograms` those of the native programs;
 * `environment` gives what the tests are told beside where their services are.
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
