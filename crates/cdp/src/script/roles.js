// Roles and accessible names of elements, as far as they are needed to find what people would name.
//
// Sources: https://www.w3.org/TR/html-aria/ and https://www.w3.org/TR/accname-1.2/
const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio',
  range: 'slider', number: 'spinbutton', search: 'searchbox', text: 'textbox', email: 'textbox', tel: 'textbox',
  url: 'textbox', password: 'textbox',
};
const TAG_ROLES = {
  button: 'button', summary: 'button', textarea: 'textbox', option: 'option', h1: 'heading', h2: 'heading', h3: 'heading',
  h4: 'heading', h5: 'heading', h6: 'heading', img: 'img', ul: 'list', ol: 'list', li: 'listitem', table: 'table',
  tr: 'row', td: 'cell', th: 'columnheader', nav: 'navigation', main: 'main', aside: 'complementary', form: 'form',
  section: 'region', article: 'article', dialog: 'dialog', progress: 'progressbar', meter: 'meter', output: 'status',
  p: 'paragraph', fieldset: 'group', details: 'group', hr: 'separator', header: 'banner', footer: 'contentinfo',
};
// The roles that take their names from what is in the element.
const NAMED_BY_CONTENT = new Set(['button', 'link', 'heading', 'option', 'tab', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'treeitem', 'cell', 'gridcell', 'columnheader', 'rowheader', 'row', 'checkbox', 'radio', 'switch',
  'tooltip', 'listitem']);
const NAME_CHARS_MAX = 2000;

const roleOfElement = (element) => {
  const said = words(attribute(element, 'role') ?? '').split(' ')[0].toLowerCase();
  if (said !== '') return said;
  const name = localName(element);
  if (name === 'a' || name === 'area') return attribute(element, 'href') === null ? '' : 'link';
  if (name === 'select') {
    return isMultiple(element) || Number(attribute(element, 'size')) > 1 ? 'listbox' : 'combobox';
  }
  if (name === 'input') {
    const role = INPUT_ROLES[typeOfInput(element)] ?? '';
    return role === 'textbox' && attribute(element, 'list') !== null ? 'combobox' : role;
  }
  if (name === 'img') return attribute(element, 'alt') === '' ? '' : 'img';
  if (isHost(element)) return 'textbox';
  return Object.hasOwn(TAG_ROLES, name) ? TAG_ROLES[name] : '';
};

// Returns whether an element is drawn. One with `display: contents`, as a slot, is where its content is.
const isDrawn = (element) => {
  for (let one = element; isElement(one); one = above(one)) {
    if (isVisible(one, { visibilityProperty: true })) return true;
    if (styleOf(one).display !== 'contents') return false;
  }
  return true;
};
const isHiddenFromPeople = (element) => attribute(element, 'aria-hidden') === 'true' || !isDrawn(element);

// Returns what a field adds to the name of what is around it: its value, if it has one.
const valueInName = (field) => (isInput(field) && ['checkbox', 'radio'].includes(typeOfInput(field)) ? '' : textToRead(field));

// Returns the text in an element as a name has it: with the texts that stand for pictures and fields, but for the field
// that is itself named.
const contentName = (element, named = null, depth = 0) => {
  let name = '';
  const root = shadowOf(element);
  const first = firstChild(root ?? element);
  const nodes = [];
  if (localName(element) === 'slot') nodes.push(...assignedTo(element, { flatten: true }));
  if (nodes.length === 0) for (let child = first; child !== null; child = nextSibling(child)) nodes.push(child);
  for (const node of nodes) {
    if (name.length > NAME_CHARS_MAX || depth > 30) break;
    if (nodeType(node) === 3) name += dataOf(node);
    if (!isElement(node) || node === named || isHiddenFromPeople(node)) continue;
    const own = nameGiven(node) || (isEntry(node) && !isHost(node) ? valueInName(node) : contentName(node, named, depth + 1));
    const isApart = !['inline', 'contents'].includes(styleOf(node).display);
    name += isApart ? ` ${own} ` : own;
  }
  return name;
};

// Returns the name that an element's attributes or labels give it.
const nameGiven = (element) => {
  const said = attribute(element, 'aria-label');
  if (said !== null && words(said) !== '') return said;
  const name = localName(element);
  if (isInput(element) && ['button', 'submit', 'reset'].includes(typeOfInput(element))) {
    const value = valueOfInput(element);
    return value !== '' ? value : { submit: 'Submit', reset: 'Reset' }[typeOfInput(element)] ?? '';
  }
  if (name === 'img' || name === 'area' || (isInput(element) && typeOfInput(element) === 'image')) {
    return attribute(element, 'alt') ?? '';
  }
  const inside = { fieldset: 'legend', figure: 'figcaption', table: 'caption' }[name];
  const heading = inside === undefined ? null : firstIn(element, inside);
  return heading === null ? '' : contentName(heading);
};

