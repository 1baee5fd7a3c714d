// What a picture must not show is covered while it is taken, and the numbers of elements are written over it.
const FIELDS_MAX = 500;
const VALUE_CHARS_MAX = 4000;
const SHOWN_CHARS_MAX = 500000;
let covers = null;
let lastCovers = null;
let fields = [];

// The fields and frames of the page, and the text that is seen beside them; null where that is too much.
const inspect = () => {
  fields = [];
  const values = [];
  const walker = createWalker(page, page, 1);
  let count = 0;
  for (let element = nextNode(walker); element !== null; element = nextNode(walker)) {
    count += 1;
    if (count > ELEMENTS_MAX || fields.length > FIELDS_MAX) return null;
    const frame = isFrame(element);
    if (!frame && (!isEntry(element) || isSelect(element))) continue;
    fields.push(element);
    const value = frame ? '' : textIn(element);
    values.push({ frame, always: hidesText(element) || value.length > VALUE_CHARS_MAX,
      value: whole(cut(value, VALUE_CHARS_MAX)) });
  }
  const body = bodyOf(page);
  const shown = body === null ? '' : innerText(body);
  if (shown.length > SHOWN_CHARS_MAX) return null;
  return { values, shown: whole(shown) };
};

const put = (root, box, style, text) => {
  const cover = createElement(page, 'div');
  cover.style.cssText = `all: initial; position: fixed; left: ${box.left}px; top: ${box.top}px; ${style}`;
  cover.textContent = text;
  root.append(cover);
};

// Covers these fields, and numbers these places, given from the left and the top of the document.
const cover = ({ hidden, numbered }) => {
  uncover();
  covers = createElement(page, 'div');
  lastCovers = covers;
  covers.style.cssText = 'all: initial !important; position: fixed !important; inset: 0 !important; ' +
    'z-index: 2147483647 !important; pointer-events: none !important;';
  const root = attachShadow(covers, { mode: 'closed' });
  for (const at of hidden) {
    const box = boxOf(fields[at]);
    put(root, box, `width: ${box.width}px; height: ${box.height}px; background: #444;`, '');
  }
  numbered.forEach(([x, y], at) => {
    const box = { left: Math.max(0, x - scrollX), top: Math.max(0, y - scrollY) };
    put(root, box, 'font: bold 11px sans-serif; color: #fff; background: #c00; padding: 0 2px;', `${at + 1}`);
  });
  appendChild(rootElement(page), covers);
  // Nothing may lie above the covers: what the browser itself puts on top is closed for the picture.
  covers.popover = 'manual';
  covers.showPopover();
  return hidden.every((at) => isConnected(fields[at]));
};

// Returns whether the covers were there until now.
const uncover = () => {
  if (covers === null) return false;
  const wereThere = isConnected(covers);
  removeElement(covers);
  covers = null;
  fields = [];
  return wereThere;
};
