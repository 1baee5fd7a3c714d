// Boxes that are checked, and lists that are made of other elements than `select`.
const CHECKED_ROLES = ['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'];
const CHECKED = `input:is([type="checkbox"], [type="radio"]), ${CHECKED_ROLES.map((role) => `[role="${role}"]`).join(', ')}`;
const isChecked = getter(HTMLInputElement, 'checked');

// Returns the box that an element is, is in, labels, or alone contains; null if there is none.
const boxOfElement = (element) => {
  const label = closest(element, 'label');
  const labelled = label === null ? null : controlOf(label);
  const around = closest(element, CHECKED);
  if (around !== null) return around;
  if (labelled !== null && matches(labelled, CHECKED)) return labelled;
  const root = shadowOf(element);
  const inside = [...everyIn(element, CHECKED), ...(root === null ? [] : everyIn(root, CHECKED))];
  return inside.length === 1 ? inside[0] : null;
};
let aimedBox = null;

// Finds the box of the element that a locator addresses, and aims at it, or at its label if the box itself is not shown
// or is covered by it.
const aimBox = (wish) => {
  const found = findTarget(wish);
  if (found.state !== 'found') return found;
  aimedBox = boxOfElement(found.element);
  const own = aimAt(aimedBox ?? found.element, wish);
  if (aimedBox === null || (own.lack === null && own.above === null)) return own;
  const labels = isInput(aimedBox) ? [...(labelsOfInput(aimedBox) ?? [])] : [];
  for (const element of [...labels, found.element]) {
    const measured = aimAt(element, wish);
    if (measured.lack === null && measured.above === null) return measured;
  }
  return aimAt(aimedBox, wish);
};

// Returns whether the box is checked, and whether it is a radio button; nothing if there is no box.
const boxState = () => {
  if (aimedBox !== null && !isConnected(aimedBox)) {
    const [element] = locate(aimedWish)?.elements ?? [];
    aimedBox = element === undefined ? null : boxOfElement(element);
  }
  if (aimedBox === null) return {};
  const said = attribute(aimedBox, 'aria-checked');
  // A component may keep its state in the attribute alone, beside a box that it does not let be checked.
  if (isInput(aimedBox) && (said === null || attribute(aimedBox, 'role') === null)) {
    return { isChecked: isChecked(aimedBox), isRadio: typeOfInput(aimedBox) === 'radio' };
  }
  return { isChecked: said === 'true', isRadio: attribute(aimedBox, 'role') === 'radio' };
};

// Lists that pages make themselves: a button or field that opens a list of options.
const OPTIONS = '[role="option"], [role="menuitem"], [role="menuitemradio"], [role="menuitemcheckbox"], [role="treeitem"]';
const COMBOBOX = '[role="combobox"], [aria-haspopup], [role="listbox"], [role="menu"], [role="radiogroup"]';
let wanted = '';
let opener = null;
// How many parts of an opener are looked at for the chosen option.
const OPENER_PARTS_MAX = 100;

// The options of other lists, which were there before the opener was clicked.
let others = new Set();

// Notes which option is wanted of the target's list, before the list is opened.
const wantOption = (text) => {
  wanted = words(text).normalize('NFC');
  const isOpen = target !== null && (attribute(target, 'aria-expanded') === 'true' || listOf(target) !== null);
  others = new Set(isOpen || target === null ? [] : shownOptions(target));
  return null;
};

// Returns the list that an opener names, or null.
const listOf = (element) => {
  const named = [element, ...everyIn(element, COMBOBOX)].flatMap((one) =>
    ['aria-controls', 'aria-owns'].flatMap((name) => (attribute(one, name) ?? '').split(/\s+/)));
  for (const id of named.filter((one) => one !== '')) {
    const list = firstIn(rootOf(element), `#${CSS.escape(id)}`);
    if (list !== null) return list;
  }
  return matches(element, '[role="listbox"], [role="menu"]') ? element : null;
};
const nameOfOption = (option) => {
  const shown = option instanceof HTMLElement ? words(innerText(option)) : '';
  return words(attribute(option, 'aria-label') ?? (shown !== '' ? shown : contentName(option))).normalize('NFC');
};

