// Cuts faces out of a picture, turned and scaled as the network that describes them was trained to see them.

/** The side of a cut-out face, in pixels. */
export const CHIP_SIDE = 150;

/**
 * Where the corners of the eyes and the base of the nose lie in a cut-out face, in fractions of its side.
 * Source: dlib 19.24 `image_transforms/interpolation.h`, `get_face_chip_details` for five landmarks with padding 0.25.
 */
const TEMPLATE = [
  [0.8595674595992, 0.2134981538014],
  [0.6460604764104, 0.2289674387677],
  [0.1205750620789, 0.2137274526848],
  [0.3340850613712, 0.2290642403242],
  [0.4901123135679, 0.6277975316475],
].map((point) => point.map((place) => ((0.25 + place) / 1.5) * CHIP_SIDE));

/** The numbers of these five points among the 68 landmarks of a face. */
const OF_68 = [45, 42, 36, 39, 33];

/** The most samples of a pixel in each direction, for faces that are larger than their cut-out. */
const SAMPLES_MAX = 6;

/**
 * Returns the face with these 68 landmarks `[x, y]`, in pixels, as the RGB values (0 to 255) of a square picture of
 * `CHIP_SIDE`. Where the picture ends, the face is black. `picture` has `width`, `height` and RGB bytes as `data`.
 */
export function cutFace(picture, landmarks) {
  const turn = similarity(TEMPLATE, OF_68.map((number) => landmarks[number]));
  const perSide = Math.min(SAMPLES_MAX, Math.max(1, Math.round(Math.hypot(turn.a, turn.b))));
  const chip = new Float32Array(CHIP_SIDE * CHIP_SIDE * 3);
  let at = 0;
  for (let y = 0; y < CHIP_SIDE; y += 1) {
    for (let x = 0; x < CHIP_SIDE; x += 1, at += 3) addSamples(picture, turn, { x, y, perSide }, chip, at);
  }
  return chip;
}

function addSamples(picture, { a, b, left, top }, { x, y, perSide }, chip, at) {
  const weight = 1 / (perSide * perSide);
  for (let row = 0; row < perSide; row += 1) {
    const v = y + (row + 0.5) / perSide - 0.5;
    for (let column = 0; column < perSide; column += 1) {
      const u = x + (column + 0.5) / perSide - 0.5;
      addPixel(picture, a * u - b * v + left, b * u + a * v + top, weight, chip, at);
    }
  }
}

/** Adds the picture's value at a point, interpolated between its four neighbours. */
function addPixel({ data, width, height }, x, y, weight, chip, at) {
  if (x < -0.5 || y < -0.5 || x > width - 0.5 || y > height - 0.5) return;
  const [inX, inY] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
  const [column, row] = [Math.floor(inX), Math.floor(inY)];
  const [ofX, ofY] = [inX - column, inY - row];
  const first = (row * width + column) * 3;
  const right = column + 1 < width ? 3 : 0;
  const below = row + 1 < height ? width * 3 : 0;
  for (let colour = 0; colour < 3; colour += 1) {
    const here = first + colour;
    const upper = data[here] * (1 - ofX) + data[here + right] * ofX;
    const lower = data[here + below] * (1 - ofX) + data[here + below + right] * ofX;
    chip[at + colour] += weight * (upper * (1 - ofY) + lower * ofY);
  }
}

/** Returns a cut-out face as its mirror image. */
export function mirrored(chip) {
  const other = new Float32Array(chip.length);
  for (let row = 0; row < CHIP_SIDE; row += 1) {
    for (let column = 0; column < CHIP_SIDE; column += 1) {
      const from = (row * CHIP_SIDE + CHIP_SIDE - 1 - column) * 3;
      other.set(chip.subarray(from, from + 3), (row * CHIP_SIDE + column) * 3);
    }
  }
  return other;
}

/**
 * Returns the turn, scale and shift that bring the points of `from` closest to those of `to`, by least squares:
 * `(x, y)` becomes `(a x - b y + left, b x + a y + top)`.
 */
export function similarity(from, to) {
  const [[fromX, fromY], [toX, toY]] = [from, to].map(centre);
  let [along, across, square] = [0, 0, 0];
  from.forEach(([pointX, pointY], number) => {
    const [x, y, u, v] = [pointX - fromX, pointY - fromY, to[number][0] - toX, to[number][1] - toY];
    along += x * u + y * v;
    across += x * v - y * u;
    square += x * x + y * y;
  });
  const [a, b] = [along / square, across / square];
  return { a, b, left: toX - a * fromX + b * fromY, top: toY - b * fromX - a * fromY };
}

const centre = (points) =>
  [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
