// Places the names of a graph so that none overlap. A name without enough space is shortened, and then left out; the
// most important come first. Pure: the caller measures texts.

/** The height of a name with the line below it, in pixels. */
export const NAME_PX = 13;
const LINE_PX = 16;
const GAP_PX = 3;
/** The gap between two names, and between a name and the rim. */
const BESIDE_PX = 3;
/**
 * If the square that is each person's share of the space has a shorter side than this, in pixels, only the ends, the
 * chain, the person pointed at and the people beside the middle are named.
 */
const ROOM_FOR_NAME_PX = 95;
/** The numbers of letters to which a name is shortened, tried in order. */
const LETTERS = [26, 16, 11, 7];
const SIDES = ['below', 'above', 'right', 'left'];

/**
 * `[{id, text, x, top, width, side}]` for the nodes `{x, y, person}` whose names fit; `x` is the name's middle.
 * `measure` returns a text's width, `radiusOf` a node's radius; `before` is the last call's result, so that a name
 * keeps its side while the graph moves.
 */
export function placeNames(nodes, { width, height, measure, radiusOf, pointed = null, before = [] }) {
  const isRoomy = Math.sqrt((width * height) / Math.max(1, nodes.length)) > ROOM_FOR_NAME_PX;
  const sides = new Map(before.map(({ id, side }) => [id, side]));
  const circles = nodes.map((node) => ({ node, box: boxAround(node, radiusOf(node)) }));
  const placed = [];
  for (const node of byWeight(nodes, pointed, isRoomy)) {
    const given = { width, height, measure, radius: radiusOf(node), side: sides.get(node.person.id) };
    const spot = spotFor(node, { ...given, placed, circles });
    if (spot) placed.push(spot);
  }
  return placed;
}

const weightOf = ({ id, end, isOnPath, isSearched, isNear }, pointed) =>
  (id === pointed ? 8 : 0) + (end ? 4 : 0) + (isOnPath ? 2 : 0) + (isSearched || isNear ? 1 : 0);

/** Sorts the people to name by importance, the most important first; equally important ones keep their order. */
function byWeight(nodes, pointed, isRoomy) {
  const weighed = nodes.map((node) => ({ node, weight: weightOf(node.person, pointed) }));
  const named = weighed.filter(({ weight }) => isRoomy || weight > 0);
  return named.sort((one, other) => other.weight - one.weight).map(({ node }) => node);
}

/** The first place that covers neither a name nor a person, or else one that covers no name. */
function spotFor(node, { width, height, measure, radius, side, placed, circles }) {
  const isFree = ({ box }) => isWithin(box, width, height) && !placed.some((one) => overlap(one.box, box));
  const liesOn = ({ box }) => circles.some((other) => other.node !== node && overlap(other.box, box));
  let second = null;
  for (const letters of LETTERS) {
    const text = shortened(node.person.name, letters);
    const size = measure(text);
    for (const one of sidesOf(node, side)) {
      const spot = { ...at(node, one, radius, size, width), id: node.person.id, text, width: size, side: one };
      if (!isFree(spot)) continue;
      if (!liesOn(spot)) return spot;
      second ??= spot;
    }
    if ([...node.person.name].length <= LETTERS.at(-1)) break;
  }
  return second;
}

/** The sides of a person on which a name may be, in order. Along a chain, names alternate below and above. */
function sidesOf({ person }, side) {
  const first = side ?? (person.step % 2 === 1 ? 'above' : 'below');
  return [first, ...SIDES.filter((one) => one !== first)];
}

function at({ x, y }, side, radius, size, width) {
  const half = size / 2;
  const beside = radius + GAP_PX + half;
  const middle = { below: x, above: x, right: x + beside, left: x - beside }[side];
  const top = { below: y + radius + GAP_PX, above: y - radius - GAP_PX - LINE_PX }[side] ?? y - LINE_PX / 2;
  // A name above or below its person may be a little to the side.
  const isOver = side === 'below' || side === 'above';
  const nearest = Math.min(Math.max(middle, half + BESIDE_PX), Math.max(half + BESIDE_PX, width - half - BESIDE_PX));
  const own = isOver ? nearest : middle;
  const box = { left: own - half - BESIDE_PX / 2, right: own + half + BESIDE_PX / 2, top, bottom: top + LINE_PX };
  return { x: own, top, box };
}

const boxAround = ({ x, y }, radius) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });
const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const isWithin = ({ left, right, top, bottom }, width, height) =>
  left >= 0 && right <= width && top >= 0 && bottom <= height;

function shortened(name, most) {
  const letters = [...name];
  return letters.length > most ? `${letters.slice(0, most - 1).join('').trimEnd()}…` : name;
}
