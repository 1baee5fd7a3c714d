// What an action is about, and what lies at the point where it happens.
let target = null;
let percentage = 0.5;
// What is awaited of the pointer: `null` nothing, `armed` a press on the target, `pressed` there was one,
// `missed` a press on something else, of which the page gets nothing; `slipped` the target moved away
// after the button went down on it, so that no click reaches it and none may reach anything else.
let press = null;

const CLICKS = ['click', 'auxclick', 'contextmenu'];

// The parts of an element's description are cut by whoever asks for it, once the secrets are taken out.
const DESCRIBED_CHARS = 1200;

const describe = (element) => {
  const classes = (attribute(element, 'class') ?? '').split(/\s+/).slice(0, 3);
  const said = element instanceof HTMLElement ? words(cut(innerText(element), NODE_CHARS_MAX)) : '';
  const parts = [localName(element), attribute(element, 'id') ?? '', said, ...classes];
  return parts.map((part) => whole(cut(part, DESCRIBED_CHARS)));
};

const isRelated = (element) => contains(target, element) || contains(element, target);

const pointIn = (box) => ({ x: box.left + box.width * percentage, y: box.top + box.height / 2 });
const isPointInView = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

// The boxes of the lines of a link that is broken come after the one around all of them.
const bestPoint = () => {
  const around = pointIn(boxOf(target));
  const lines = [...boxesOf(target)].slice(0, 4).map(pointIn);
  const hits = (point) => {
    const top = isPointInView(point) ? elementAt(page, point.x, point.y) : null;
    return top !== null && contains(target, top);
  };
  return [around, ...lines].find(hits) ?? around;
};

const measure = () => {
  const point = bestPoint();
  const inView = isPointInView(point);
  const top = inView ? elementAt(page, point.x, point.y) : null;
  const above = top !== null && !isRelated(top) ? describe(top) : null;
  const box = boxOf(target);
  const hasBox = box.width > 0 && box.height > 0;
  return { state: 'found', ...point, left: scrollX, top: scrollY, inView, above, hasBox };
};

const bringIntoView = () => {
  intoView(target, { block: 'center', inline: 'center', behavior: 'instant' });
  const point = pointIn(boxOf(target));
  if (!isPointInView(point)) {
    scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: 'instant' });
  }
};

// Finds the element, scrolls until its point is seen where that is wanted, and measures it.
const aim = (wish) => {
  const found = find(wish.by, wish.selector);
  if (found === undefined) return { state: 'bad' };
  if (!isElement(found)) return { state: 'none' };
  target = found;
  percentage = wish.percentage;
  let measured = measure();
  if (wish.scrolls && (!measured.inView || measured.above !== null)) {
    bringIntoView();
    measured = measure();
  }
  return measured;
};

// Measures the element again, and from then on lets a press reach it alone.
const ready = () => {
  if (target === null || !isConnected(target)) return { state: 'none' };
  const measured = measure();
  if (measured.inView && measured.above === null) press = 'armed';
  return measured;
};

// Tells what came of the press, and lets everything pass again.
const released = () => {
  const came = press;
  press = null;
  return { came, isFrame: target !== null && isFrame(target) };
};

// A page may answer the press with something that lies above the target, or that takes its place: then it
// has not moved.
const hasMovedFrom = ({ clientX: x, clientY: y }) => {
  const isAround = (box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  return isConnected(target) && ![boxOf(target), ...boxesOf(target)].some(isAround);
};

const watchPress = (event) => {
  if (press === null || !event.isTrusted) return;
  if (press === 'armed' && event.type === 'pointerdown') {
    const [at] = event.composedPath();
    press = isElement(at) && isRelated(at) ? 'pressed' : 'missed';
  }
  if (press === 'pressed' && event.type === 'pointerup' && hasMovedFrom(event)) press = 'slipped';
  if (press !== 'missed' && !(press === 'slipped' && CLICKS.includes(event.type))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', ...CLICKS]) {
  addEventListener(type, watchPress, { capture: true, passive: false });
}

// Shows a point of the document, and says where in the viewport it is.
const show = ({ x, y, scrolls }) => {
  const inView = () => isPointInView({ x: x - scrollX, y: y - scrollY });
  if (scrolls && !inView()) {
    scrollTo({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
  }
  return { state: 'found', x: x - scrollX, y: y - scrollY, inView: inView() };
};
