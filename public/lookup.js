// When to ask for suggestions: after a pause in typing, and never twice at once.

import { askable } from './suggestions.js';

const PAUSE_MS = 250;
/** A refusal for longer than this is not asked again: by then nobody waits for a list. */
const RETRY_S_MAX = 10;

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

  async #look(text, isFirst = true) {
    const asked = new AbortController();
    this.#asked = asked;
    // Suggestions are a help: where there are none now, for whatever reason, none are shown.
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
