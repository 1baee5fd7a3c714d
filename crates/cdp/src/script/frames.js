// Frames of this document: their numbers, which their documents are asked for by, and how points in them map to this
// document.
const windowOf = {
  iframe: getter(HTMLIFrameElement, 'contentWindow'),
  frame: getter(HTMLFrameElement, 'contentWindow'),
  object: getter(HTMLObjectElement, 'contentWindow'),
};
// The numbers of frames, by their windows, since an element that is moved in its document gets another window.
const numbers = new WeakMap();
const numbered = new Map();
let lastNumber = 0;

const numberOf = (element) => {
  let inner = null;
  try {
    inner = windowOf[localName(element)]?.(element) ?? null;
  } catch {
    // An element of another kind has this tag.
  }
  if (inner === null) return 0;
  let number = numbers.get(inner);
  if (number === undefined) {
    for (const [one, known] of numbered) if (!isConnected(known)) numbered.delete(one);
    lastNumber += 1;
    number = lastNumber;
    numbers.set(inner, number);
  }
  numbered.set(number, element);
  return number;
};

// Returns the element of a frame, by reference; null if it is gone.
const frameElement = (number) => {
  const element = numbered.get(number);
  return element !== undefined && isConnected(element) && numberOf(element) === number ? element : null;
};

// Returns where the inside of a frame is in this viewport: the corner of its content, its size and its scale.
const insideOf = (element) => {
  const box = boxOf(element);
  const style = styleOf(element);
  const scale = offsetWidth(element) > 0 ? box.width / offsetWidth(element) : 1;
  const edge = (side) => Number.parseFloat(style[`border${side}Width`]) + Number.parseFloat(style[`padding${side}`]);
  const [left, top, right, bottom] = ['Left', 'Top', 'Right', 'Bottom'].map((side) => (edge(side) || 0) * scale);
  return {
    x: box.left + left, y: box.top + top, scale,
    width: Math.max(0, box.width - left - right), height: Math.max(0, box.height - top - bottom),
  };
};

// In how many columns and rows a frame is divided to find out which parts of it are covered by something else.
const GRID = 6;

// Returns what a frame's document needs for a look: its place, and which part of it can be seen. Null if none can.
const windowOn = (element) => {
  if (!touchesView(boxOf(element)) || !isShown(element)) return null;
  const inside = insideOf(element);
  const [left, top] = [Math.max(inside.x, view.left), Math.max(inside.y, view.top)];
  const right = Math.min(inside.x + inside.width, view.right);
  const bottom = Math.min(inside.y + inside.height, view.bottom);
  if (right - left < 1 || bottom - top < 1) return null;
  let covered = '';
  for (let cell = 0; cell < GRID * GRID; cell += 1) {
    const x = left + ((right - left) * ((cell % GRID) + 0.5)) / GRID;
    const y = top + ((bottom - top) * (Math.floor(cell / GRID) + 0.5)) / GRID;
    covered += topmost(x, y) === element ? '0' : '1';
  }
  if (!covered.includes('0')) return null;
  const inward = (x, y) => [(x - inside.x) / inside.scale, (y - inside.y) / inside.scale];
  const [from, to] = [inward(left, top), inward(right, bottom)];
  return {
    view: { left: from[0], top: from[1], right: to[0], bottom: to[1], covered },
    place: { x: place.x + inside.x * place.scale, y: place.y + inside.y * place.scale, scale: place.scale * inside.scale },
  };
};

// Returns whether something of a document around this one covers a point.
const isCovered = (x, y) => {
  if (!view.covered) return false;
  const cell = (at, from, to) => Math.min(GRID - 1, Math.max(0, Math.floor(((at - from) / (to - from)) * GRID)));
  return view.covered[cell(y, view.top, view.bottom) * GRID + cell(x, view.left, view.right)] === '1';
};

// Measures a point inside a frame as one of this document, and what lies above it here.
const through = ({ number, x, y, scrolls, arms }) => {
  const element = frameElement(number);
  if (element === null) return { state: 'none' };
  const measureThrough = () => {
    const inside = insideOf(element);
    const point = { x: inside.x + x * inside.scale, y: inside.y + y * inside.scale };
    const top = topAt(point);
    const isHit = top === element;
    const isShownHere = isVisible(element, { visibilityProperty: true });
    return {
      state: 'found', ...point, left: scrollX, top: scrollY, scale: inside.scale, inView: isPointInView(point),
      lack: !isHit && !isShownHere ? 'is in a frame that is not shown' : nearest(element, '[inert]') ? 'is inert' : null,
      above: isPointInView(point) && !isHit ? describeTop(top) : null, isAround: false,
    };
  };
  let measured = measureThrough();
  if (scrolls && (!measured.inView || measured.above !== null)) {
    intoView(element, { block: 'center', inline: 'center', behavior: 'instant' });
    measured = measureThrough();
    if (!measured.inView) {
      scrollBy({ left: measured.x - innerWidth / 2, top: measured.y - innerHeight / 2, behavior: 'instant' });
      measured = measureThrough();
    }
  }
  // The press goes to the frame's document, so this one must get none.
  if (arms) {
    target = element;
    arm();
  }
  return measured;
};

// From then on, this document gets all presses again. Returns whether it has changed since it was armed.
const disarm = () => {
  press = null;
  return hasEffect();
};
