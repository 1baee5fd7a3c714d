// Decides when suggestions are requested: after a pause in typing, and never twice at once.

import { askable } from './suggestions.js';

const PAUSE_MS = 250;
/**
 * If a refusal asks for a longer wait than this, in seconds, there is no retry: a list would come too late to be
 * useful.
 */
const RETRY_S_MAX = 10;

export class Lookup {
  #ask;
  #tell;
  #timer = 0;
  #asked = null;

  /** `ask(text, signal)` resolves to people; `tell(people)` receives the people for the text that was typed last. */
  constructor(ask, tell) {
    this.#ask = ask;
    this.#tell = tell;
  }

  type(typed) {
    this.cancel();
    const text = askable(typed);
    if (text) this.#timer = setTimeout(() => this.#look(text), PAUSE_MS);
  }

  /** Ignores the answers that are still expected. */
  cancel() {
    clearTimeout(this.#timer);
    this.#asked?.abort();
    this.#asked = null;
  }

  async #look(text, isFirst = true) {
    const asked = new AbortController();
    this.#asked = asked;
    // Suggestions are optional, so on any failure none are shown.
    let seconds = null;
    const people = await this.#ask(text, asked.signal).catch((problem) => {
      seconds = problem.retryAfter ?? null;
      return [];
    });
    if (this.#asked !== asked) return;
    this.#tell(people);
    if (!isFirst || seconds === null || seconds > RETRY_S_MAX) return;
    this.#timer = setTimeout(() => this.#look(text, false), seconds * 1000);
  }
}
