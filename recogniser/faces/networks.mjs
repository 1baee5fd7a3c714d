// Finds the faces of a photo, and describes each by 128 numbers.
import sharp from 'sharp';
import { CHIP_SIDE, cutFace, mirrored } from './alignment.mjs';
import { UnreadablePhoto } from './failures.mjs';
import { faceApi, loadNetworks as load, tf, withTensor } from './library.mjs';
import { smallFaces } from './small-faces.mjs';

/** The most pixels of a photo that is decoded. */
const PIXELS_MAX = 60_000_000;
/** The longest side to which a photo is shrunk, in pixels. */
const SIDE_MAX = 1_280;
/** The least ratio of a photo's shorter side to its longer one. */
const ASPECT_MIN = 1 / 8;
/** The most faces of one photo, the largest of them. */
const FACES_MAX = 64;
/** The least score of a large face. */
const LARGE_SCORE_MIN = 0.4;
/** The least part of a photo that large faces cover together if small ones are not looked for. */
const FILLED_MIN = 0.05;
/** The shortest side of a face that is described, in pixels of the shrunken photo. */
const FACE_SIDE_MIN = 24;
/** The least part of the smaller one of two boxes that they share if they are of one face. */
const ONE_FACE_SHARE_MIN = 0.5;
/** How many faces are described at once. */
const BATCH = 8;

const { faceLandmark68Net, faceRecognitionNet, ssdMobilenetv1, tinyFaceDetector } = faceApi.nets;

/** Loads the networks. */
export const loadNetworks = () => load([ssdMobilenetv1, tinyFaceDetector, faceLandmark68Net, faceRecognitionNet]);

/**
 * Finds the faces of a photo (JPEG, PNG or WebP): each with `box` (left, top, width and height in fractions of the
 * photo), `side` (the face's shorter side in pixels) and `description` (128 numbers). Throws
 * `UnreadablePhoto`.
 */
export async function describeFaces(bytes) {
  const picture = await decoded(bytes);
  return withTensor(picture, async (image) => {
    const found = await findFaces(image, picture);
    const chips = [];
    for (const box of found) chips.push(cutFace(picture, await landmarksOf(image, box)));
    const descriptions = await describe(chips);
    return found.map(({ x, y, width, height }, number) => ({
      box: [x / picture.width, y / picture.height, width / picture.width, height / picture.height],
      side: Math.min(width, height),
      description: descriptions[number],
    }));
  });
}

/**
 * Returns the boxes of faces, in whole pixels. Small ones are looked for only where large ones do not fill the photo: it
 * takes as long again, and behind a group few are worth it.
 */
async function findFaces(image, picture) {
  const options = { minConfidence: LARGE_SCORE_MIN, maxResults: FACES_MAX };
  const large = (await ssdMobilenetv1.locateFaces(image, options)).map(({ box }) => within(box, picture));
  const area = large.reduce((sum, { width, height }) => sum + width * height, 0);
  const isFilled = area >= FILLED_MIN * picture.width * picture.height;
  const small = isFilled ? [] : await smallFaces(image, picture);
  return distinct([...large, ...small.map((box) => within(box, picture))]);
}

/** The first bytes of a JPEG, a PNG and a WebP file, as Latin-1. */
const BEGINNINGS = [/^\xff\xd8\xff/, /^\x89PNG\r\n\x1a\n/, /^RIFF.{4}WEBP/s];

/** Returns a photo as RGB bytes, upright as its EXIF data say, and shrunk. */
async function decoded(bytes) {
  // The decoder reads many other formats, which nobody needs here.
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(16, bytes.length)).toString('latin1');
  if (!BEGINNINGS.some((one) => one.test(beginning))) throw new UnreadablePhoto('it is no JPEG, PNG or WebP');
  const photo = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' }).rotate();
  const shrunk = photo.resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true });
  const raw = shrunk.flatten().toColourspace('srgb').raw();
  const { data, info } = await raw.toBuffer({ resolveWithObject: true }).catch((error) => {
    throw new UnreadablePhoto(error.message);
  });
  const { width, height } = info;
  if (Math.min(width, height) < ASPECT_MIN * Math.max(width, height)) throw new UnreadablePhoto('it is too long and narrow');
  return { data, width, height };
}

/** Returns a box as whole pixels within the picture. */
function within(box, { width, height }) {
  const [x, y] = [Math.max(0, Math.floor(box.x)), Math.max(0, Math.floor(box.y))];
  const [right, bottom] = [Math.min(width, Math.ceil(box.x + box.width)), Math.min(height, Math.ceil(box.y + box.height))];
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) };
}

/** Returns one box for each face, the largest first. Of two boxes of one face, the first counts. */
function distinct(boxes) {
  const kept = [];
  for (const box of boxes) {
    const isLarge = Math.min(box.width, box.height) >= FACE_SIDE_MIN;
    if (isLarge && !kept.some((other) => share(box, other) >= ONE_FACE_SHARE_MIN)) kept.push(box);
  }
  return kept.sort((one, other) => other.width * other.height - one.width * one.height).slice(0, FACES_MAX);
}

/** Returns which part of the smaller one of two boxes they share. */
function share(one, other) {
  const along = (start, length, otherStart, otherLength) =>
    Math.max(0, Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart));
  const area = along(one.x, one.width, other.x, other.width) * along(one.y, one.height, other.y, other.height);
  return area / Math.min(one.width * one.height, other.width * other.height);
}

/** Returns the 68 landmarks of the face in a box, in pixels of the photo. */
async function landmarksOf(image, { x, y, width, height }) {
  const part = tf.slice3d(image, [y, x, 0], [height, width, 3]);
  try {
    const { positions } = await faceLandmark68Net.detectLandmarks(part);
    return positions.map((point) => [point.x + x, point.y + y]);
  } finally {
    part.dispose();
  }
}

/** Returns the description of each cut-out face: the mean of those of the face and of its mirror image. */
async function describe(chips) {
  const descriptions = [];
  for (let from = 0; from < chips.length; from += BATCH) {
    const batch = chips.slice(from, from + BATCH);
    const inputs = [...batch, ...batch.map(mirrored)].map((chip) => tf.tensor3d(chip, [CHIP_SIDE, CHIP_SIDE, 3]));
    const outputs = await faceRecognitionNet.computeFaceDescriptor(inputs);
    inputs.forEach((input) => input.dispose());
    batch.forEach((_, number) => {
      const mirror = outputs[batch.length + number];
      descriptions.push(outputs[number].map((value, place) => (value + mirror[place]) / 2));
    });
  }
  return descriptions;
}
