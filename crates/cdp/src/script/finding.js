// Finds elements by locators. A locator's selector may have several steps, separated by ` >> `: each but the last names
// a frame, the host of a shadow tree or another element, and the next one is searched for inside of it. The step `nth=2`
// takes the third of the elements that the step before it finds.
const LINKS_MAX = 5000;
const STEPS_MAX = 20;
const words = (text) => text.replace(/\s+/g, ' ').trim();

// Splits a selector at each `>>` outside of quotes and brackets.
const partsOf = (selector) => {
  const parts = [''];
  let [quote, depth] = ['', 0];
  for (let at = 0; at < selector.length; at += 1) {
    const sign = selector[at];
    if (sign === '\\') {
      parts[parts.length - 1] += selector.slice(at, at + 2);
      at += 1;
      continue;
    }
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if ('[('.includes(sign)) depth += 1;
    else if ('])'.includes(sign)) depth -= 1;
    else if (depth === 0 && selector.startsWith('>>', at)) {
      parts.push('');
      at += 1;
      continue;
    }
    parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
};

const isPath = (part) => /^[/(]/.test(part);

// Returns the steps of a locator. Each has a way, a selector, and the position of its element among all that fit.
const stepsOf = (by, selector) => {
  const parts = partsOf(selector);
  if (parts.length === 1) return [{ by, selector, nth: 0 }];
  const steps = [];
  for (const [at, part] of parts.entries()) {
    const nth = /^nth=(\d{1,6})$/.exec(part);
    if (nth !== null && steps.length > 0) Object.assign(steps.at(-1), { nth: Number(nth[1]), isNth: true });
    else steps.push({ by: at < parts.length - 1 ? (isPath(part) ? 'xpath' : 'css selector') : by, selector: part, nth: 0 });
  }
  // If `nth` is the last part, the step before it is the last one, which has the locator's own way.
  steps.at(-1).by = by;
  return steps.length > STEPS_MAX ? [] : steps;
};

const linksThat = (scope, most, fits) => {
  const links = everyIn(scope, 'a');
  const found = [];
  for (let at = 0; at < Math.min(links.length, LINKS_MAX) && found.length < most; at += 1) {
    const link = links.item(at);
    if (link instanceof HTMLElement && fits(words(innerText(link)))) found.push(link);
  }
  return found;
};

const byCss = (scope, selector, most) => {
  if (most > 1) return [...everyIn(scope, selector)].slice(0, most);
  const element = firstIn(scope, selector);
  return element === null ? [] : [element];
};

// XPath does not reach into shadow trees, and is not evaluated in one. A path that begins at the document's root finds what
// is outside of the scope, too, which is left out.
const byXPath = (scope, selector, most) => {
  if (isRoot(scope)) return [];
  const path = scope === page ? selector : selector.replace(/^(\(*)\//, '$1./');
  const result = evaluateXPath(page, path, scope, null, 7, null);
  const found = [];
  for (let at = 0; at < result.snapshotLength && found.length < most; at += 1) {
    const node = result.snapshotItem(at);
    if (isElement(node) && contains(scope, node)) found.push(node);
    else if (at === 0 && most === 1 && scope === page) break;
  }
  return found;
};

const WAYS = {
  'css selector': byCss,
  xpath: byXPath,
  id: (scope, selector, most) => byCss(scope, `#${CSS.escape(selector)}`, most),
  name: (scope, selector, most) => byCss(scope, `[name="${CSS.escape(selector)}"]`, most),
  'tag name': (scope, selector, most) => byCss(scope, selector === '*' ? '*' : CSS.escape(selector), most),
  'class name': (scope, selector, most) => byCss(scope, `.${CSS.escape(selector)}`, most),
  'link text': (scope, selector, most) => linksThat(scope, most, (text) => text === words(selector)),
  'partial link text': (scope, selector, most) => linksThat(scope, most, (text) => text.includes(words(selector))),
  role: (scope, selector, most) => byRole(scope, selector, most),
  text: (scope, selector, most) => byText(scope, selector, most),
};
// The ways whose selectors are texts, which may themselves have the sign between steps.
const TEXTS = ['link text', 'partial link text', 'text'];

// Returns the first elements that a step finds in a document or element: at first those outside of shadow trees, then
// those inside. What is inside of a host begins with its shadow tree.
const elementsIn = (scope, { by, selector }, most) => {
  const own = isElement(scope) ? shadowOf(scope) : null;
  const found = own === null ? [] : WAYS[by](own, selector, most);
  if (found.length < most) found.push(...WAYS[by](scope, selector, most - found.length));
  if (found.length >= most) return found;
  const roots = own === null ? rootsIn(scope) : [...rootsIn(own), ...rootsIn(scope)];
  for (const root of roots) {
    found.push(...WAYS[by](root, selector, most - found.length));
    if (found.length >= most) break;
  }
  return found;
};

// Follows steps from the page's document inwards. Returns the elements that the last one finds, at most so many, or the
// frame in which the rest of the steps goes on.
const follow = (steps, most) => {
  let scope = page;
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1;
    const found = elementsIn(scope, step, step.nth + (isLast ? most : 1)).slice(step.nth);
    if (isLast || found.length === 0) return { elements: isLast ? found : [], step };
    [scope] = found;
    if (isFrame(scope)) return { elements: [], frame: scope, rest: steps.slice(at + 1) };
  }
  return null;
};

// Returns what a wish's locator addresses, as `follow` does; null if its selector is invalid. In a frame the wish has the
// steps that are left. A text may itself have the sign between steps, so it is tried as a whole first.
const locate = (wish, most = 1) => {
  try {
    if (wish.steps) return follow(wish.steps, most);
    const { by, selector } = wish;
    if (TEXTS.includes(by)) {
      const whole = follow([{ by, selector, nth: 0 }], most);
      if (whole.elements.length > 0) return whole;
    }
    return follow(stepsOf(by, selector), most);
  } catch {
    return null;
  }
};

// The ways that name what people see.
const PEOPLE_WAYS = ['role', 'text', 'link text', 'partial link text'];
// How many of the elements that a locator finds are compared.
const COMPARED_MAX = 20;
// Returns whether an element has a place in which people could see it. What is hidden for all but screen readers has none.
const hasPlace = (element) => {
  const list = isOption(element) ? closest(element, 'select') : null;
  if (list !== null) return hasPlace(list);
  const style = styleOf(element);
  if (!isDrawn(element) || style.opacity === '0' || style.pointerEvents === 'none') return false;
  const boxes = [boxOf(element), ...boxesOf(element)];
  return style.display === 'contents' || boxes.some((box) => box.width > 1 && box.height > 1);
};

// Returns the element that an action means: the first that its locator finds. If that one is not shown, it is the first
// shown one of those that people would name so, or the only one of them that is shown.
const elementMeant = ({ elements, step }) => {
  if (elements.length < 2 || step.isNth || hasPlace(elements[0])) return elements[0];
  const shown = elements.filter(hasPlace);
  return shown.length === 1 || PEOPLE_WAYS.includes(step.by) ? shown[0] ?? elements[0] : elements[0];
};

const isSeen = (element) => {
  const style = styleOf(element);
  return style.visibility !== 'hidden' && style.opacity !== '0';
};
const isShownToPeople = (element) => isVisible(element, VISIBLE) && (hasSize(boxOf(element)) || shownText(element) !== '');

// What must hold of an element for a query to find it, by the names of conditions.
const CONDITIONS = {
  present: () => true,
  visible: (element) => isInView(boxOf(element)) && isSeen(element),
  shown: isShownToPeople,
  text: (element, text) => isShownToPeople(element) && shownText(element).includes(words(text)),
  value: (element, value) => {
    const field = ownField(element);
    return field !== null && !hidesText(field) && textToRead(field) === value;
  },
  enabled: (element) => isShownToPeople(element) && !isDisabled(ownField(element) ?? element),
  checked: (element) => {
    const box = boxOfElement(element);
    return box !== null && isBoxChecked(box);
  },
};
// How many elements a query tries: the seed's queries look at the first alone.
const TRIED_MAX = 50;

// Returns the answer of a look to a query: whether it finds an element, null if its selector is invalid, or in which
// frame it goes on.
const answerTo = (query) => {
  const { condition, expected } = query;
  const located = locate(query, ['present', 'visible'].includes(condition) ? 1 : TRIED_MAX);
  if (located === null) return null;
  if (located.frame) return { frame: numberOf(located.frame), steps: located.rest };
  return located.elements.some((element) => CONDITIONS[condition](element, expected));
};
