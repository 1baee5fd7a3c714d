// Draws a laid out graph: lines as thick as they are sure, guesses and hints dashed, faces where there are photos.

import { NAME_PX, placeNames } from './graph-names.js';

/** Thinner than this nobody sees; the surest link has the other. */
const LINE_PX = [1, 5];
const DASHES = { guess: [4, 4], hint: [2, 4] };

/** What is only in the background is drawn so faintly: as one, so that a thousand lines make no shadow. */
const FAINT = 0.3;

/** Half the width of a person, in pixels. In a crowd all are small who are not beside the one in the middle. */
export function radiusOf({ end, isOnPath, isNear, isFar }, count) {
  if (end || isOnPath) return 18;
  return isFar || (count > 60 && !isNear) ? 5 : 13;
}

/**
 * Draws into a canvas's context; gives where the names stand, for the next time. `colors` are
 * `{ink, soft, mark, paper}`, `faces` pictures by id, `pointed` the id of who is pointed at, or null.
 */
export function drawGraph(context, { width, height, nodes, links }, { colors, faces, pointed, font, before }) {
  context.clearRect(0, 0, width, height);
  const isFar = ({ link }) => link.kind === 'far' && link.from !== pointed && link.to !== pointed;
  drawFar(context, links.filter(isFar), colors);
  for (const one of links) if (!isFar(one)) drawLink(context, one, colors, pointed);
  const isBehind = ({ person }) => person.isFar && person.id !== pointed;
  drawCrowd(context, nodes.filter(isBehind), colors, nodes.length);
  for (const node of nodes) {
    if (isBehind(node)) continue;
    drawPerson(context, node, { colors, face: faces.get(node.person.id), count: nodes.length });
  }
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

function drawFar(context, links, colors) {
  context.strokeStyle = colors.soft;
  context.globalAlpha = FAINT;
  context.lineWidth = LINE_PX[0];
  context.beginPath();
  for (const { source, target } of links) {
    context.moveTo(source.x, source.y);
    context.lineTo(target.x, target.y);
  }
  context.stroke();
  context.globalAlpha = 1;
}

/** All in one, too: there may be a thousand. */
function drawCrowd(context, nodes, colors, count) {
  context.fillStyle = colors.soft;
  context.beginPath();
  for (const { x, y, person } of nodes) {
    const radius = radiusOf(person, count) - 1;
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  context.fill();
}

function drawLink(context, { link, source, target }, colors, pointed) {
  const { kind, confidence } = link;
  const isPointed = pointed !== null && [link.from, link.to].includes(pointed);
  context.strokeStyle = kind === 'path' || isPointed ? colors.mark : colors.soft;
  context.globalAlpha = kind === 'path' || isPointed ? 1 : 0.55;
  context.lineWidth = confidence === null ? LINE_PX[0] : thickness(confidence);
  context.setLineDash(DASHES[kind] ?? []);
  context.beginPath();
  context.moveTo(source.x, source.y);
  context.lineTo(target.x, target.y);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** From 50 %, the least that a run may accept, to 100 %. */
function thickness(confidence) {
  const part = Math.min(1, Math.max(0, ((confidence ?? 50) - 50) / 50));
  return LINE_PX[0] + part * part * (LINE_PX[1] - LINE_PX[0]);
}

function drawPerson(context, { x, y, person }, { colors, face, count }) {
  const radius = radiusOf(person, count);
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = person.isSeen ? colors.soft : colors.paper;
  context.fill();
  if (face) context.drawImage(face, x - radius, y - radius, 2 * radius, 2 * radius);
  context.strokeStyle = person.end || person.isOnPath ? colors.mark : colors.paper;
  context.lineWidth = 2;
  if (!person.isSeen) {
    context.strokeStyle = colors.soft;
    context.setLineDash([3, 3]);
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
