// A line of the drawing as an SVG path, and its arrowhead. Pure.

const CORNER_PX = 10;
const HEAD_PX = 7;

/** The path of a line: downwards with rounded bends between the rows, or back along the corners at the side. */
export function pathOf({ points, isBack }) {
  return isBack ? aroundCorners(points) : downwards(points);
}

/** The corners of the arrowhead; it points down, or to the right at the end of a line back. */
export function headOf({ points, isBack }) {
  const { x, y } = points.at(-1);
  const [along, across] = [HEAD_PX, HEAD_PX * 0.6];
  if (isBack) return `M${x} ${y}l${-along} ${-across}v${2 * across}z`;
  return `M${x} ${y}l${-across} ${-along}h${2 * across}z`;
}

function downwards(points) {
  return points.slice(1).reduce((path, { x, y }, i) => {
    const before = points[i];
    if (x === before.x) return `${path}V${y}`;
    const middle = (before.y + y) / 2;
    return `${path}C${before.x} ${middle} ${x} ${middle} ${x} ${y}`;
  }, `M${points[0].x} ${points[0].y}`);
}

function aroundCorners(points) {
  let path = `M${points[0].x} ${points[0].y}`;
  for (let i = 1; i < points.length - 1; i += 1) {
    const [before, corner, next] = [points[i - 1], points[i], points[i + 1]];
    const enter = towards(corner, before);
    const leave = towards(corner, next);
    path += `L${enter.x} ${enter.y}Q${corner.x} ${corner.y} ${leave.x} ${leave.y}`;
  }
  return `${path}L${points.at(-1).x} ${points.at(-1).y}`;
}

/** A point a little way from a corner towards another point, at most halfway. */
function towards(corner, point) {
  const [dx, dy] = [point.x - corner.x, point.y - corner.y];
  const away = Math.hypot(dx, dy);
  const part = away === 0 ? 0 : Math.min(CORNER_PX / away, 0.5);
  const short = (value) => Math.round(value * 10) / 10;
  return { x: short(corner.x + dx * part), y: short(corner.y + dy * part) };
}
