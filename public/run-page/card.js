// Draws a node of a graph: a button with its type, name, description and status.

import { el, setText } from '../dom.js';
import { CHECKED, standing, worstOf } from './standing.js';

/** The sign of each status of a node. It is shown with the status's word, so that no colour is needed. */
const SIGNS = { waiting: '', running: '●', done: '✓', failed: '✕', skipped: '⤼', stopped: '■' };

export class Card {
  #node;
  #sign = el('span', { class: 'sign', 'aria-hidden': 'true' });
  #standing = el('span', { class: 'standing' });
  #remark = el('bdi');
  #mark = el('span', { class: 'mark' });
  #drawn = '';
  button;

  /** `leadsTo` names the nodes that the node's edges lead to; null if that is unknown before the run. */
  constructor(node, leadsTo) {
    this.#node = node;
    const nowhere = leadsTo ? 'leads nowhere' : '';
    const ways = leadsTo?.length > 0 ? `leads to ${leadsTo.join(', ')}` : nowhere;
    this.button = el(
      'button',
      { type: 'button', class: 'card', tabindex: '-1', testid: 'node', 'aria-pressed': 'false' },
      el('span', { class: 'name' }, el('bdi', {}, node.name)),
      el('span', { class: 'type' }, el('bdi', {}, node.kind)),
      el('span', { class: 'state' }, this.#sign, this.#standing),
      el('span', { class: 'line' }, el('bdi', {}, node.line)),
      this.#mark,
      el('span', { class: 'unheard' }, this.#remark, ' ', el('bdi', {}, ways)),
    );
    this.button.dataset.id = node.id;
    this.button.classList.toggle('off', !node.isEnabled);
    this.button.classList.toggle('absent', node.isMissing);
  }

  /** Draws what has changed. `remark` is a warning or ""; a node's `mark` states what models made of it. */
  render({ known, isAt, isChosen, remark, unreached }) {
    const words = standing(this.#node, known, unreached);
    const mark = known.mark ?? '';
    const told = `${words} ${isAt} ${isChosen} ${remark} ${mark}`;
    if (told === this.#drawn) return;
    this.#drawn = told;
    this.button.dataset.status = known.status;
    this.button.classList.toggle('lit', isAt);
    this.button.classList.toggle('remarked', remark !== '');
    this.button.setAttribute('aria-pressed', String(isChosen));
    const checked = known.status === 'done' ? (CHECKED[worstOf(known)] ?? '') : '';
    this.button.dataset.checked = checked ? worstOf(known) : '';
    setText(this.#sign, remark || checked ? '!' : SIGNS[known.status]);
    // The node's values name the branch; a card has space only for a few words.
    const [short, why = ''] = unreached ? words.split(/: (.*)/s) : [words];
    setText(this.#standing, checked || (known.visits > 1 ? `${known.status} ×${known.visits}` : short));
    setText(this.#mark, mark);
    setText(this.#remark, [remark, why].filter(Boolean).join(' '));
    this.button.title = why;
  }
}

const WAYS_MAX = 8;

/**
 * For each node, the names of the nodes that it leads to, with the edges' labels. In a graph that `isOpen`, only the
 * edges that a run has taken are known.
 */
export function waysOf(graph) {
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]));
  const ways = new Map(graph.nodes.map(({ id }) => [id, graph.isOpen ? null : []]));
  for (const { from, to, label, isPlanned } of graph.edges) {
    const told = ways.get(from) ?? [];
    if (isPlanned) continue;
    if (told.length < WAYS_MAX) ways.set(from, [...told, label ? `${names.get(to)} if ${label}` : names.get(to)]);
  }
  return ways;
}
