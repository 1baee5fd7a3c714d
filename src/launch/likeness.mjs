// The order of functions in which they compress best. What compresses a module finds again what stood in the last
// 32 kB: a function costs little where those that are most like it are near. Bytes are alike where the same few of
// them follow one another; a function that shares such pieces with those before it comes next.

/** The bytes of a piece: shorter ones are found everywhere, longer ones in copies alone. */
const PIECE_BYTES = 6;
/** A little less than what gzip looks back at. */
const WINDOW_BYTES = 32_000;
/** A piece that more functions have than these is always near, and says nothing. */
const FUNCTIONS_MAX = 1_500;
/** What a piece counts that one function has; one that more have counts less. */
const PIECE_WEIGHT = 1_024;
/**
 * How much a function's size counts against it. With 1 its share of known pieces would decide, and short functions
 * would come first; with 0 their number, and long ones would.
 */
const SIZE_COUNTS = 0.65;

/** The places of `bodies` in the order in which they compress best, the same for the same bodies. */
export function orderByLikeness(bodies) {
  const { piecesOf, functionsWith } = sharedPieces(bodies);
  const weights = functionsWith.map(({ length }) => Math.round(PIECE_WEIGHT / Math.sqrt(length)));
  const costs = Float64Array.from(bodies, ({ length }) => (length + 8) ** SIZE_COUNTS);
  const known = new Float64Array(bodies.length);
  const timesNear = new Uint32Array(functionsWith.length);
  const change = (piece, sign) => {
    for (const one of functionsWith[piece]) known[one] += sign * weights[piece];
  };
  const left = new Set(bodies.keys());
  const order = [];
  let near = 0;
  let nearBytes = 0;
  while (left.size > 0) {
    const next = likest(left, known, costs);
    left.delete(next);
    order.push(next);
    nearBytes += bodies[next].length;
    for (const piece of piecesOf[next]) if (timesNear[piece]++ === 0) change(piece, 1);
    for (; nearBytes > WINDOW_BYTES && near < order.length - 1; near += 1) {
      const past = order[near];
      nearBytes -= bodies[past].length;
      for (const piece of piecesOf[past]) if (--timesNear[piece] === 0) change(piece, -1);
    }
  }
  return order;
}

function likest(left, known, costs) {
  let best = -1;
  let most = -1;
  for (const one of left) {
    const likeness = known[one] / costs[one];
    if (likeness > most) [best, most] = [one, likeness];
  }
  return best;
}

/** The pieces that several functions have, by numbers: those of each function, and the functions with each. */
function sharedPieces(bodies) {
  const functionsByPiece = new Map();
  for (const [place, body] of bodies.entries()) {
    for (const piece of piecesIn(body)) {
      const found = functionsByPiece.get(piece);
      if (found === undefined) functionsByPiece.set(piece, [place]);
      else if (found.at(-1) !== place) found.push(place);
    }
  }
  const functionsWith = [...functionsByPiece.values()].filter(
    ({ length }) => length > 1 && length <= FUNCTIONS_MAX,
  );
  const piecesOf = bodies.map(() => []);
  for (const [piece, places] of functionsWith.entries()) {
    for (const place of places) piecesOf[place].push(piece);
  }
  return { piecesOf, functionsWith };
}

/** Every piece of the bytes, as a number of 48 bits. */
function* piecesIn(bytes) {
  let piece = 0;
  for (const [i, byte] of bytes.entries()) {
    piece = (piece % 256 ** (PIECE_BYTES - 1)) * 256 + byte;
    if (i >= PIECE_BYTES - 1) yield piece;
  }
}
