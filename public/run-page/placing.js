// Orders the items in the rows of a drawing so that few lines cross, and places them from left to right: as near to
// their connected items as their neighbours allow. Pure.

const SWEEPS = 8;
const PASSES = 12;
const ROUNDS = 4;
const GAP_PX = 24;

/**
 * `rows` are lists of items `{at, row, width, left}` (`left`: reserved space beside the item); `links` are `{upper,
 * lower, upperAside, lowerAside, weight, isSilent}`, from one row to the next. Orders the rows in place and sets each
 * item's `x`, its middle.
 */
export function place(rows, links) {
  for (const row of rows) for (const item of row) Object.assign(item, { above: [], below: [] });
  for (const { upper, lower, upperAside = 0, lowerAside = 0, weight, isSilent = false } of links) {
    const isLine = !isSilent && upperAside === 0 && lowerAside === 0;
    upper.below.push({ item: lower, aside: lowerAside - upperAside, weight, isLine });
    lower.above.push({ item: upper, aside: upperAside - lowerAside, weight, isLine });
  }
  order(rows);
  for (const row of rows) pack(row);
  for (let pass = 0; pass < PASSES; pass += 1) align(rows, pass);
  const found = columns(rows);
  // A column that is straightened frees space, which may help another one, so there are several rounds.
  for (let round = 0; round < ROUNDS; round += 1) for (const column of found) straighten(column, rows);
}

/** Chains of items in consecutive rows that have no other links, so that each chain may form a straight line. */
function columns(rows) {
  const taken = new Set();
  const found = [];
  for (const item of rows.flat()) {
    const column = [];
    for (let next = item; next && !taken.has(next); next = onlyBelow(next)) {
      taken.add(next);
      column.push(next);
    }
    if (column.length > 1) found.push(column);
  }
  // The longest columns come first, since their bends are the most visible.
  return found.sort((one, other) => other.length - one.length);
}

function onlyBelow(item) {
  const [link, more] = item.below.filter(({ weight, aside }) => weight > 1 && aside === 0);
  if (!link || more) return null;
  const coming = link.item.above.filter(({ weight, aside }) => weight > 1 && aside === 0);
  return coming.length === 1 ? link.item : null;
}

/** Moves a column to its mean position, as far as its neighbours allow. */
function straighten(column, rows) {
  let [least, most] = [-Infinity, Infinity];
  for (const item of column) {
    const row = rows[item.row];
    const [before, after] = [row[item.at - 1], row[item.at + 1]];
    if (before) least = Math.max(least, before.x + apart(before, item));
    if (after) most = Math.min(most, after.x - apart(item, after));
  }
  if (least > most) return;
  const x = Math.min(most, Math.max(least, mean(column.map((item) => item.x), 0)));
  for (const item of column) item.x = x;
}

/** Moves each item to the mean of its connected items; keeps the best order found. */
function order(rows) {
  number(rows);
  let best = rows.map((row) => [...row]);
  let fewest = crossings(rows);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const side = isDown ? 'above' : 'below';
    for (const row of isDown ? rows : [...rows].reverse()) {
      const middle = new Map(row.map((item) => [item, mean(item[side].map((one) => one.item.at), item.at)]));
      row.sort((one, other) => middle.get(one) - middle.get(other) || one.at - other.at);
      number([row]);
    }
    const now = crossings(rows);
    if (now >= fewest) continue;
    fewest = now;
    best = rows.map((row) => [...row]);
  }
  rows.forEach((row, i) => row.splice(0, row.length, ...best[i]));
  number(rows);
}

function number(rows) {
  for (const row of rows) {
    row.forEach((item, at) => {
      item.at = at;
    });
  }
}

function crossings(rows) {
  let sum = 0;
  for (const row of rows) {
    const lines = row.flatMap((item) => item.below.map((one) => [item.at, one.item.at]));
    for (let i = 0; i < lines.length; i += 1) {
      for (let j = i + 1; j < lines.length; j += 1) {
        if ((lines[i][0] - lines[j][0]) * (lines[i][1] - lines[j][1]) < 0) sum += 1;
      }
    }
  }
  return sum;
}

const apart = (one, other) => one.width / 2 + GAP_PX + other.left + other.width / 2;

function pack(row) {
  row.forEach((item, i) => {
    item.x = i === 0 ? 0 : row[i - 1].x + apart(row[i - 1], item);
  });
}

/** Aligns the rows downwards, then upwards, and finally by both neighbouring rows. */
function align(rows, pass) {
  const isLast = pass >= PASSES - 2;
  const sides = isLast ? ['above', 'below'] : [pass % 2 === 0 ? 'above' : 'below'];
  for (const row of pass % 2 === 0 ? rows : [...rows].reverse()) {
    const wanted = row.map((item) => {
      const joined = sides.flatMap((side) => item[side]);
      const weight = joined.reduce((sum, one) => sum + one.weight, 0);
      const sum = joined.reduce((all, one) => all + one.weight * (one.item.x + one.aside), 0);
      return { x: weight > 0 ? sum / weight : item.x, weight: Math.max(weight, 0.1) };
    });
    settle(row, wanted);
  }
}

/**
 * The positions nearest to the wanted ones (least squares) with this order and spacing: items that collide form a block
 * at their mean.
 */
function settle(row, wanted) {
  const offsets = [];
  row.forEach((item, i) => offsets.push(i === 0 ? 0 : offsets[i - 1] + apart(row[i - 1], item)));
  const blocks = [];
  wanted.forEach(({ x, weight }, i) => {
    blocks.push({ x: x - offsets[i], weight, count: 1 });
    while (blocks.length > 1 && blocks.at(-2).x > blocks.at(-1).x) {
      const [last, before] = [blocks.pop(), blocks.pop()];
      const sum = last.weight + before.weight;
      const middle = (last.x * last.weight + before.x * before.weight) / sum;
      blocks.push({ x: middle, weight: sum, count: last.count + before.count });
    }
  });
  let at = 0;
  for (const { x, count } of blocks) {
    for (let i = 0; i < count; i += 1, at += 1) row[at].x = x + offsets[at];
  }
}

const mean = (values, otherwise) =>
  values.length === 0 ? otherwise : values.reduce((sum, value) => sum + value, 0) / values.length;
