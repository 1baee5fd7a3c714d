// Whether a device keeps up with what moves. Once it has fallen behind, less is drawn while something moves: it would
// fall behind again.

/** A frame that takes longer has missed its turn; there are 60 in a second. */
const LATE_MS = 25;
/** A single long frame, as when a page is made, is none of this: five in a row are, or more than a fifth of many. */
const LATE_COUNTS = 4;
const BEHIND = 20;

export class Pace {
  isBehind = false;
  #before = null;
  #late = 0;

  /** A frame begins at this time, in milliseconds, and `isMoving` says whether another one follows at once. */
  frame(now, isMoving) {
    if (this.#before !== null) {
      const isLate = now - this.#before > LATE_MS;
      this.#late = Math.max(0, this.#late + (isLate ? LATE_COUNTS : -1));
      if (this.#late >= BEHIND) this.isBehind = true;
    }
    this.#before = isMoving ? now : null;
  }
}
