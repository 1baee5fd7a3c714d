// Lays a graph out from top to bottom: cards in rows, labels between them, edges that lead back at the left. The
// positions in the file are ignored, since in most workflows they are all zero. Pure: a graph in, numbers out.

import { grouped, layers } from './layers.js';
import { place } from './placing.js';

export const CARD = { width: 208, height: 76 };
const LABEL = { height: 22, widthMax: 160, charPx: 7.8, aroundPx: 24 };
const BEND = { width: 10, height: 0 };
/** The space next to a card for each line that leads back to or from it, in pixels. */
const RETURN_PX = 26;
const MARGIN_PX = 20;
/** How strongly each kind of line is straightened. */
const [SPINE, LONG, ASIDE] = [4, 8, 0.2];
const ROW_GAP_PX = 30;
const LABEL_GAP_PX = 12;
/** The gaps and total widths of lines side by side at a card. */
const PORTS = { out: { gap: 44, all: 170 }, in: { gap: 16, all: 120 } };
/**
 * The most cards of a graph that is drawn. A larger graph is shown as a list, since a drawing would be unreadable and
 * slow.
 */
export const NODES_DRAWN_MAX = 500;
const ITEMS_MAX = 8_000;

/**
 * `{width, height, cards, edges, rows}` of a graph from `graphOf`, or null if it is too large to draw. A card is `{id,
 * x, y}` (its upper left corner), an edge `{key, points, label, isBack}`, a row the ids from left to right.
 */
export function layoutOf(graph) {
  if (graph.nodes.length > NODES_DRAWN_MAX) return null;
  const layered = layers(graph);
  const { back } = layered;
  const drawing = itemsOf(graph, layered);
  if (!drawing) return null;
  const { rows, links, chains } = drawing;
  place(rows, links);
  const heights = setHeights(rows);
  const left = Math.min(...rows.flat().map(({ x, width, left: room }) => x - width / 2 - room));
  for (const item of rows.flat()) item.x += MARGIN_PX - left;
  const edges = graph.edges.map((edge) => route(edge, chains.get(edge.key), back.has(edge.key) ? rows : null));
  const ordered = rows.map((row) => row.filter(({ id }) => id));
  return {
    width: Math.max(...rows.flat().map(({ x, width }) => x + width / 2)) + MARGIN_PX,
    height: heights + MARGIN_PX,
    cards: ordered.flat().map(({ id, x, top }) => ({ id, x: Math.round(x - CARD.width / 2), y: top })),
    edges,
    rows: ordered.map((row) => row.map(({ id }) => id)).filter((row) => row.length > 0),
  };
}

/** An item for each card, and for each edge its label and a bend in every row between. */
function itemsOf({ nodes, edges }, { rows: rowOf, back, steps, held }) {
  const cards = new Map(nodes.map(({ id }) => [id, { id, row: rowOf.get(id), ...CARD, left: 0 }]));
  const rows = Array.from({ length: Math.max(...rowOf.values()) + 1 }, () => []);
  const edgeOf = new Map(edges.map((edge) => [edge.key, edge]));
  const returns = edges.filter(({ key }) => back.has(key));
  const beside = held.filter(({ from, to }) => rowOf.get(to) === rowOf.get(from) + 1);
  const links = beside.map(({ from, to }) => (
    { upper: cards.get(from), lower: cards.get(to), weight: SPINE, isSilent: true }
  ));
  const chains = new Map();
  const leaving = grouped(edges.filter(({ key }) => !back.has(key)), ({ from }) => from);
  let left = ITEMS_MAX;
  const chain = (edge) => {
    const made = back.has(edge.key) ? returnChain(edge, cards) : downChain(edge, cards, weightOf(edge, leaving));
    for (const item of made.between) rows[item.row].push(item);
    links.push(...made.links);
    chains.set(edge.key, made);
    left -= made.between.length + 1;
  };
  for (const { node, edge } of steps) {
    if (left < 0) return null;
    if (node) {
      rows[rowOf.get(node)].push(cards.get(node));
      // The line of an edge that leads back goes up at the left of the nodes below this one, so it comes before them.
      returns.filter((one) => upper(one, cards).id === node).forEach(chain);
    } else if (!back.has(edge)) chain(edgeOf.get(edge));
  }
  return { rows, links, chains };
}

/** The higher end of an edge, which is usually the target of an edge that leads back. */
const upper = ({ from, to }, cards) => (cards.get(from).row < cards.get(to).row ? cards.get(from) : cards.get(to));

function downChain({ from, to, label }, cards, weight) {
  const [source, target] = [cards.get(from), cards.get(to)];
  const between = [];
  for (let row = source.row + 1; row < target.row; row += 1) {
    const isLabel = label !== '' && row === source.row + 1;
    between.push(isLabel ? { row, label, ...labelSize(label), left: 0 } : { row, ...BEND, left: 0 });
  }
  const all = [source, ...between, target];
  const links = all.slice(1).map((lower, i) => (
    { upper: all[i], lower, weight: straightness(all[i], lower, weight) }
  ));
  return { source, target, between, links };
}

