// Shadow trees: what they contain, what is around an element through them, and what is on top at a point.
//
// The script in the page's own world announces each closed shadow root by an event, since only that world sees it made.
// It announces all of them again when it is asked.
const closedRoots = new WeakMap();
const learnRoot = (root) => {
  if (root instanceof ShadowRoot) closedRoots.set(hostOfRoot(root), root);
  return null;
};
const learn = (event) => {
  event.stopImmediatePropagation();
  learnRoot(event.relatedTarget);
};
addEventListener(CHANNEL, learn, { capture: true });
dispatchEvent(new Event(`${CHANNEL}?`));

const shadowOf = (host) => openRootOf(host) ?? closedRoots.get(host) ?? null;
const isRoot = (node) => node instanceof ShadowRoot;

const hasSize = (box) => box.width > 0 && box.height > 0;

// Calls a function with each element in a document, shadow tree or element, in page order: the elements in a host's
// shadow tree come before its own children. Ends early once the function returns false.
const visit = (scope, call) => {
  const walkers = [createWalker(page, scope, 1)];
  while (walkers.length > 0) {
    const element = nextNode(walkers.at(-1));
    if (element === null) {
      walkers.pop();
      continue;
    }
    if (call(element) === false) return;
    const root = shadowOf(element);
    if (root !== null) walkers.push(createWalker(page, root, 1));
  }
};

const ELEMENTS_MAX = 200000;
const rootsIn = (scope) => {
  const roots = [];
  let count = 0;
  visit(scope, (element) => {
    const root = shadowOf(element);
    if (root !== null) roots.push(root);
    count += 1;
    return count <= ELEMENTS_MAX;
  });
  return roots;
};

// Roots that the document's own HTML declares are announced by nobody. The browser is asked about each element that may
// have one, once: what shows something and has no content of its own, and, if something is missed, every element of a
// component.
const HOSTS = new Set(['article', 'aside', 'blockquote', 'body', 'div', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6',
  'header', 'main', 'nav', 'p', 'section', 'span']);
const HOSTS_ASKED_MAX = 50;
const askedHosts = new WeakSet();
let hostsToAsk = [];
const isEmptyInside = (element) => {
  for (let child = firstChild(element); child !== null; child = nextSibling(child)) {
    if (nodeType(child) === 1 || (nodeType(child) === 3 && dataOf(child).trim() !== '')) return false;
  }
  return true;
};
const mayBeHost = (element, isMissing) => {
  const name = localName(element);
  const isComponent = name.includes('-');
  if (!isComponent && !HOSTS.has(name)) return false;
  if (!(isComponent && isMissing) && !isEmptyInside(element)) return false;
  return shadowOf(element) === null && !askedHosts.has(element) && hasSize(boxOf(element));
};

// Collects the elements that the browser is to be asked about, and returns how many there are.
const collectHosts = (isMissing) => {
  hostsToAsk = [];
  visit(page, (element) => {
    if (mayBeHost(element, isMissing)) hostsToAsk.push(element);
    return hostsToAsk.length < HOSTS_ASKED_MAX;
  });
  return hostsToAsk.length;
};
const takeHosts = () => {
  for (const host of hostsToAsk) askedHosts.add(host);
  return hostsToAsk;
};
const firstIn = (scope, selector) => {
  if (scope === page) return firstInDocument(page, selector);
  return isRoot(scope) ? firstInFragment(scope, selector) : firstInElement(scope, selector);
};
const everyIn = (scope, selector) => {
  if (scope === page) return everyInDocument(page, selector);
  return isRoot(scope) ? everyInFragment(scope, selector) : everyInElement(scope, selector);
};

const childElements = (node) => {
  const children = [];
  for (let child = firstChild(node); child !== null; child = nextSibling(child)) if (isElement(child)) children.push(child);
  return children;
};

// Returns the slot that shows a node in a shadow tree, or null. Closed trees do not tell it, so their slots are asked.
const slotFor = (node) => {
  const slot = isElement(node) ? slotOf(node) : nodeType(node) === 3 ? slotOfText(node) : null;
  if (slot !== null) return slot;
  const host = parentNode(node);
  const root = isElement(host) ? closedRoots.get(host) : undefined;
  if (root === undefined) return null;
  return [...everyIn(root, 'slot')].find((one) => assignedTo(one, { flatten: false }).includes(node)) ?? null;
};

// Returns what a node is shown in: its slot, its parent, or the host of the shadow tree that it is in.
const above = (node) => {
  const slot = slotFor(node);
  if (slot !== null) return slot;
  const parent = parentNode(node);
  return isRoot(parent) ? hostOfRoot(parent) : parent;
};

// Returns whether a node is an element or is shown inside of it.
const isWithin = (node, element) => {
  if (contains(element, node)) return true;
  for (let one = node; one !== null; one = above(one)) if (one === element) return true;
  return false;
};

// Returns the nearest element that matches a selector, from an element outwards through the shadow trees that it is in.
const nearest = (element, selector) => {
  for (let one = element; isElement(one);) {
    const found = closest(one, selector);
    if (found !== null) return found;
    const root = rootOf(one);
    one = isRoot(root) ? hostOfRoot(root) : null;
  }
  return null;
};

// Returns the innermost element on top at a point of the viewport.
const topmost = (x, y) => {
  let top = elementAt(page, x, y);
  for (let root = top === null ? null : shadowOf(top); root !== null; root = shadowOf(top)) {
    const inner = elementAtIn(root, x, y);
    if (inner === null || inner === top || rootOf(inner) !== root) break;
    top = inner;
  }
  return top;
};
