// The words about an automaton's run in the heading of the page.

import { shown } from '../run-page/told-words.js';
import { count } from '../words.js';
import { questionWords, reasonOf, spentWords } from './event-words.js';

const nameOf = (graph, id) => graph?.nodes.find((node) => node.id === id)?.name ?? '';

export const HEAD_WORDS = {
  noun: 'A run of an automaton',
  other: 'Another automaton',
  files: [['sealed', 'sealed', 'the sealed run']],
  now({ at, making, look }, graph) {
    if (making) return `Making a state${making.about ? `: a model is asked ${questionWords(making.about)}` : ''}`;
    const name = nameOf(graph, at);
    if (name) return `Now: ${name}`;
    return look ? 'Waiting for a state that passes' : '';
  },
  failed({ outcome }, graph) {
    const name = nameOf(graph, outcome.node);
    const line = outcome.line === null ? '' : `, action ${outcome.line}`;
    const isPlain = name && outcome.reason === 'action';
    return `Failed${name ? ` at ${shown(name, 120)}${line}` : ''}${isPlain ? '' : `: ${reasonOf(outcome.reason)}`}.`;
  },
  /** What the run was given as input, and what it has spent. */
  more({ kept, outcome, events, isBounded, counts: { warnings } }) {
    return [
      kept?.origins.length > 0 && `may open ${kept.origins.map((one) => shown(one, 80)).slice(0, 5).join(', ')}`,
      kept?.secrets.length > 0 && `secrets: ${kept.secrets.slice(0, 10).join(', ')}`,
      warnings > 0 && count(warnings, 'warning'),
      outcome && spentWords(outcome.spent).trim().replace(/^\(|\)$/g, ''),
      !outcome && events > 0 && count(events, 'event'),
      outcome?.kind === 'gone' && outcome.why === 'events' && outcome.detail && `The record says: ${outcome.detail}`,
      outcome?.leftOut > 0 && `${outcome.leftOut} events were not told`,
      isBounded && !outcome && 'only failures and the end are told from here on',
    ];
  },
};
