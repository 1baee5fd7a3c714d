// Whether somebody who looks has touched anything since a moment: then the page moves nothing away
// from under them.

const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'];

export class Attention {
  #isTaken = false;

  /** Listens to everything below `target`. */
  constructor(target) {
    const take = () => {
      this.#isTaken = true;
    };
    for (const sign of SIGNS) target.addEventListener(sign, take, { capture: true, passive: true });
  }

  get isTaken() {
    return this.#isTaken;
  }

  /** What was touched until now does not count. */
  release() {
    this.#isTaken = false;
  }
}
