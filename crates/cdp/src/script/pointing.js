// The element that an action targets.
let target = null;
let percentage = 0.5;
// Whether another point of the target is taken if something that is not around it lies above its middle.
let isElsewhere = false;
// Whether the press is received by a frame, whose inside is invisible from here.
let isFramePressed = false;
// The state of the expected press. `null`: none is expected. `armed`: one on the target is expected. `pressed`: it
// happened. `missed`: it hit something else and was hidden from the page. `slipped`: the target moved away after the
// button went down on it, so the click is hidden from the page. `gone`: the same at the second press of two.
let press = null;

// The element on which the button goes down.
let takenUp = null;

// Whether the button came up again after the press reached the target.
let wasReleased = false;

const CLICKS = ['click', 'auxclick', 'dblclick', 'contextmenu'];

// The most characters of a part of an element's description. The Rust side cuts the parts further, after removing the
// secrets.
const DESCRIBED_CHARS = 1200;

const describe = (element) => {
  const classes = (attribute(element, 'class') ?? '').split(/\s+/).slice(0, 3);
  const said = element instanceof HTMLElement ? words(cut(innerText(element), NODE_CHARS_MAX)) : '';
  const parts = [localName(element), attribute(element, 'id') ?? '', said, ...classes];
  return parts.map((part) => whole(cut(part, DESCRIBED_CHARS)));
};

// How far inside an element's edge a point must be to belong to the element, in pixels. The edge itself belongs to the
// neighbour.
const EDGE = 1;
const placeIn = (from, size, share) => {
  const place = size * share;
  if (share < 0 || share > 1) return from + place;
  const edge = Math.min(EDGE, size / 2);
  return from + Math.min(Math.max(place, edge), size - edge);
};
const pointIn = (box, across = percentage, down = 0.5) =>
  ({ x: placeIn(box.left, box.width, across), y: placeIn(box.top, box.height, down) });
const isPointInView = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
// Returns what receives a click at a point, inside of any shadow trees.
const topAt = (point) => (isPointInView(point) ? topmost(point.x, point.y) : null);

// Returns the box of an area of an image map. An area has no box of its own, and its coordinates start at the corner of
// its image.
const boxOfArea = () => {
  const map = closest(target, 'map');
  const name = map === null ? '' : CSS.escape(`#${attribute(map, 'name')}`);
  const image = firstIn(rootOf(target), `img[usemap="${name}"]`);
  if (image === null) return boxOf(target);
  const around = boxOf(image);
  const places = (attribute(target, 'coords') ?? '').split(/[\s,]+/).map(Number).filter(Number.isFinite);
  if (places.length < 3) return around;
  const [x, y, radius] = places;
  const isCircle = places.length === 3;
  const along = isCircle ? [x - radius, x + radius] : places.filter((_, at) => at % 2 === 0);
  const down = isCircle ? [y - radius, y + radius] : places.filter((_, at) => at % 2 === 1);
  const [left, top] = [Math.min(...along), Math.min(...down)];
  return new DOMRect(around.left + left, around.top + top, Math.max(...along) - left, Math.max(...down) - top);
};

// The most boxes of the target that are tried: its own box and those of its lines, since a link may wrap. If it has no
// box of its own, as with floats or `display: contents`, the boxes of its content are tried.
const BOXES_MAX = 5;
const isArea = () => localName(target) === 'area';
const boxesOfTarget = () => {
  if (isArea()) return [boxOfArea()].filter(hasSize);
  const own = [boxOf(target), ...boxesOf(target)].filter(hasSize);
  if (own.length > 0) return own.slice(0, BOXES_MAX);
  const range = createRange(page);
  selectContents(range, target);
  return [...rangeBoxes(range)].filter(hasSize).slice(0, BOXES_MAX);
};

// The places in a box that are tried, as shares of its size. The middle may not belong to the element, which may be
// clipped or round or have a hole.
const SHARES = [0.5, 0.25, 0.75, 0.1, 0.9];
const otherPoints = (box) => SHARES.flatMap((down) => SHARES.map((across) => pointIn(box, across, down)));

const isHitAt = (point) => {
  const top = topAt(point);
  return top !== null && isWithin(top, target);
};

