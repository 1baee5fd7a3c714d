// Decides whom a face is: by its distance to the portraits of the candidates, how many of them there are, and how far
// away the second best is.

/**
 * How seldom a face is at most so far from a portrait of somebody else: distances, and the chance as a power of ten.
 * Measured by `npm run bench:recogniser` on 400 pictures of 40 people, the AT&T database of faces: of three sizes of
 * faces, the one with the smallest distances. Below the last row, the line goes on down to `POWER_MIN`.
 */
const STRANGERS = [[0.6, -1.3], [0.56, -2], [0.487, -3], [0.44, -4], [0.419, -5]];

/** The smallest chance that is claimed, as a power of ten: no measurement of ours reaches that far. */
const POWER_MIN = -7;

/**
 * The chance that a stranger is taken for one of the candidates, as a power of ten, and the confidence that stands for
 * it, in percent. Between two rows, the confidence changes evenly.
 */
const CONFIDENCES = [[-1, 0], [-2, 50], [-3.5, 80], [-4.5, 90], [-6, 99], [-8, 100]];

/** How much farther than the best candidate the second best must be for a match. */
export const MARGIN_MIN = 0.05;
/** The lowest confidence that is told, in percent. Less is no match. */
export const CONFIDENCE_MIN = 50;
/** The shorter side of the smallest face that is matched, in pixels. */
export const SIDE_MIN = 40;
/** The confidences between which a second portrait of the best candidate is asked, in percent. */
const DOUBTFUL = [30, 90];

/**
 * Returns for each face its match `{ person, portrait, confidence }`, or null. `faces` have `side`, in pixels, and
 * `description`. Candidates have `number`, `portraits`, each with a `description`, and `isAsked`: whether they were asked
 * for because of this photo. The others, of the gallery, are more, so they must be more alike.
 */
export function matches(faces, candidates) {
  return faces.map((face) => {
    const { best, confidence } = nearest(face, candidates);
    return confidence >= CONFIDENCE_MIN ? { ...best, confidence } : null;
  });
}

/** Returns the candidates of whom a second portrait would decide. */
export function doubtful(faces, candidates) {
  const all = faces.map((face) => nearest(face, candidates));
  const isDoubtful = ({ confidence }) => confidence >= DOUBTFUL[0] && confidence < DOUBTFUL[1];
  return [...new Set(all.filter(isDoubtful).map(({ best }) => best.person))];
}

function nearest(face, candidates) {
  if (face.side < SIDE_MIN || candidates.length === 0) return { best: null, confidence: 0 };
  const near = candidates.map((person) => nearestPortrait(face, person));
  const [best, second] = near.sort((one, other) => one.distance - other.distance);
  if (second && second.distance - best.distance < MARGIN_MIN) return { best, confidence: 0 };
  const rivals = best.person.isAsked ? candidates.filter(({ isAsked }) => isAsked) : candidates;
  const compared = rivals.reduce((sum, { portraits }) => sum + portraits.length, 0);
  return { best, confidence: confidence(best.distance, compared) };
}

function nearestPortrait(face, person) {
  const near = person.portraits.map((portrait) => ({
    person, portrait, distance: distance(face.description, portrait.description),
  }));
  return near.reduce((one, other) => (other.distance < one.distance ? other : one));
}

/** Returns the Euclidean distance between two descriptions: 0 for the same one, mostly below 0.5 for one person. */
export function distance(one, other) {
  let sum = 0;
  for (let place = 0; place < one.length; place += 1) sum += (one[place] - other[place]) ** 2;
  return Math.sqrt(sum);
}

/** Returns the confidence of a match at a distance, in percent, where so many portraits were compared. */
export function confidence(apart, compared) {
  const power = Math.max(POWER_MIN, between(STRANGERS, apart)) + Math.log10(Math.max(1, compared));
  const [[powerMax], [powerMin]] = [CONFIDENCES[0], CONFIDENCES.at(-1)];
  return between(CONFIDENCES, Math.min(powerMax, Math.max(powerMin, power)));
}

/** Returns the value of a line through points with falling places. Beyond either end, the line goes on. */
function between(points, place) {
  const after = points.findIndex(([other]) => other <= place);
  const second = after === -1 ? points.length - 1 : Math.max(1, after);
  const [[fromPlace, from], [toPlace, to]] = points.slice(second - 1, second + 1);
  return from + ((to - from) * (place - fromPlace)) / (toPlace - fromPlace);
}
