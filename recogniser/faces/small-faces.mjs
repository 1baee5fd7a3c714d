// Finds the small faces of a picture, in tiles as high as the picture.
import { faceApi, tf } from './library.mjs';

/** The longer side to which a picture is shrunk, in pixels. Faces of about 50 pixels in it are found. */
const SIDE = 800;
/** Pictures whose longer side is at most this, in pixels, have no small faces. */
const SIDE_MIN = 640;
/** The least width that two tiles share, in pixels of the shrunken picture, so that no small face is cut by both. */
const SHARED_MIN = 96;
/** The network takes sides that are multiples of this, in pixels. */
const STEP = 32;
/** The least score of a face. */
const SCORE_MIN = 0.5;

/** Returns the boxes of the small faces, in pixels of the picture. `image` is the picture as a tensor. */
export async function smallFaces(image, { width, height }) {
  const found = [];
  for (const { x, y, side, inputSize } of tilesOf({ width, height })) {
    const tile = tf.slice3d(image, [y, x, 0], [Math.min(side, height - y), Math.min(side, width - x), 3]);
    const faces = await faceApi.nets.tinyFaceDetector.locateFaces(tile, { inputSize, scoreThreshold: SCORE_MIN });
    tile.dispose();
    for (const { box } of faces) found.push({ x: box.x + x, y: box.y + y, width: box.width, height: box.height });
  }
  return found;
}

/** Returns square tiles that cover a picture along its longer side, each with the side at which the network sees it. */
export function tilesOf({ width, height }) {
  const [longer, side] = [Math.max(width, height), Math.min(width, height)];
  if (longer <= SIDE_MIN) return [];
  const scale = SIDE / longer;
  const inputSize = Math.max(STEP, STEP * Math.ceil((side * scale) / STEP));
  const step = Math.max(1, side - SHARED_MIN / scale);
  const count = longer === side ? 1 : Math.ceil((longer - side) / step) + 1;
  const places = Array.from({ length: count }, (_, number) =>
    Math.round(count === 1 ? 0 : (number * (longer - side)) / (count - 1)));
  return places.map((place) => ({ x: width > height ? place : 0, y: width > height ? 0 : place, side, inputSize }));
}
