// A node as it is drawn and listed: a button that says its type, its name, what it does and how it stands.

import { el, setText } from '../dom.js';
import { lineOf, typeWords } from './node-words.js';
import { unvisited, worstOf } from './node-state.js';

/** How a node stands: a sign beside the word, so that no colour is needed. */
const SIGNS = { waiting: '', running: '●', done: '✓', failed: '✕', skipped: '⤼', stopped: '■' };

export const stateOf = (state, id) => state.nodes.get(id) ?? unvisited;

const CHECKED = { fail: 'a check failed', warn: 'a check warns' };

/**
 * "running, 3 times, a check failed": how a node stands, in words. `unreached` says why it was not visited,
 * once the run has ended.
 */
export function standing({ isEnabled, isMissing }, known, unreached = '') {
  const { status, visits } = known;
  if (isMissing) return 'no such node';
  if (status === 'waiting') return isEnabled ? (unreached || 'waiting') : 'switched off';
  const word = status === 'skipped' ? 'passed over' : status;
  return [word, visits > 1 && `${visits} times`, CHECKED[worstOf(known)]].filter(Boolean).join(', ');
}

export class Card {
  #node;
  #sign = el('span', { class: 'sign', 'aria-hidden': 'true' });
  #standing = el('span', { class: 'standing' });
  #remark = el('bdi');
  #drawn = '';
  button;

  /** `leadsTo` names the nodes that its edges lead to. */
  constructor(node, leadsTo) {
    this.#node = node;
    const ways = leadsTo.length > 0 ? `leads to ${leadsTo.join(', ')}` : 'leads nowhere';
    this.button = el(
      'button',
      { type: 'button', class: 'card', tabindex: '-1', testid: 'node', 'aria-pressed': 'false' },
      el('span', { class: 'name' }, el('bdi', {}, node.name)),
      el('span', { class: 'type' }, el('bdi', {}, typeWords(node))),
      el('span', { class: 'state' }, this.#sign, this.#standing),
      el('span', { class: 'line' }, el('bdi', {}, lineOf(node))),
      el('span', { class: 'unheard' }, this.#remark, ' ', el('bdi', {}, ways)),
    );
    this.button.dataset.id = node.id;
    this.button.classList.toggle('off', !node.isEnabled);
    this.button.classList.toggle('absent', node.isMissing);
  }

  /** Draws what has changed. `remark` is what is wrong with it, or "". */
  render({ known, isAt, isChosen, remark, unreached }) {
    const words = standing(this.#node, known, unreached);
    const told = `${words} ${isAt} ${isChosen} ${remark}`;
    if (told === this.#drawn) return;
    this.#drawn = told;
    this.button.dataset.status = known.status;
    this.button.classList.toggle('lit', isAt);
    this.button.classList.toggle('remarked', remark !== '');
    this.button.setAttribute('aria-pressed', String(isChosen));
    const checked = known.status === 'done' ? (CHECKED[worstOf(known)] ?? '') : '';
    this.button.dataset.checked = checked ? worstOf(known) : '';
    setText(this.#sign, remark || checked ? '!' : SIGNS[known.status]);
    // By which branch stands in its values; here is room for a few words.
    const [short, why = ''] = unreached ? words.split(/: (.*)/s) : [words];
    setText(this.#standing, checked || (known.visits > 1 ? `${known.status} ×${known.visits}` : short));
    setText(this.#remark, [remark, why].filter(Boolean).join(' '));
    this.button.title = why;
  }
}

const WAYS_MAX = 8;

/** For each node the names of those that it leads to, with the label of the edge. */
export function waysOf(graph) {
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]));
  const ways = new Map();
  for (const { from, to, label } of graph.edges) {
    const told = ways.get(from) ?? [];
    if (told.length < WAYS_MAX) ways.set(from, [...told, label ? `${names.get(to)} if ${label}` : names.get(to)]);
  }
  return ways;
}
