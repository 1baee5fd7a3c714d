// The steps of a run, the oldest first; the newest is in sight while nobody reads the others.

import { el } from '../dom.js';

export class Log extends HTMLElement {
  #heading = el('h2', { class: 'quiet' }, 'How it went');
  #list = el('ol', { class: 'log', tabindex: '0', 'aria-label': 'Steps so far, oldest first' });
  #logged = 0;

  connectedCallback() {
    if (!this.contains(this.#list)) this.append(this.#heading, this.#list);
  }

  // Lines are only ever added within one run, so each is drawn once.
  render({ phase, log }) {
    const newest = log.at(-1)?.n ?? 0;
    this.hidden = phase === 'idle' || phase === 'starting' || (phase === 'ended' && log.length === 0);
    if (log.length === 0 || newest < this.#logged) {
      this.#list.replaceChildren();
      this.#logged = 0;
    }
    const isAtEnd = this.#list.scrollTop + this.#list.clientHeight >= this.#list.scrollHeight - 4;
    const isNew = newest > this.#logged;
    for (const line of log) {
      if (line.n <= this.#logged) continue;
      this.#list.append(el('li', {}, line.message));
      this.#logged = line.n;
    }
    if (phase === 'ended') this.#list.scrollTop = isAtEnd ? 0 : this.#list.scrollTop;
    else if (isNew && isAtEnd) this.#list.scrollTop = this.#list.scrollHeight;
  }
}
