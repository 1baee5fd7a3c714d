// When to ask for suggestions: after a pause in typing, and never twice at once.

import { askable } from './suggestions.js';

const PAUSE_MS = 250;

export class Lookup {
  #ask;
  #tell;
  #timer = 0;
  #asked = null;

  /** `ask(text, signal)` promises people, `tell(people)` takes those of the last text typed. */
  constructor(ask, tell) {
    this.#ask = ask;
    this.#tell = tell;
  }

  type(typed) {
    this.cancel();
    const text = askable(typed);
    if (text) this.#timer = setTimeout(() => this.#look(text), PAUSE_MS);
  }

  /** Nothing that was asked for is told any more. */
  cancel() {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#asked = null;
  }

  async #look(text) {
    const asked = new AbortController();
    this.#asked = asked;
    // Suggestions are a help: where there are none now, for whatever reason, none are shown.
    const people = await this.#ask(text, asked.signal).catch(() => []);
    if (this.#asked === asked) this.#tell(people);
  }
}