// Returns a point at which the target receives a click; if there is none, the middle.
const bestPoint = (boxes) => {
  const points = boxes.map((box) => pointIn(box));
  const [middle] = points;
  const hit = points.find(isHitAt);
  if (hit !== undefined) return hit;
  const top = topAt(middle);
  const isOther = percentage === 0.5 && top !== null && (isElsewhere || isWithin(target, top));
  return (isOther ? otherPoints(boxes[0]).find(isHitAt) : undefined) ?? middle;
};

const CONTROLS = 'button, input, select, textarea, optgroup, option';
const NAMED_CONTROLS = `a[href], summary, [role], ${CONTROLS}`;
const BUTTONS = 'button, [role="button"], [role="checkbox"], [role="radio"]';

// Returns the control that the target is, is inside of, or labels.
const controlMeant = () => {
  if (matches(target, 'input, select, textarea')) return target;
  const button = closest(target, BUTTONS);
  if (button !== null || matches(target, 'a, [role="link"]')) return button ?? target;
  const label = closest(target, 'label');
  return label === null ? target : controlOf(label) ?? target;
};

const isDisabled = (control) => {
  if (matches(control, ':disabled') || closest(control, `:is(${CONTROLS}):disabled`) !== null) return true;
  const said = closest(control, '[aria-disabled="true" i], [aria-disabled="false" i]');
  if (said === null || !matches(said, '[aria-disabled="true" i]')) return false;
  return said === control || matches(control, NAMED_CONTROLS);
};

// Returns what the target lacks for a click, as part of a sentence; null if it lacks nothing.
const lackOf = (isHit) => {
  const style = styleOf(target);
  const isThere = style.display === 'contents' || isVisible(target, { visibilityProperty: true });
  // A target that receives clicks is visible and not inert, so only others are checked. A modal dialog is not inert,
  // even inside inert elements.
  if (!isHit && !isArea() && (!isThere || !hasSize(boxOf(target)))) return 'is there and not shown';
  if (!isHit && nearest(target, '[inert]') !== null) return 'is inert';
  const control = controlMeant();
  if (isDisabled(control)) return 'is disabled';
  return !isHit && style.pointerEvents === 'none' ? 'lets clicks through (pointer-events: none)' : null;
};

const describeTop = (top) => {
  if (top === null) return ['nothing that gets clicks'];
  const label = closest(top, 'label');
  if (label === null || controlOf(label) !== target) return describe(top);
  const [name, ...rest] = describe(label);
  return [`its label, ${name}`, ...rest];
};

const measure = () => {
  const boxes = boxesOfTarget();
  const box = boxes[0] ?? boxOf(target);
  const point = bestPoint(boxes.length > 0 ? boxes : [box]);
  const top = topAt(point);
  const isHit = top !== null && isWithin(top, target);
  const inView = isPointInView(point);
  return {
    state: 'found', ...point, left: scrollX, top: scrollY, width: box.width, height: box.height, inView,
    lack: lackOf(isHit), above: inView && !isHit ? describeTop(top) : null,
    isAround: top !== null && isWithin(target, top), isFrame: top !== null && isFrame(top),
  };
};

const bringIntoView = () => {
  intoView(target, { block: 'center', inline: 'center', behavior: 'instant' });
  const point = pointIn(boxesOfTarget()[0] ?? boxOf(target));
  if (!isPointInView(point)) {
    scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: 'instant' });
  }
};

// The wish by which the target was found, in this document.
let aimedWish = null;

// Finds the element that a locator addresses. Returns it, or why there is none, or in which frame the search goes on.
const findTarget = (wish) => {
  const first = locate(wish);
  // Others are searched for only if the first one is not shown.
  const isClear = first === null || first.frame || first.elements.length === 0 || hasPlace(first.elements[0]);
  const located = isClear ? first : locate(wish, COMPARED_MAX);
  if (located === null) return { state: 'bad' };
  if (located.frame) return { state: 'frame', number: numberOf(located.frame), steps: located.rest };
  if (located.elements.length === 0) return { state: 'none', hosts: collectHosts(true) };
  return { state: 'found', element: elementMeant(located) };
};

// Aims at an element: scrolls to the point in it if requested, and measures it.
const aimAt = (element, wish) => {
  press = null;
  target = element;
  aimedWish = wish;
  percentage = wish.percentage;
  isElsewhere = wish.elsewhere === true;
  let measured = measure();
  if (wish.scrolls && (!measured.inView || measured.above !== null)) {
    bringIntoView();
    measured = measure();
  }
  return measured;
};

