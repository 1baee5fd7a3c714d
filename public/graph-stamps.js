// People who all look the same, drawn once and put down a thousand times: a browser copies a small picture faster
// than it fills and strokes a circle.

/** A picture is made for so many places within a pixel, each way: nobody sees a quarter of a pixel jump. */
const PARTS = 4;
/** How wide the line around a person is. */
export const RING_PX = 2;
/** Room around the circle, for its line, its smooth edge, and the part of a pixel that it is moved by. */
const ROOM_PX = RING_PX / 2 + 2;

export class Stamps {
  #looks = new Map();

  /**
   * A circle of a look `{radius, fill, ring}`, the ring being the colour of a line around it or null, for contexts
   * that are scaled by `scale`: a function that puts it at a place of a context.
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

/** The pixel that a place is in, and how many parts of it it is beyond. */
export function placeOf(place) {
  const parts = Math.round(place * PARTS);
  const pixel = Math.floor(parts / PARTS);
  return { pixel, part: parts - pixel * PARTS };
}

/** With its middle so many parts of a pixel to the right of that of the picture, and below it. */
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
