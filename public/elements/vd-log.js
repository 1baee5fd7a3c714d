// The steps of a run, the oldest first; scrolled to the newest unless the user reads older ones. Repetitions are folded
// into one row that opens.

import { el } from '../dom.js';
import { rowsOf } from '../story.js';

const NEAR_END_PX = 8;

export class Log extends HTMLElement {
  #heading = el('h2', { class: 'quiet' }, 'How it went');
  #list = el('ol', { class: 'log', tabindex: '0', 'aria-label': 'Steps so far, oldest first' });
  #drawn = []; // the rows that are drawn, each as the text that identifies its content
  #newest = 0;
  #showing = 0;
  #isRead = false; // whether the user looks at older lines
  #frame = 0;

  connectedCallback() {
    if (this.contains(this.#list)) return;
    this.append(this.#heading, this.#list);
    this.#list.addEventListener('scroll', () => {
      const { scrollTop, clientHeight, scrollHeight } = this.#list;
      this.#isRead = scrollTop + clientHeight < scrollHeight - NEAR_END_PX;
    });
  }

  render({ phase, log, showing }) {
    const newest = log.at(-1)?.n ?? 0;
    this.hidden = phase === 'idle' || phase === 'starting' || (phase === 'ended' && log.length === 0);
    if (showing !== this.#showing) {
      this.#showing = showing;
      this.#draw([]);
      this.#newest = 0;
      this.#isRead = false;
    }
    this.#draw(rowsOf(log, phase === 'ended'));
    const isNew = newest > this.#newest;
    this.#newest = Math.max(newest, this.#newest);
    if (isNew && !this.#isRead) this.#scroll(phase);
  }

  /** Draws only rows that have changed, which are usually the last ones. */
  #draw(rows) {
    const told = rows.map(({ message, lines }) => `${lines.map(({ n }) => n).join()} ${message}`);
    let same = 0;
    while (same < told.length && told[same] === this.#drawn[same]) same += 1;
    while (this.#list.children.length > same) this.#list.lastElementChild.remove();
    this.#list.append(...rows.slice(same).map(rowElement));
    this.#drawn = told;
  }

  /**
   * Scrolls to the newest row, and after the run to the beginning. This is done once per frame, since reading the
   * scroll position forces a layout.
   */
  #scroll(phase) {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#list.scrollTop = phase === 'ended' ? 0 : this.#list.scrollHeight;
    });
  }
}

function rowElement({ message, lines }) {
  if (lines.length < 2) return el('li', {}, el('span', { 'data-line': true }, message));
  const parts = lines.map((line) => el('li', {}, el('span', { 'data-line': true }, line.message)));
  return el('li', {}, el('details', {}, el('summary', {}, message), el('ol', {}, ...parts)));
}
