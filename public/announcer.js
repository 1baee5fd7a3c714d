// What a screen reader is told as it goes: the newest words, and never more than one in five seconds.

const PAUSE_MS = 5_000;

export class Announcer {
  #say;
  #now;
  #words = '';
  #saidAt = -Infinity;
  #timer = null;

  /** `say(words)` writes them where they are read aloud; `now()` is in milliseconds. */
  constructor(say, now = () => performance.now()) {
    this.#say = say;
    this.#now = now;
  }

  /** The newest words: said at once, or when the pause is over; those that come later instead. */
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
