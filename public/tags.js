// Places the names of the faces of a link in its photo: below or above a face, and never over another face if possible.
// Lengths are shares of the photo's frame.

/** The width of a letter at 12 pixels, and the sizes around a name, all in pixels. */
const LETTER_PX = 6.9;
const RIM_PX = 14;
const HEIGHT_PX = 20;
/** The gap between a face and its name. */
const GAP_PX = 9;
/** The usual width of the frame, for a frame that is collapsed and so has no width. */
const WIDTH_PX = 340;
const FRAME_RATIO = 3 / 2;
/** The cost of a name beyond the frame, or over another name: such a name cannot be read. */
const OFF = 100;
const OVER_NAME = 50;
/** The costs of the alternatives to the preferred place, below the middle of the face. */
const PREFERENCE = { above: 0.001, start: 0.0005, end: 0.0005, middle: 0 };

/**
 * `{isAbove, side}` for each of one or two `tags`, `{box, letters}`; `side` is whether the name starts ("start"), ends
 * ("end") or is centred at its face. `faces` are the boxes of all faces, `share` is the photo's part of the frame's
 * width, and `widthPx` is the width of the frame.
 */
export function placed(tags, faces, share, widthPx = WIDTH_PX) {
  const boxes = faces.map((box) => inFrame(box, share));
  const choices = tags.map((tag) => candidates(tag, share, boxes, widthPx || WIDTH_PX));
  const [first, second] = choices;
  if (!second) return first ? [least(first)] : [];
  const pairs = first.flatMap((one) =>
    second.map((other) => ({
      pair: [one, other],
      cost: one.cost + other.cost + (overlap(one.place, other.place) > 0 ? OVER_NAME : 0),
    })));
  return least(pairs).pair;
}

const least = (list) => list.reduce((best, one) => (one.cost < best.cost ? one : best));

function candidates({ box, letters }, share, boxes, widthPx) {
  const face = inFrame(box, share);
  const width = (letters * LETTER_PX + RIM_PX) / widthPx;
  const [height, gap] = [HEIGHT_PX, GAP_PX].map((px) => (px * FRAME_RATIO) / widthPx);
  return [false, true].flatMap((isAbove) =>
    ['middle', 'start', 'end'].map((side) => {
      const left = {
        start: face.left, middle: face.left + face.width / 2 - width / 2, end: face.left + face.width - width,
      }[side];
      const top = isAbove ? face.top - gap - height : face.top + face.height + gap;
      const place = { left, top, width, height };
      const covered = boxes.reduce((sum, other) => sum + overlap(place, other), 0);
      const cost = (covered > 0 ? 1 + covered : 0) + outside(place) * OFF
        + (isAbove ? PREFERENCE.above : 0) + PREFERENCE[side];
      return { isAbove, side, place, cost };
    }));
}

/** The place of a box in the frame, in which a photo in portrait format has margins on both sides. */
const inFrame = ({ left, top, width, height }, share) => ({
  left: 0.5 + (left - 0.5) * share, top, width: width * share, height,
});

/** How far a place is beyond the frame, summed over its sides. */
const outside = ({ left, top, width, height }) =>
  [-left, -top, left + width - 1, top + height - 1].reduce((sum, over) => sum + Math.max(0, over), 0);

function overlap(one, other) {
  const wide = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const high = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}
