// Describes the faces of photos, one photo after the other, in a thread of its own.
import { Worker } from 'node:worker_threads';
import { Busy, UnreadablePhoto } from './failures.mjs';

/** The most photos that wait: the last one is answered within the time that the Worker gives an attempt. */
const WAITING_MAX = 8;
/** The longest time for one photo, in milliseconds. A thread that takes longer is replaced. */
const PHOTO_MS_MAX = 20_000;

export class Describer {
  #worker = null;
  #ready = null;
  #waiting = [];
  #current = null;
  #number = 0;
  #isClosed = false;

  /** Resolves once the networks are loaded. */
  start() {
    this.#ready ??= new Promise((resolve, reject) => {
      const worker = new Worker(new URL('worker.mjs', import.meta.url));
      this.#worker = worker;
      let isReady = false;
      worker.on('message', (message) => {
        if (!message.isReady) return this.#take(message);
        isReady = true;
        return resolve();
      });
      worker.on('exit', () => reject(new Busy('the recogniser ends')));
      worker.on('error', (error) => {
        reject(error);
        // A thread that cannot begin would fail again at once; the next photo tries it anew.
        if (isReady) this.#replace(worker, error);
        else this.#ready = null;
      });
    });
    return this.#ready;
  }

  /**
   * Returns a promise of the faces of a photo, as `describeFaces` does; it fails with `UnreadablePhoto` or `Busy`. Throws
   * `Busy` at once if too many wait. A photo whose `signal` is aborted while it waits is dropped.
   */
  describe(bytes, signal) {
    if (this.#isClosed) throw new Busy('the recogniser ends');
    if (this.#waiting.length >= WAITING_MAX) throw new Busy(`${WAITING_MAX} photos are waiting`);
    return new Promise((resolve, reject) => {
      const photo = { bytes, resolve, reject };
      this.#waiting.push(photo);
      signal?.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other !== photo);
        reject(new Busy('nobody waits for it any more'));
      });
      this.start().then(() => this.#next(), (error) => this.#giveUp(error));
    });
  }

  /** Ends the thread; whoever waits is told so. */
  async close() {
    this.#isClosed = true;
    clearTimeout(this.#current?.timer);
    this.#current?.reject(new Busy('the recogniser ends'));
    this.#current = null;
    this.#giveUp(new Busy('the recogniser ends'));
    await this.#worker?.terminate();
  }

  #giveUp(error) {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #next() {
    if (this.#current || this.#waiting.length === 0) return;
    const { bytes, ...photo } = this.#waiting.shift();
    this.#number += 1;
    const worker = this.#worker;
    const late = () => this.#replace(worker, new Busy('a photo takes too long'));
    this.#current = { ...photo, number: this.#number, timer: setTimeout(late, PHOTO_MS_MAX) };
    worker.postMessage({ number: this.#number, bytes });
  }

  #take({ number, faces, error }) {
    if (this.#current?.number !== number) return;
    const { resolve, reject, timer } = this.#current;
    clearTimeout(timer);
    this.#current = null;
    if (faces) resolve(faces);
    else reject(new UnreadablePhoto(error));
    this.#next();
  }

  /** Replaces a thread that failed. Its photo fails, too; the others wait for the new thread. */
  async #replace(worker, error) {
    if (this.#worker !== worker || this.#isClosed) return;
    this.#ready = null;
    this.#worker = null;
    clearTimeout(this.#current?.timer);
    this.#current?.reject(error);
    this.#current = null;
    await worker.terminate();
    await this.start().then(() => this.#next(), (failure) => this.#giveUp(failure));
  }
}
