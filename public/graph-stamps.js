// People who look the same, drawn once and stamped a thousand times: browsers copy a small picture faster than they
// fill and stroke a circle.

/** The number of pictures per pixel in each direction. A jump of a quarter pixel is invisible. */
const PARTS = 4;
/** The width of the line around a person. */
export const RING_PX = 2;
/** The margin around the circle, for its line, its antialiased edge, and the subpixel offset. */
const ROOM_PX = RING_PX / 2 + 2;

export class Stamps {
  #looks = new Map();

  /**
   * Returns a function that stamps a circle `{radius, fill, ring}` at a place of a context that is scaled by `scale`;
   * `ring` is the colour of its line or null.
   */
  of(look, scale) {
    const key = JSON.stringify([look, scale]);
    let pictures = this.#looks.get(key);
    if (!pictures) {
      pictures = Array.from({ length: PARTS * PARTS });
      this.#looks.set(key, pictures);
    }
    return (context, { x, y }) => {
      const [across, down] = [placeOf(x * scale), placeOf(y * scale)];
      const picture = (pictures[across.part + PARTS * down.part] ??= pictureOf(look, across.part, down.part, scale));
      const half = (picture.width - 1) / 2;
      const side = picture.width / scale;
      context.drawImage(picture, (across.pixel - half) / scale, (down.pixel - half) / scale, side, side);
    };
  }
}

/** The whole pixel of a place, and the number of parts of a pixel beyond it. */
export function placeOf(place) {
  const parts = Math.round(place * PARTS);
  const pixel = Math.floor(parts / PARTS);
  return { pixel, part: parts - pixel * PARTS };
}

/** The picture with its middle offset by these parts of a pixel to the right and down. */
function pictureOf({ radius, fill, ring }, right, below, scale) {
  const half = Math.ceil((radius + ROOM_PX) * scale);
  const canvas = document.createElement('canvas');
  canvas.width = 2 * half + 1;
  canvas.height = 2 * half + 1;
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, half + right / PARTS, half + below / PARTS);
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = ring ?? 'transparent';
  context.lineWidth = RING_PX;
  context.stroke();
  return canvas;
}