const labelsOf = (element) => {
  if (isInput(element)) return labelsOfInput(element) ?? [];
  if (isTextArea(element)) return labelsOfArea(element);
  if (isSelect(element)) return labelsOfSelect(element);
  // Buttons and components of a page's own can be labelled, too.
  const id = attribute(element, 'id') ?? '';
  const labels = id === '' ? [] : [...everyIn(rootOf(element), `label[for="${CSS.escape(id)}"]`)];
  const around = closest(element, 'label');
  if (around !== null && controlOf(around) === element) labels.push(around);
  return labels.filter((label) => controlOf(label) === element);
};

const nameOf = (element) => {
  const ids = words(attribute(element, 'aria-labelledby') ?? '').split(' ').filter((id) => id !== '');
  const named = ids.map((id) => firstIn(rootOf(element), `#${CSS.escape(id)}`)).filter((one) => one !== null);
  if (named.length > 0) return words(named.map((one) => nameGiven(one) || contentName(one)).join(' '));
  const given = words(nameGiven(element));
  if (given !== '') return given;
  const labels = [...labelsOf(element)];
  if (labels.length > 0) return words(labels.map((label) => contentName(label, element)).join(' '));
  const content = NAMED_BY_CONTENT.has(roleOfElement(element)) && !isEntry(element) ? words(contentName(element)) : '';
  if (content !== '') return content;
  return words(attribute(element, 'title') ?? attribute(element, 'placeholder') ?? '');
};

// A role, and a name in quotes that is the whole one (`=`) or a part of it (`*=`), in any case with `i` behind it.
const ROLE = /^([a-z]+)(?:\[name(\*?=)"((?:[^"\\]|\\.)*)"(\s+i)?\])?$/;

// The elements that can have a role.
const candidatesFor = (role) => {
  const tags = Object.keys(TAG_ROLES).filter((tag) => TAG_ROLES[tag] === role);
  const others = {
    link: ['a[href]', 'area[href]'], textbox: ['input', '[contenteditable]'], combobox: ['select', 'input[list]'],
    listbox: ['select'],
  }[role] ?? (Object.values(INPUT_ROLES).includes(role) ? ['input'] : []);
  return [`[role~="${role}" i]`, ...tags, ...others].join(', ');
};

const byRole = (scope, selector, most) => {
  const [, role, sign, quoted, anyCase] = ROLE.exec(selector.trim()) ?? [];
  if (role === undefined) throw new SyntaxError('no role');
  const fold = (text) => (anyCase ? words(text).toLowerCase() : words(text));
  const name = quoted === undefined ? null : fold(quoted.replace(/\\(.)/g, '$1'));
  const fits = (element) => {
    if (roleOfElement(element) !== role || isHiddenFromPeople(element)) return false;
    if (name === null) return true;
    const own = fold(nameOf(element));
    return sign === '=' ? own === name : own.includes(name);
  };
  const found = [];
  for (const element of everyIn(scope, candidatesFor(role))) {
    if (fits(element)) found.push(element);
    if (found.length >= most) break;
  }
  return found;
};

// Texts as people see them: what is inside, with white space folded and inline elements joined.
const shownText = (element) => {
  if (isInput(element) && ['button', 'submit', 'reset'].includes(typeOfInput(element))) return words(valueOfInput(element));
  if (!(element instanceof HTMLElement)) return words(textContent(element) ?? '');
  const inside = [shadowOf(element) ?? [], rootsIn(element)].flat().flatMap(childElements);
  return words([element, ...inside].map((one) => (one instanceof HTMLElement ? innerText(one) : '')).join(' '));
};
const isOption = (element) => localName(element) === 'option';
const UNSHOWN_TAGS = new Set(['script', 'style', 'noscript', 'template', 'head', 'title']);
const squeezed = (text) => text.replace(/\s+/g, '');

// Returns the innermost elements whose text is this one, and after them those whose text contains it.
const byText = (scope, selector, most) => {
  const text = words(selector);
  if (text === '') throw new SyntaxError('no text');
  const [part, whole, some] = [squeezed(text), [], []];
  const search = (element) => {
    if (UNSHOWN_TAGS.has(localName(element)) || !squeezed(textContent(element) ?? '').includes(part)) return false;
    let isDeeper = false;
    for (let child = firstChild(element); child !== null; child = nextSibling(child)) {
      if (isElement(child) && search(child)) isDeeper = true;
    }
    if (isDeeper) return true;
    const shown = shownText(element);
    if (!shown.includes(text) || !isVisible(element, { visibilityProperty: true })) return false;
    (shown === text ? whole : some).push(element);
    return true;
  };
  for (let child = firstChild(scope); child !== null; child = nextSibling(child)) if (isElement(child)) search(child);
  // What is an option of a native list is chosen, and nobody clicks it.
  whole.sort((one, other) => Number(isOption(one)) - Number(isOption(other)));
  for (const button of everyIn(scope, 'input:is([type="submit"], [type="button"], [type="reset"])')) {
    if (shownText(button) === text) whole.push(button);
  }
  return [...whole, ...some].slice(0, most);
};
