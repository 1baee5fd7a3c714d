// Whether a device keeps up with the animation. Once it has fallen behind, less is drawn during movement from then on.

/** The time after which a frame counts as late, in milliseconds, for a screen with 60 frames per second. */
const LATE_MS = 25;
/**
 * The weight of a late frame, while any other frame subtracts 1; and the sum at which the device has fallen behind. A
 * single late frame, as when a page is built, is not enough. Five in a row are, or more than a fifth over a longer
 * time.
 */
const LATE_COUNTS = 4;
const BEHIND = 20;

export class Pace {
  isBehind = false;
  #before = null;
  #late = 0;

  /** Notes the start of a frame, in milliseconds; `isMoving` says whether another one follows at once. */
  frame(now, isMoving) {
    if (this.#before !== null) {
      const isLate = now - this.#before > LATE_MS;
      this.#late = Math.max(0, this.#late + (isLate ? LATE_COUNTS : -1));
      if (this.#late >= BEHIND) this.isBehind = true;
    }
    this.#before = isMoving ? now : null;
  }
}
