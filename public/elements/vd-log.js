// The steps of a run, the oldest first; the newest is in sight while nobody reads the others.

import { el } from '../dom.js';

const NEAR_END_PX = 8;

export class Log extends HTMLElement {
  #heading = el('h2', { class: 'quiet' }, 'How it went');
  #list = el('ol', { class: 'log', tabindex: '0', 'aria-label': 'Steps so far, oldest first' });
  #logged = 0;
  #showing = 0;
  #isRead = false; // somebody looks at older lines
  #frame = 0;

  connectedCallback() {
    if (this.contains(this.#list)) return;
    this.append(this.#heading, this.#list);
    this.#list.addEventListener('scroll', () => {
      const { scrollTop, clientHeight, scrollHeight } = this.#list;
      this.#isRead = scrollTop + clientHeight < scrollHeight - NEAR_END_PX;
    });
  }

  // Lines are only ever added within one run, so each is drawn once.
  render({ phase, log, showing }) {
    const newest = log.at(-1)?.n ?? 0;
    this.hidden = phase === 'idle' || phase === 'starting' || (phase === 'ended' && log.length === 0);
    if (showing !== this.#showing) {
      this.#showing = showing;
      this.#list.replaceChildren();
      this.#logged = 0;
      this.#isRead = false;
    }
    const isNew = newest > this.#logged;
    for (const line of log) {
      if (line.n <= this.#logged) continue;
      this.#list.append(el('li', {}, line.message));
      this.#logged = line.n;
    }
    if (isNew && !this.#isRead) this.#scroll(phase);
  }

  /** Once a frame: where it is scrolled to has the page laid out. Afterwards it is read from its beginning. */
  #scroll(phase) {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#list.scrollTop = phase === 'ended' ? 0 : this.#list.scrollHeight;
    });
  }
}
