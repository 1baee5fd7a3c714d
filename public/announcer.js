// The text for screen readers: the newest words, at most once in five seconds.

const PAUSE_MS = 5_000;

export class Announcer {
  #say;
  #now;
  #words = '';
  #saidAt = -Infinity;
  #timer = null;

  /** `say(words)` writes words where they are read aloud; `now()` returns milliseconds. */
  constructor(say, now = () => performance.now()) {
    this.#say = say;
    this.#now = now;
  }

  /** Says the words at once, or after the pause unless newer ones replace them. */
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
