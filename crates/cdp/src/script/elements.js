// Lists the elements that actions can address, each with a selector that matches no other element.
const ACTED_MAX = 200;
const QUERIES_MAX = 12;
const ROLES = ['button', 'link', 'checkbox', 'radio', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio',
  'option', 'switch', 'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'treeitem', 'gridcell'];
const ACTED = ['a[href]', 'button', 'input:not([type="hidden"])', 'select', 'textarea', 'summary', 'label', 'option',
  'audio', 'video', '[onclick]', '[contenteditable]:not([contenteditable="false"])', '[tabindex]:not([tabindex="-1"])',
  ...ROLES.map((role) => `[role="${role}"]`)].join(',');

const isActedOn = (element) => {
  if (matches(element, ACTED)) return true;
  if (styleOf(element).cursor !== 'pointer') return false;
  const parent = parentNode(element);
  return !isElement(parent) || styleOf(parent).cursor !== 'pointer';
};

const isAlone = (selector, element) => {
  try {
    const found = every(page, selector);
    return found.length === 1 && found.item(0) === element;
  } catch {
    return false;
  }
};

const placeAmong = (element) => {
  const name = localName(element);
  let place = 1;
  const parent = parentNode(element);
  for (let child = firstChild(parent); child !== element && child !== null; child = nextSibling(child)) {
    if (isElement(child) && localName(child) === name) place += 1;
  }
  return `${CSS.escape(name)}:nth-of-type(${place})`;
};

const uniqueSelector = (element) => {
  const own = selectorOf(element);
  if (own !== '' && isAlone(own, element)) return own;
  let path = placeAmong(element);
  let parent = parentNode(element);
  for (let step = 0; step < QUERIES_MAX && isElement(parent); step += 1) {
    if (isAlone(path, element)) return path;
    const above = selectorOf(parent);
    const short = above === '' ? '' : `${above} > ${path}`;
    if (short !== '' && short.length <= SELECTOR_CHARS_MAX && isAlone(short, element)) return short;
    path = isElement(parentNode(parent)) ? `${placeAmong(parent)} > ${path}` : `${localName(parent)} > ${path}`;
    parent = parentNode(parent);
  }
  return isAlone(path, element) ? path : '';
};

const roleOf = (element) => {
  const role = attribute(element, 'role');
  if (role !== null) return role;
  if (element instanceof HTMLInputElement) return typeOfInput(element);
  return attribute(element, 'type') ?? '';
};

const labelOf = (element) => {
  if (!(element instanceof HTMLInputElement)) return '';
  const labels = labelsOfInput(element);
  return labels !== null && labels.length > 0 ? innerText(labels.item(0)) : '';
};

const knownBy = (element) => {
  const isButton = element instanceof HTMLInputElement && ['submit', 'button', 'reset'].includes(typeOfInput(element));
  const isField = element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
  const ways = [
    () => attribute(element, 'aria-label'),
    () => (isButton ? valueOfInput(element) : ''),
    () => (element instanceof HTMLElement && !isField ? innerText(element) : ''),
    () => labelOf(element),
    ...['placeholder', 'title', 'alt', 'name'].map((name) => () => attribute(element, name)),
  ];
  for (const way of ways) {
    const text = words(cut(way() ?? '', NODE_CHARS_MAX));
    if (text !== '') return text;
  }
  return '';
};

const listElements = () => {
  const listed = [];
  const view = viewSize();
  const walker = createWalker(page, page, 1);
  let count = 0;
  for (let element = nextNode(walker); element !== null; element = nextNode(walker)) {
    count += 1;
    if (listed.length >= ACTED_MAX || count > ELEMENTS_MAX) break;
    if (!(element instanceof HTMLElement) || !touchesView(boxOf(element), view)) continue;
    if (!isActedOn(element) || !isShown(element)) continue;
    const selector = uniqueSelector(element);
    if (selector === '') continue;
    listed.push({
      selector: whole(selector),
      tag: handedOver(localName(element), TEXT_CHARS),
      role: handedOver(roleOf(element), TEXT_CHARS),
      text: handedOver(knownBy(element), TEXT_CHARS),
      area: inDocument(boxOf(element)),
    });
  }
  return listed;
};
