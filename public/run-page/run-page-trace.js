// Shows the lines of a run's trace, the oldest first. It stays scrolled to the newest unless the user reads older ones.

import { el, setText } from '../dom.js';
import { runPath } from '../route.js';
import { linesOf } from './run-state.js';

const LINES_SHOWN_MAX = 500;
const NEAR_END_PX = 12;

export class RunPageTrace extends HTMLElement {
  #before = el('p', { class: 'small', testid: 'before' });
  #list = el('ol', { class: 'trace', tabindex: '0', 'aria-label': 'Events so far, oldest first', testid: 'trace' });
  #only = el('input', { type: 'checkbox', testid: 'only' });
  #noun = el('span', {}, 'node');
  #whose = el('bdi', { class: 'unheard' });
  #filter = el('label', { class: 'tick' }, this.#only, el('span', {}, 'Only this ', this.#noun, this.#whose));
  #bad = el('input', { type: 'checkbox', testid: 'only-bad' });
  #badWords = el('span');
  #badFilter = el('label', { class: 'tick' }, this.#bad, this.#badWords);
  #rows = new Map(); // by the line's number
  #drawn = '';
  #isRead = false; // somebody looks at older lines
  #frame = 0;
  #last = null;

  connectedCallback() {
    if (this.contains(this.#list)) return;
    const filters = el('div', { class: 'filters' }, this.#badFilter, this.#filter);
    const head = el('div', { class: 'head' }, el('h2', { class: 'quiet' }, 'The trace'), filters);
    this.append(head, this.#before, this.#list);
    for (const [one, other] of [[this.#only, this.#bad], [this.#bad, this.#only]]) {
      one.addEventListener('change', () => {
        other.checked &&= !one.checked;
        if (this.#last) this.render(this.#last);
      });
    }
    this.#list.addEventListener('scroll', () => {
      const { scrollTop, clientHeight, scrollHeight } = this.#list;
      this.#isRead = scrollTop + clientHeight < scrollHeight - NEAR_END_PX;
    });
  }

  /** Draws the trace, only of `node` unless that is null; `noun` is the engine's word for nodes. */
  render({ state, node, noun = 'node' }) {
    this.#last = { state, node, noun };
    setText(this.#noun, noun);
    this.hidden = state.lines.length === 0;
    this.#filter.hidden = node === null;
    setText(this.#whose, `: ${node?.name ?? ''}`);
    const { troubles } = state.counts;
    this.#badFilter.hidden = troubles === 0;
    setText(this.#badWords, `Only troubles (${troubles})`);
    const isBad = troubles > 0 && this.#bad.checked;
    const only = isBad ? 'bad' : (this.#only.checked && node?.id) || '';
    const { lines, before } = linesOf(state, { node: isBad ? '' : only, isBad, most: LINES_SHOWN_MAX });
    const drawn = `${state.run} ${only} ${lines.at(-1)?.n ?? 0}`;
    if (drawn === this.#drawn) return;
    if (this.#drawn.split(' ').slice(0, 2).join(' ') !== `${state.run} ${only}`) this.#forget();
    this.#drawn = drawn;
    setText(this.#before, before > 0 ? `${before} earlier events are not shown here; the archive has all.` : '');
    this.#write(lines);
    if (!this.#isRead) this.#scroll();
  }

  #forget() {
    this.#rows.clear();
    this.#list.replaceChildren();
    this.#isRead = false;
  }

  /** Appends new lines and drops old ones. */
  #write(lines) {
    const kept = new Set(lines.map(({ n }) => n));
    for (const [n, row] of this.#rows) {
      if (kept.has(n)) break;
      row.remove();
      this.#rows.delete(n);
    }
    const fresh = lines.filter(({ n }) => !this.#rows.has(n));
    // The name is visible only at the first of a node's lines, but screen readers hear it at each.
    let above = fresh.length > 0 ? lines[lines.indexOf(fresh[0]) - 1] : null;
    for (const line of fresh) {
      this.#rows.set(line.n, rowOf(line, above?.node === line.node && line.node !== ''));
      above = line;
    }
    this.#list.append(...fresh.map(({ n }) => this.#rows.get(n)));
  }

  #scroll() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#list.scrollTop = this.#list.scrollHeight;
    });
  }
}

function rowOf({ time, name, isBad, words }, isSame) {
  return el(
    'li', { class: [isBad && 'bad', isSame && 'same'].filter(Boolean).join(' ') },
    el('time', { datetime: time }, clock(time)),
    el('p', {}, name ? el('b', {}, el('bdi', {}, name)) : null, name ? ' ' : null, ...words.map(piece)),
  );
}

function piece(one) {
  if (typeof one === 'string') return one;
  return one.run ? el('a', { href: runPath(one.run) }, 'See it') : el('bdi', {}, one.own);
}

/** A time with milliseconds. Some nodes take only a few. */
function clock(time) {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const two = (part) => String(part).padStart(2, '0');
  const [h, m, s] = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two);
  return `${h}:${m}:${s}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}