// Finds the element that a locator addresses, and aims at it.
const aim = (wish) => {
  const found = findTarget(wish);
  return found.state === 'found' ? aimAt(found.element, wish) : found;
};

// Measures the element again. If wanted, the press reaches nothing but this element from then on.
const ready = ({ arms }) => {
  if (target === null || !isConnected(target)) return { state: 'none' };
  const measured = measure();
  if (arms && measured.inView && measured.lack === null && measured.above === null) arm();
  isFramePressed = measured.isFrame;
  return measured;
};
const arm = () => {
  press = 'armed';
  takenUp = target;
  beginEffects();
};

// Returns the outcome of the press. From then on, all events pass again. If nothing has changed so far, it is waited for
// that for so many milliseconds.
const released = async ({ waits }) => {
  const came = press;
  press = null;
  const isWaited = waits > 0 && came === 'pressed' && !isUnseen(controlMeant());
  const unchanged = isWaited && !(await effectWithin(waits));
  return { came, isFrame: isFramePressed, unchanged };
};

// Returns whether nothing has changed since an element was taken up and dropped on the target, and nothing does for so
// many milliseconds more.
const isUnchangedByDrop = async ({ waits }) => ![takenUp, target].some(isUnseen) && !(await effectWithin(waits));

// Returns whether the target has moved away from the pointer. A page may respond to the press with something that
// covers or replaces the target, which does not count as moved.
const hasMovedFrom = ({ clientX: x, clientY: y }) => {
  const isAround = (box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  return isConnected(target) && ![boxOf(target), ...boxesOf(target), ...boxesOfTarget()].some(isAround);
};

// Returns whether a click is meant for an element around the target. If a page removes the target while the button is
// down, the browser sends the click to the common ancestor.
const isForWhatIsAround = ({ type, target: at, clientX: x, clientY: y }) =>
  CLICKS.includes(type) && isElement(at) && at !== target && isWithin(target, at) && !isHitAt({ x, y });

// Returns whether an event is for the target or something inside of it. Its path leads out of open shadow trees only, so
// in a closed one the point tells.
const isFor = (event) => {
  if (event.composedPath().includes(target)) return true;
  const root = rootOf(target);
  return isRoot(root) && isWithin(topmost(event.clientX, event.clientY), target);
};

const watchPress = (event) => {
  if (press === null || !event.isTrusted) return;
  if (press === 'armed' && event.type === 'pointerdown') {
    press = isFor(event) && !isDisabled(controlMeant()) ? 'pressed' : 'missed';
    wasReleased = false;
  }
  // The second press of a double click may find something else in the place of the target.
  if (press === 'pressed' && event.type === 'pointerdown' && wasReleased && !isFor(event)) press = 'gone';
  if (press === 'pressed' && event.type === 'pointerup') {
    wasReleased = true;
    if (hasMovedFrom(event)) press = 'slipped';
  }
  const isKept = press === 'slipped' ? CLICKS.includes(event.type) : press === 'pressed' && isForWhatIsAround(event);
  if (press !== 'missed' && press !== 'gone' && !isKept) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', ...CLICKS]) {
  addEventListener(type, watchPress, { capture: true, passive: false });
}

// Returns how far the page is scrolled.
const scrolled = () => ({ left: scrollX, top: scrollY });

// Whether the page has let the browser drag the target itself.
let startedDrag = false;
addEventListener('dragstart', (event) => setTimeout(() => { startedDrag = !event.defaultPrevented; }), { capture: true });
const hasStartedDrag = () => new Promise((resolve) => {
  setTimeout(() => {
    resolve(startedDrag);
    startedDrag = false;
  });
});

// Gives the target the focus, and returns whether it has it.
const focusTarget = () => {
  if (!(target instanceof HTMLElement) || !isConnected(target)) return false;
  const field = ownField(target) ?? target;
  focusOn(field, { preventScroll: true });
  const element = focusedElement();
  return element !== null && (element === field || isWithin(element, target) || hostOf(element) === field);
};

// Scrolls a point of the document into view, and returns where it is in the viewport.
const show = ({ x, y, scrolls }) => {
  const inView = () => isPointInView({ x: x - scrollX, y: y - scrollY });
  if (scrolls && !inView()) {
    scrollTo({ left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant' });
  }
  return { state: 'found', x: x - scrollX, y: y - scrollY, inView: inView() };
};
