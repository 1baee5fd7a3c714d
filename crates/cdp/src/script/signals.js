// Computes a page's signals in the manner of the original's script, which docs/automata.md describes.
const ITEMS_MAX = 1000;
const CHARS_MAX = 512000;
const TEXT_CHARS = 100;
const SELECTOR_CHARS_MAX = 2000;
const NODE_CHARS_MAX = 65536;
// The longest time for the hit tests of one look, in milliseconds. A page can make them slow. If they take longer, the
// elements are left out of the signals.
const HIT_TESTS_MS_MAX = 1500;
// A look leaves the other elements out of the signals once its slow tests add up to `CUT_MS`. Of each test counts what
// it takes above `TEST_MS`, as it usually does even on a busy machine, and up to `TEST_MS_MAX`, so that no single pause
// cuts a look. Tests are slow in flexible boxes and in lines with thousands of elements: browsers go through all of them
// each time. All are in milliseconds.
const CUT_MS = 25;
const TEST_MS = 0.05;
const TEST_MS_MAX = 0.3;

const CLASS = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const NAMED = new Set(['id', 'name', 'type', 'placeholder', 'aria-label', 'aria-labelledby', 'aria-describedby',
  'role', 'for', 'autocomplete', 'required', 'readonly', 'alt', 'title', 'src', 'href', 'target', 'data-id',
  'data-qa', 'data-cy', 'data-testid']);

const selectorOf = (element) => {
  let selector = localName(element);
  for (const name of (attribute(element, 'class') ?? '').split(/\s+/)) {
    if (CLASS.test(name)) selector += `.${CSS.escape(name)}`;
    if (selector.length > SELECTOR_CHARS_MAX) return '';
  }
  for (const name of attributeNames(element)) {
    if (!NAMED.has(name)) continue;
    const value = attribute(element, name);
    if (value.length > SELECTOR_CHARS_MAX) return '';
    const sign = /["'<>\s]/.test(value) ? '*=' : '=';
    selector += `[${name}${sign}"${value.replaceAll('"', '\\"')}"]`;
    if (selector.length > SELECTOR_CHARS_MAX) return '';
  }
  return whole(selector);
};

const textOf = (node) => {
  const length = lengthOf(node);
  return (length > NODE_CHARS_MAX ? substring(node, 0, NODE_CHARS_MAX) : dataOf(node)).trim();
};

const ownText = (element) => {
  let text = '';
  for (let child = firstChild(element); child !== null; child = nextSibling(child)) {
    if (nodeType(child) !== 3) continue;
    const own = textOf(child);
    if (own === '') continue;
    text = text === '' ? own : `${text} ${own}`;
    if (text.length > TEXT_CHARS + reach) break;
  }
  return text;
};

// Returns whether the topmost element at a box's centre is the element itself or inside it.
const isOnTop = (element, box) => {
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const top = topmost(x, y);
  return top !== null && isWithin(top, element) && !isCovered(x, y);
};

const layerOf = (element) => Number.parseInt(styleOf(element).zIndex, 10) || 0;

// Returns the visible elements with text of their own, in page order, the frames that are among them, and whether
// further ones were left out. The elements are null if the page has too many or the hit tests take too long. An element
// is measured only when the list reaches it. So the search ends early on a page with enough visible elements.
const listItems = () => {
  const seen = [];
  const frames = [];
  let kept = [];
  let testsMs = 0;
  let countedMs = 0;
  let count = 0;
  let isWhole = true;
  let isCut = false;
  visit(page, (element) => {
    count += 1;
    if (count > ELEMENTS_MAX || testsMs > HIT_TESTS_MS_MAX) isWhole = false;
    if (!isWhole) return false;
    if (localName(element) in windowOf) frames.push(element);
    if (firstChild(element) === null || !(element instanceof HTMLElement)) return true;
    const text = ownText(element);
    if (text === '') return true;
    isCut = kept.length >= ITEMS_MAX || countedMs > CUT_MS;
    if (isCut) return kept.length < ITEMS_MAX;
    const began = performance.now();
    const box = boxOf(element);
    if (!touchesView(box) || !isShown(element)) return true;
    const one = { element, text };
    seen.push(one);
    const beganTest = performance.now();
    if (isOnTop(element, box)) kept.push(one);
    const ended = performance.now();
    testsMs += ended - beganTest;
    countedMs += Math.max(0, Math.min(ended - began, TEST_MS_MAX) - TEST_MS);
    return true;
  });
  if (!isWhole) return { items: null, frames, isCut };
  if (kept.length === 0 && seen.length > 0 && !view.covered) {
    const layers = seen.map(({ element }) => layerOf(element));
    const highest = layers.reduce((one, other) => Math.max(one, other));
    kept = seen.filter((_, at) => layers[at] === highest);
  }
  const items = [];
  let chars = 0;
  for (const { element, text } of kept) {
    const selector = inTrees(element, selectorOf(element));
    chars += Math.min(text.length, TEXT_CHARS) + selector.length;
    if (chars > CHARS_MAX || items.length >= 2 * ITEMS_MAX) {
      isCut = true;
      break;
    }
    items.push(handedOver(text, TEXT_CHARS), selector);
  }
  return { items, frames, isCut };
};
