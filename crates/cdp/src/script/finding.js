// Finds elements in the ways that locators name.
const LINKS_MAX = 5000;
const words = (text) => text.replace(/\s+/g, ' ').trim();

const byLinkText = (fits) => {
  const links = every(page, 'a');
  for (let at = 0; at < Math.min(links.length, LINKS_MAX); at += 1) {
    const link = links.item(at);
    if (link instanceof HTMLElement && fits(words(innerText(link)))) return link;
  }
  return null;
};

const byXPath = (selector) => {
  const node = evaluateXPath(page, selector, page, null, 9, null).singleNodeValue;
  return isElement(node) ? node : null;
};

const WAYS = {
  'css selector': (selector) => first(page, selector),
  xpath: byXPath,
  id: (selector) => byId(page, selector),
  name: (selector) => first(page, `[name="${CSS.escape(selector)}"]`),
  'tag name': (selector) => first(page, selector === '*' ? '*' : CSS.escape(selector)),
  'class name': (selector) => first(page, `.${CSS.escape(selector)}`),
  'link text': (selector) => byLinkText((text) => text === words(selector)),
  'partial link text': (selector) => byLinkText((text) => text.includes(words(selector))),
};

// Returns the element that a locator addresses; null if there is none, undefined if the selector is invalid.
const find = (by, selector) => {
  try {
    return WAYS[by](selector);
  } catch {
    return undefined;
  }
};

// Returns whether a query of a look finds an element; null if its selector is invalid.
const isAnswered = ({ by, selector, visible }) => {
  const element = find(by, selector);
  if (element === undefined) return null;
  if (!isElement(element)) return false;
  return !visible || (isInView(boxOf(element)) && isSeen(element));
};

const isSeen = (element) => {
  const style = styleOf(element);
  return style.visibility !== 'hidden' && style.opacity !== '0';
};
