// Observes whether the user has touched anything since a given moment. If so, the page moves nothing away under their
// hands.

const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'];

export class Attention {
  #isTaken = false;

  /** Observes everything inside the element `target`. */
  constructor(target) {
    const take = () => {
      this.#isTaken = true;
    };
    for (const sign of SIGNS) target.addEventListener(sign, take, { capture: true, passive: true });
  }

  get isTaken() {
    return this.#isTaken;
  }

  /** Forgets what was touched so far, and observes from this moment on. */
  release() {
    this.#isTaken = false;
  }
}
