// Whether the user has touched anything since a moment; if so, the page moves nothing away under their hands.

const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'];

export class Attention {
  #isTaken = false;

  /** Listens to all below `target`. */
  constructor(target) {
    const take = () => {
      this.#isTaken = true;
    };
    for (const sign of SIGNS) target.addEventListener(sign, take, { capture: true, passive: true });
  }

  get isTaken() {
    return this.#isTaken;
  }

  /** Forgets what was touched so far. */
  release() {
    this.#isTaken = false;
  }
}
