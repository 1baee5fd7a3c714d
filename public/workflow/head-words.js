// The words about a workflow's run in the heading of the page.

import { count } from '../words.js';
import { failureWords, spentWords } from './trace-words.js';

export const HEAD_WORDS = {
  noun: 'A run of a workflow',
  other: 'Another workflow',
  files: [['sealed', 'sealed', 'the sealed run'], ['trace', 'archive', 'the trace']],
  now({ at }, graph) {
    const name = graph?.nodes.find(({ id }) => id === at)?.name;
    return name ? `Now: ${name}` : '';
  },
  failed({ outcome }, graph) {
    const name = graph?.nodes.find(({ id }) => id === outcome.node)?.name;
    const isPlain = name && outcome.reason === 'node_failed';
    return `Failed${name ? ` at ${name}` : ''}${isPlain ? '' : `: ${failureWords(outcome.reason)}`}.`;
  },
  /** What the run was given as input, and what it has spent. */
  more({ kept, outcome, events, isBounded, counts: { warnings, checks, passed } }) {
    return [
      kept?.dialect && `Dialect ${kept.dialect}`,
      kept?.servers.length > 0 && `servers: ${kept.servers.join(', ')}`,
      checks > 0 && `${passed} of ${checks} checks passed`,
      warnings > 0 && count(warnings, 'warning'),
      outcome && spentWords(outcome.spent).trim().replace(/^\(|\)$/g, ''),
      !outcome && events > 0 && count(events, 'event'),
      outcome?.kind === 'gone' && outcome.why === 'events' && outcome.detail && `The record says: ${outcome.detail}`,
      outcome?.leftOut > 0 && `${outcome.leftOut} events were not told`,
      isBounded && !outcome && 'only failures and the end are told from here on',
    ];
  },
};
