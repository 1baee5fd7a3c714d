// Draws a graph that is laid out: surer lines are thicker, guesses and hints are dashed, and people with photos have
// faces.

import { NAME_PX, placeNames } from './graph-names.js';
import { RING_PX } from './graph-stamps.js';

/** The width of the thinnest lines, and of the line of a link with a confidence of 100 %, in pixels. */
const LINE_PX = [1, 5];
const DASHES = { guess: [4, 4], hint: [2, 4] };
const UNSEEN = [3, 3];

/**
 * The opacity of lines far from the middle. They are drawn as one shape, so that a thousand of them do not add up to a
 * shadow.
 */
const FAINT = 0.3;

/** The number of lines above which a slow device draws them thin while they move. */
const LINES_MANY = 500;
/**
 * The opacity of thin lines. It is higher than that of other lines, so a crowd of thin lines is about as dark as one of
 * normal lines.
 */
const THIN = 0.85;

/** Half the width of a person in a crowd, in pixels. */
const SMALL_PX = 5;

/** Half the width of a person, in pixels. In a crowd, all who are not next to the person in the middle are small. */
export function radiusOf({ end, isOnPath, isNear, isFar }, count) {
  if (end || isOnPath) return 18;
  return isFar || (count > 60 && !isNear) ? SMALL_PX : 13;
}

/**
 * Draws into a canvas's context; returns the places of the names, for the next call. `colors` are `{ink, soft, mark,
 * paper}`, `faces` pictures by id, `stamps` those of small people, `pointed` the id of the person pointed at, or null.
 * `isHasty` if the next frame follows immediately.
 */
export function drawGraph(context, { width, height, nodes, links }, given) {
  const { colors, pointed, font, before } = given;
  context.clearRect(0, 0, width, height);
  const { a: scale } = context.getTransform();
  drawLines(context, links, scale, given);
  drawPeople(context, nodes, scale, given);
  context.font = `${NAME_PX}px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  const names = placeNames(nodes, {
    width,
    height,
    measure: (name) => context.measureText(name).width,
    radiusOf: ({ person }) => radiusOf(person, nodes.length),
    pointed,
    before,
  });
  const people = new Map(nodes.map(({ person }) => [person.id, person]));
  for (const name of names) drawName(context, name, people.get(name.id), colors);
  return names;
}

function drawLines(context, links, scale, { colors, pointed, isHasty }) {
  const isOf = (kind) => ({ link }) => link.kind === kind && link.from !== pointed && link.to !== pointed;
  const isFar = isOf('far');
  drawAsOne(context, links.filter(isFar), { color: colors.soft, width: LINE_PX[0], alpha: FAINT });
  const isThin = isHasty && links.length > LINES_MANY ? isOf('proven') : () => false;
  // Only lines of one device pixel are drawn fast by browsers.
  drawAsOne(context, links.filter(isThin), { color: colors.soft, width: 1 / scale, alpha: THIN });
  for (const one of links) if (!isFar(one) && !isThin(one)) drawLink(context, one, colors, pointed);
}

function drawPeople(context, nodes, scale, { colors, faces, stamps, pointed }) {
  const small = stamps.of({ radius: SMALL_PX, fill: colors.soft, ring: colors.paper }, scale);
  const behind = stamps.of({ radius: SMALL_PX - 1, fill: colors.soft, ring: null }, scale);
  const isBehind = ({ person }) => person.isFar && person.id !== pointed;
  for (const node of nodes) if (isBehind(node)) behind(context, node);
  for (const node of nodes) {
    if (isBehind(node)) continue;
    drawPerson(context, node, { colors, small, face: faces.get(node.person.id), count: nodes.length });
  }
}

function drawAsOne(context, links, { color, width, alpha }) {
  if (links.length === 0) return;
  context.strokeStyle = color;
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.beginPath();
  for (const { source, target } of links) {
    context.moveTo(source.x, source.y);
    context.lineTo(target.x, target.y);
  }
  context.stroke();
  context.globalAlpha = 1;
}

function drawLink(context, { link, source, target }, colors, pointed) {
  const { kind, confidence } = link;
  const isPointed = pointed !== null && [link.from, link.to].includes(pointed);
  context.strokeStyle = kind === 'path' || isPointed ? colors.mark : colors.soft;
  context.globalAlpha = kind === 'path' || isPointed ? 1 : 0.55;
  context.lineWidth = confidence === null ? LINE_PX[0] : thickness(confidence);
  const dashes = DASHES[kind];
  if (dashes) context.setLineDash(dashes);
  context.beginPath();
  context.moveTo(source.x, source.y);
  context.lineTo(target.x, target.y);
  context.stroke();
  if (dashes) context.setLineDash([]);
  context.globalAlpha = 1;
}

/** The width of the line for a confidence from 50 %, the lowest threshold of a run, to 100 %. */
function thickness(confidence) {
  const part = Math.min(1, Math.max(0, ((confidence ?? 50) - 50) / 50));
  return LINE_PX[0] + part * part * (LINE_PX[1] - LINE_PX[0]);
}

/** Most people of a crowd look the same: `small` stamps one of them. */
function drawPerson(context, node, { colors, small, face, count }) {
  const { x, y, person } = node;
  const radius = radiusOf(person, count);
  if (radius === SMALL_PX && person.isSeen && !face) {
    small(context, node);
    return;
  }
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = person.isSeen ? colors.soft : colors.paper;
  context.fill();
  if (face) context.drawImage(face, x - radius, y - radius, 2 * radius, 2 * radius);
  context.strokeStyle = person.end || person.isOnPath ? colors.mark : colors.paper;
  context.lineWidth = RING_PX;
  if (!person.isSeen) {
    context.strokeStyle = colors.soft;
    context.setLineDash(UNSEEN);
  }
  context.stroke();
  context.setLineDash([]);
}

function drawName(context, { text, x, top }, { isSeen }, colors) {
  context.lineWidth = 3;
  context.strokeStyle = colors.paper;
  context.strokeText(text, x, top);
  context.fillStyle = isSeen ? colors.ink : colors.soft;
  context.fillText(text, x, top);
}
