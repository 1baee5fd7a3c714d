// Decides which words screen readers announce: the newest ones, at most once in five seconds.

const PAUSE_MS = 5_000;

export class Announcer {
  #say;
  #now;
  #words = '';
  #saidAt = -Infinity;
  #timer = null;

  /** `say(words)` writes words where screen readers read them aloud; `now()` returns the time in milliseconds. */
  constructor(say, now = () => performance.now()) {
    this.#say = say;
    this.#now = now;
  }

  /** Says the words at once, or after the pause. Words that wait are replaced by newer ones. */
  tell(words) {
    if (words === this.#words) return;
    this.#words = words;
    if (this.#timer !== null) return;
    const waitMs = this.#saidAt + PAUSE_MS - this.#now();
    if (waitMs <= 0) this.#speak();
    else this.#timer = setTimeout(() => this.#speak(), waitMs);
  }

  #speak() {
    this.#timer = null;
    this.#saidAt = this.#now();
    this.#say(this.#words);
  }
}
