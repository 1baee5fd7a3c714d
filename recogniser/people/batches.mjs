// Asks for many things in few requests: what is asked for while a request is under way goes into the next one.
import { WikimediaRefuses } from './wikimedia.mjs';

export class Batches {
  #ask;
  #max;
  /** What waits for a request, by key, in the order in which it was asked for. */
  #waiting = new Map();
  #isRunning = false;

  /** `ask` returns a map from keys, at most `max` of them, to what was found. */
  constructor(ask, max) {
    this.#ask = ask;
    this.#max = max;
  }

  /** Returns what was found for a key, `undefined` if there is nothing. */
  load(key) {
    const known = this.#waiting.get(key);
    if (known) return known.promise;
    const one = {};
    one.promise = new Promise((resolve, reject) => Object.assign(one, { resolve, reject }));
    this.#waiting.set(key, one);
    if (!this.#isRunning) {
      this.#isRunning = true;
      // What is asked for at the same moment goes into one request.
      setImmediate(() => this.#run());
    }
    return one.promise;
  }

  async #run() {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, this.#max);
      for (const [key] of batch) this.#waiting.delete(key);
      await this.#settle(batch);
    }
    this.#isRunning = false;
  }

  /** Asks for a batch. One member may spoil all of it, so a batch that is refused is asked for in halves. */
  async #settle(batch) {
    try {
      const found = await this.#ask(batch.map(([key]) => key));
      for (const [key, one] of batch) one.resolve(found.get(key));
    } catch (error) {
      if (!(error instanceof WikimediaRefuses)) {
        for (const [, one] of batch) one.reject(error);
      } else if (batch.length === 1) {
        batch[0][1].resolve(undefined);
      } else {
        const half = Math.ceil(batch.length / 2);
        await this.#settle(batch.slice(0, half));
        await this.#settle(batch.slice(half));
      }
    }
  }
}