const shownOptions = (element) => {
  const list = listOf(element);
  const scopes = list === null ? [page, ...rootsIn(page)] : [list];
  // The options of a component stand in the document, and its list has slots for them.
  const slots = list === null ? [] : [...everyIn(list, 'slot')];
  scopes.push(...slots.flatMap((slot) => assignedTo(slot, { flatten: true })).filter(isElement));
  const isThere = (one) => matches(one, OPTIONS) && isShown(one);
  return scopes.flatMap((scope) => (isElement(scope) && scope !== list ? [scope, ...everyIn(scope, OPTIONS)] : [...everyIn(scope, OPTIONS)])).filter(isThere);
};

// How far around an opener or a list its other parts are looked for.
const AROUND_MAX = 4;
const outwardFrom = (element) => {
  const all = [];
  for (let one = element; isElement(one) && all.length < AROUND_MAX; one = above(one)) all.push(one);
  return all;
};

// Finds the opener that a locator addresses, and aims at it, or at what is around it if it is not what gets the clicks.
const aimOpener = (wish) => {
  const found = findTarget(wish);
  if (found.state !== 'found') return found;
  const own = aimAt(found.element, wish);
  if (own.lack === null && own.above === null) return own;
  const isAnother = (one) => one !== found.element && !isWithin(one, found.element) && !isWithin(found.element, one);
  for (const outer of outwardFrom(found.element).slice(1)) {
    if ([...everyIn(outer, COMBOBOX)].some(isAnother)) break;
    const measured = aimAt(outer, wish);
    if (measured.lack === null && measured.above === null) return measured;
  }
  return aimAt(found.element, wish);
};

// Returns the shown part of a list with the wanted text, if the list has its options beside what is shown of them.
const drawnOption = (list) => {
  for (const scope of outwardFrom(list)) {
    const isFree = (one) => hasPlace(one) && !isWithin(one, opener) && !others.has(one) && shownText(one).normalize('NFC') === wanted;
    const drawn = byText(scope, wanted, COMPARED_MAX).find(isFree);
    if (drawn !== undefined) return drawn;
  }
  return undefined;
};

// Finds the opener that a locator addresses, and aims at the wanted option of its list.
const aimOption = (wish) => {
  const found = findTarget(wish);
  if (found.state !== 'found') return found;
  opener = found.element;
  const options = shownOptions(opener).filter((one) => !others.has(one));
  const list = listOf(opener);
  const isDrawnBeside = list !== null && list !== opener && !hasPlace(list) && isConnected(list);
  const option = options.find((one) => nameOfOption(one) === wanted) ?? (isDrawnBeside ? drawnOption(list) : undefined);
  if (option === undefined) {
    const there = options.slice(0, THERE_MAX).map((one) => whole(cut(nameOfOption(one), HELD_CHARS_MAX)));
    return { state: 'none', there, count: options.length };
  }
  return aimAt(option, wish);
};

// Returns whether the option is chosen now, as far as the page shows it, and what the opener shows.
const optionState = () => {
  const [element] = isConnected(opener) ? [opener] : locate(aimedWish)?.elements ?? [];
  if (element === undefined) return { state: 'gone' };
  const option = shownOptions(element).find((one) => !others.has(one) && nameOfOption(one) === wanted);
  const said = option === undefined ? null : attribute(option, 'aria-selected') ?? attribute(option, 'aria-checked');
  if (said === 'true') return { state: 'same' };
  const fields = [ownField(element), ...everyIn(element, FIELDS)].filter((one) => one !== null && !isSelect(one) && !hidesText(one));
  const inside = [element, ...everyIn(element, '*')].slice(0, OPENER_PARTS_MAX);
  const isOther = (one) => one !== element && !isWithin(one, element) && !isWithin(element, one);
  // What is chosen may stand beside the field in which it is searched for.
  for (const outer of outwardFrom(element).slice(1)) {
    if ([...everyIn(outer, COMBOBOX)].some(isOther)) break;
    inside.push(...[...everyIn(outer, '*')].filter((one) => closest(one, OPTIONS) === null).slice(0, OPENER_PARTS_MAX));
  }
  const texts = inside.filter((one) => one instanceof HTMLElement && hasPlace(one)).map((one) => innerText(one));
  const shown = [...fields.map(textIn), ...texts].map((text) => words(text).normalize('NFC'));
  const told = shown.find((text) => text !== '') ?? '';
  return { state: shown.includes(wanted) ? 'same' : 'other', holds: whole(cut(told, HELD_CHARS_MAX)) };
};