function returnChain({ from, to }, cards) {
  const [source, target] = [cards.get(from), cards.get(to)];
  const [high, low] = source.row < target.row ? [source, target] : [target, source];
  const asides = [];
  for (const card of high === low ? [high] : [high, low]) {
    card.left += RETURN_PX;
    asides.push(-card.width / 2 - card.left);
  }
  const between = [];
  for (let row = high.row + 1; row < low.row; row += 1) between.push({ row, ...BEND, left: 0 });
  const all = [high, ...between, low];
  const links = all.slice(1).map((lower, i) => ({
    upper: all[i],
    lower,
    upperAside: all[i] === high ? asides[0] : 0,
    lowerAside: lower === low ? (asides[1] ?? 0) : 0,
    weight: between.length > 0 ? straightness(all[i], lower) / 2 : 0,
  }));
  return { source, target, high, low, between, links, asides };
}

/** How strongly a line is straightened: a long one more than others. */
const straightness = (one, other, weight = 1) => (one.id || other.id ? weight : LONG);

/**
 * How strongly a line is straightened by its meaning. The next node or a loop's body goes straight down; the rest goes
 * to the side.
 */
const weightOf = ({ from, output }, leaving) => {
  if (output === 'LoopDone') return ASIDE;
  return leaving.get(from).length === 1 || output === 'LoopBody' ? SPINE : 1;
};

function labelSize(label) {
  const width = Math.min(LABEL.widthMax, LABEL.aroundPx + LABEL.charPx * [...label].length);
  return { width, height: LABEL.height };
}

function setHeights(rows) {
  let top = MARGIN_PX;
  rows.forEach((row, i) => {
    const height = Math.max(0, ...row.map((item) => item.height));
    for (const item of row) Object.assign(item, { top, bottom: top + height, middle: top + height / 2 });
    const isBesideLabels = [row, rows[i + 1] ?? []].some((one) => one.length > 0 && one.every(({ id }) => !id));
    top += height + (isBesideLabels ? LABEL_GAP_PX : ROW_GAP_PX);
  });
  const last = rows.at(-1);
  return Math.max(...last.map(({ bottom }) => bottom));
}

/** The corners of a line, and the place of its label. Only a line that leads back gets `rows`. */
function route({ key, label }, chain, rows) {
  const { source, target, between } = chain;
  if (rows) return { key, isBack: true, points: aroundTheSide(chain, rows), label: null };
  const first = between[0] ?? target;
  const last = between.at(-1) ?? source;
  const points = [
    { x: source.x + port(source, 'below', first, PORTS.out), y: source.top + CARD.height },
    ...between.flatMap(({ x, top, bottom }) => [{ x, y: top }, { x, y: bottom }]),
    { x: target.x + port(target, 'above', last, PORTS.in), y: target.top },
  ];
  const sign = between.find((item) => item.label);
  const shown = sign ? { text: label, x: sign.x, y: sign.middle, width: sign.width } : null;
  return { key, isBack: false, points: points.map(rounded), label: shown };
}

/** The x-position of a line at a card; lines are side by side in the order of their other ends. */
function port(card, side, neighbour, { gap, all }) {
  const own = card[side].filter(({ isLine }) => isLine).map(({ item }) => item).sort((one, other) => one.x - other.x);
  const at = own.indexOf(neighbour);
  return at < 0 ? 0 : (at - (own.length - 1) / 2) * Math.min(gap, all / own.length);
}

/**
 * The corners of a line that leads back. It leaves its card at the left, goes straight to its bends if no card is in
 * the way, and passes beside all that lies between.
 */
function aroundTheSide({ source, target, high, low, between, asides }, rows) {
  const middle = (card, shift) => ({ x: card.x - card.width / 2, y: card.top + CARD.height / 2 + shift });
  const [from, to] = [middle(source, 8), middle(target, source === target ? -14 : -4)];
  const beside = new Map([[high, high.x + asides[0]], [low, low.x + (asides[1] ?? asides[0])]]);
  for (const [card, bend] of [[high, between[0]], [low, between.at(-1)]]) {
    const isFree = bend && rows[card.row].every(({ x }) => x >= card.x || x < bend.x - CARD.width);
    if (isFree) beside.set(card, Math.min(beside.get(card), bend.x));
  }
  const bends = source === low ? [...between].reverse() : between;
  const corners = bends.flatMap(({ x, top, bottom }) =>
    (source === low ? [{ x, y: bottom }, { x, y: top }] : [{ x, y: top }, { x, y: bottom }]));
  const [out, into] = [{ x: beside.get(source), y: from.y }, { x: beside.get(target), y: to.y }];
  return [from, out, ...corners, into, to].map(rounded);
}

const rounded = ({ x, y }) => ({ x: Math.round(x), y: Math.round(y) });
