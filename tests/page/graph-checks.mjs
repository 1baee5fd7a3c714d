// What holds for every drawn result.

import assert from 'node:assert/strict';

/** A phone, a tablet and a desk; the graph is as wide as the page at most. */
export const WIDTHS_PX = [350, 780, 1_100];
/** 22 rem, as graph.css has it. */
export const GRAPH_HEIGHT_PX = 352;
/** The height of the letters of a name. */
const NAME_PX = 13;

/** No name lies on another, and each is within the graph. */
export function assertNamesApart(names, width, which) {
  names.forEach((one, i) => {
    assert.ok(one.x - one.width / 2 >= 0 && one.x + one.width / 2 <= width, `${which}: ${one.text} is cut off`);
    assert.ok(one.top >= 0 && one.top + NAME_PX <= GRAPH_HEIGHT_PX, `${which}: ${one.text} is cut off`);
    for (const other of names.slice(0, i)) {
      const isApart = Math.abs(one.x - other.x) >= (one.width + other.width) / 2
        || Math.abs(one.top - other.top) >= NAME_PX;
      assert.ok(isApart, `${which}: “${one.text}” lies on “${other.text}”`);
    }
  });
}

/** No line of the chain passes through somebody who is not on it. */
export function assertClearChain({ nodes, links }, radiusOf, which) {
  const chain = links.filter(({ link }) => link.kind === 'path');
  const others = nodes.filter(({ person }) => !person.isOnPath && !person.end);
  for (const { source, target } of chain) {
    for (const node of others) {
      const away = distance(source, target, node);
      assert.ok(away > radiusOf(node), `${which}: the chain passes through ${node.person.name}`);
    }
  }
}

/** From a point to a line between two others. */
function distance(from, to, { x, y }) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(from.x + part * dx - x, from.y + part * dy - y);
}
