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
    const found = everyIn(rootOf(element), selector);
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

// Returns a selector that matches no other element in the element's document or shadow tree; empty if there is none.
const uniqueSelector = (element, own = selectorOf(element)) => {
  if (own !== '' && isAlone(own, element)) return own;
  let path = placeAmong(element);
  let parent = parentNode(element);
  for (let step = 0; step < QUERIES_MAX && isElement(parent); step += 1) {
    if (isAlone(path, element)) return path;
    const around = selectorOf(parent);
    const short = around === '' ? '' : `${around} > ${path}`;
    if (short !== '' && short.length <= SELECTOR_CHARS_MAX && isAlone(short, element)) return short;
    path = isElement(parentNode(parent)) ? `${placeAmong(parent)} > ${path}` : `${CSS.escape(localName(parent))} > ${path}`;
    parent = parentNode(parent);
  }
  return isAlone(path, element) ? path : '';
};

// Returns an element's selector after the hosts of the shadow trees that it is in, each by its tag and one attribute
// that people choose; empty if there is none.
const NAMES_OF_HOSTS = ['id', 'name', 'title', 'data-testid'];
const shortAddress = (element) => {
  const tag = CSS.escape(localName(element));
  const named = NAMES_OF_HOSTS.map((name) => [name, attribute(element, name)])
    .filter(([, value]) => value !== null && value !== '' && value.length <= TEXT_CHARS)
    .map(([name, value]) => (name === 'id' ? `${tag}#${CSS.escape(value)}` : `${tag}[${name}="${CSS.escape(value)}"]`));
  return inTrees(element, uniqueSelector(element, [...named, tag].find((one) => isAlone(one, element)) ?? ''));
};

const inTrees = (element, selector) => {
  const root = rootOf(element);
  if (selector === '' || !isRoot(root)) return selector;
  const around = shortAddress(hostOfRoot(root));
  return around === '' ? '' : `${around} >> ${selector}`;
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

// The most elements of one role whose names are compared.
const NAMED_MAX = 500;

// Returns a function that gives the role and name of an element as a selector; an empty text if another element of its
// document or shadow tree has both. A name with digits is not taken, since a number often is another one the next time.
const uniqueNames = () => {
  const known = new Map();
  const namesOf = (root, role) => {
    if (!known.has(root)) known.set(root, new Map());
    const roles = known.get(root);
    if (roles.has(role)) return roles.get(role);
    const names = new Map();
    const candidates = everyIn(root, candidatesFor(role));
    for (const one of candidates.length > NAMED_MAX ? [] : candidates) {
      if (roleOfElement(one) !== role || isHiddenFromPeople(one)) continue;
      const name = nameOf(one);
      names.set(name, names.has(name) ? null : one);
    }
    roles.set(role, names);
    return names;
  };
  return (element) => {
    const role = roleOfElement(element);
    if (!/^[a-z]+$/.test(role)) return '';
    const name = nameOf(element);
    if (name === '' || name.length > TEXT_CHARS || /\d/.test(name)) return '';
    if (namesOf(rootOf(element), role).get(name) !== element) return '';
    return `${role}[name="${name.replace(/["\\]/g, '\\$&')}"]`;
  };
};

const listElements = () => {
  const listed = [];
  const uniqueName = uniqueNames();
  let count = 0;
  visit(page, (element) => {
    count += 1;
    if (listed.length >= ACTED_MAX || count > ELEMENTS_MAX) return false;
    if (!(element instanceof HTMLElement) || !touchesView(boxOf(element))) return true;
    if (!isActedOn(element) || !isShown(element)) return true;
    const selector = inTrees(element, uniqueSelector(element));
    if (selector === '') return true;
    listed.push({
      selector: whole(selector),
      named: whole(inTrees(element, uniqueName(element))),
      tag: handedOver(localName(element), TEXT_CHARS),
      role: handedOver(roleOf(element), TEXT_CHARS),
      text: handedOver(knownBy(element), TEXT_CHARS),
      area: inPage(boxOf(element)),
    });
    return true;
  });
  return listed;
};
