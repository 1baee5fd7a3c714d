// Covers what a screenshot must not show, and draws the numbers of elements into the page.
const FIELDS_MAX = 500;
const VALUE_CHARS_MAX = 4000;
const SHOWN_CHARS_MAX = 500000;
let covers = null;
let covered = [];
let lastCovers = null;
let fields = [];

// Returns the page's fields and frames, the visible text outside of them, and how often the page has changed; null if there
// are too many.
const inspect = () => {
  fields = [];
  const values = [];
  let count = 0;
  visit(page, (element) => {
    count += 1;
    if (count > ELEMENTS_MAX || fields.length > FIELDS_MAX) return false;
    const frame = isFrame(element);
    if (!frame && (!isEntry(element) || isSelect(element))) return true;
    fields.push(element);
    const value = frame ? '' : textIn(element);
    values.push({ frame, always: hidesText(element) || value.length > VALUE_CHARS_MAX,
      value: whole(cut(value, VALUE_CHARS_MAX)) });
    return true;
  });
  if (count > ELEMENTS_MAX || fields.length > FIELDS_MAX) return null;
  const inTree = (root) => childElements(root).map((child) => (child instanceof HTMLElement ? innerText(child) : ''));
  const shown = [bodyOf(page)].filter((body) => body !== null).map((body) => innerText(body))
    .concat(rootsIn(page).flatMap(inTree)).join('\n');
  if (shown.length > SHOWN_CHARS_MAX) return null;
  return { values, shown: whole(shown), changes };
};

const put = (root, box, style, text) => {
  const cover = createElement(page, 'div');
  cover.style.cssText = `all: initial; position: fixed; left: ${box.left}px; top: ${box.top}px; ${style}`;
  cover.textContent = text;
  root.append(cover);
};

// Covers these fields, and draws numbers at these places, which are measured from the document's left and top edges.
const cover = ({ hidden, numbered }) => {
  uncover();
  covers = createElement(page, 'div');
  lastCovers = covers;
  covers.style.cssText = 'all: initial !important; position: fixed !important; inset: 0 !important; ' +
    'z-index: 2147483647 !important; pointer-events: none !important;';
  const root = attachShadow(covers, { mode: 'closed' });
  covered = hidden.map((at) => [fields[at], boxOf(fields[at])]);
  for (const [, box] of covered) {
    put(root, box, `width: ${box.width}px; height: ${box.height}px; background: #444;`, '');
  }
  numbered.forEach(([x, y], at) => {
    const box = { left: Math.max(0, x - scrollX), top: Math.max(0, y - scrollY) };
    put(root, box, 'font: bold 11px sans-serif; color: #fff; background: #c00; padding: 0 2px;', `${at + 1}`);
  });
  appendChild(rootElement(page), covers);
  // A popover is in the top layer, so the covers are above everything else.
  covers.popover = 'manual';
  covers.showPopover();
  return hidden.every((at) => isConnected(fields[at]));
};

// Removes the covers, and returns whether they had stayed over what they cover.
const uncover = () => {
  if (covers === null) return false;
  const isThere = ([field, before]) => {
    const box = boxOf(field);
    return ['left', 'top', 'width', 'height'].every((side) => Math.abs(box[side] - before[side]) < 1);
  };
  const wereThere = isConnected(covers) && covered.every(isThere);
  covered = [];
  removeElement(covers);
  covers = null;
  fields = [];
  return wereThere;
};
