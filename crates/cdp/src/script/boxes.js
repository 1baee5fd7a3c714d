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
// Returns whether a box is checked. A component may keep that in the attribute alone, beside a box that it does not let be
// checked.
const isBoxChecked = (box) => (isInput(box) && isChecked(box)) || attribute(box, 'aria-checked') === 'true';
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
    const { element } = findTarget(aimedWish);
    aimedBox = element === undefined ? null : boxOfElement(element);
  }
  if (aimedBox === null) return {};
  const isRadio = attribute(aimedBox, 'role') === 'radio' || (isInput(aimedBox) && typeOfInput(aimedBox) === 'radio');
  return { isChecked: isBoxChecked(aimedBox), isRadio };
};

// Lists that pages make themselves: a button or field that opens a list of options.
const OPTIONS = '[role="option"], [role="menuitem"], [role="menuitemradio"], [role="menuitemcheckbox"], [role="treeitem"]';
const COMBOBOX = '[role="combobox"], [aria-haspopup], [role="listbox"], [role="menu"], [role="radiogroup"]';
let wanted = '';
let opener = null;
// How many parts of an opener are looked at for the chosen option.
const OPENER_PARTS_MAX = 100;

// The option that was aimed at last, and the texts that stood around the opener before it was opened.
let clickedOption = null;
let textsBefore = new Set();

// The options of other lists, which were there before the opener was clicked.
let others = new Set();

// Notes which option is wanted of the target's list, before the list is opened.
const wantOption = (text) => {
  wanted = words(text).normalize('NFC');
  const isOpen = target !== null && (attribute(target, 'aria-expanded') === 'true' || listOf(target) !== null);
  others = new Set(isOpen || target === null ? [] : shownOptions(target));
  clickedOption = null;
  textsBefore = new Set(target === null ? [] : textsAround(target));
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
  const inScope = (scope) => [...(isElement(scope) && scope !== list ? [scope] : []), ...everyIn(scope, OPTIONS)];
  return scopes.flatMap(inScope).filter(isThere);
};

// How far around an opener or a list its other parts are looked for.
const AROUND_MAX = 4;
const outwardFrom = (element) => {
  const all = [];
  for (let one = element; isElement(one) && all.length < AROUND_MAX; one = above(one)) all.push(one);
  return all;
};

// Returns the texts around an opener, outside of its list: what is chosen may stand beside the field in which it is
// searched for.
const textsAround = (element) => {
  const isOther = (one) => one !== element && !isWithin(one, element) && !isWithin(element, one);
  const lists = [listOf(element), clickedOption].filter((one) => one !== null && !isWithin(element, one));
  const isBeside = (one) => one instanceof HTMLElement && !isWithin(one, element) && closest(one, OPTIONS) === null &&
    hasPlace(one) && !lists.some((list) => isWithin(one, list) || isWithin(list, one));
  const parts = [];
  for (const outer of outwardFrom(element).slice(1)) {
    if ([...everyIn(outer, COMBOBOX)].some(isOther)) break;
    parts.push(...[...everyIn(outer, '*')].filter(isBeside).slice(0, OPENER_PARTS_MAX));
  }
  return parts.map((one) => words(innerText(one)).normalize('NFC'));
};

// Finds the opener that a locator addresses, and aims at it, or at what is around it if it is not what gets the clicks.
const aimOpener = (wish) => {
  const found = findTarget(wish);
  if (found.state !== 'found') return found;
  const own = aimAt(found.element, wish);
  const letsThrough = styleOf(found.element).pointerEvents === 'none';
  if ((own.lack === null && own.above === null) || (own.lack !== null && !letsThrough)) return own;
  // A click around the opener must reach no other control.
  const isFree = ({ x, y }) => {
    const top = topAt({ x, y });
    const control = top === null ? null : closest(top, NAMED_CONTROLS);
    return control === null || isWithin(control, found.element) || isWithin(found.element, control);
  };
  const isAnother = (one) => one !== found.element && !isWithin(one, found.element) && !isWithin(found.element, one);
  for (const outer of outwardFrom(found.element).slice(1)) {
    if ([...everyIn(outer, COMBOBOX)].some(isAnother)) break;
    const measured = aimAt(outer, wish);
    if (measured.lack === null && measured.above === null && isFree(measured)) return measured;
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
  clickedOption = option ?? null;
  if (option === undefined) {
    const there = options.slice(0, THERE_MAX).map((one) => whole(cut(nameOfOption(one), HELD_CHARS_MAX)));
    const isOpen = attribute(opener, 'aria-expanded') === 'true' || (list !== null && list !== opener && hasPlace(list));
    return { state: 'none', there, count: options.length, isOpen };
  }
  return aimAt(option, wish);
};

// Returns whether the option is chosen now, as far as the page shows it, and what the opener shows.
const optionState = () => {
  const element = isConnected(opener) ? opener : findTarget(aimedWish).element;
  if (element === undefined) return { state: 'gone' };
  const option = shownOptions(element).find((one) => !others.has(one) && nameOfOption(one) === wanted);
  const said = option === undefined ? null : attribute(option, 'aria-selected') ?? attribute(option, 'aria-checked');
  if (said === 'true') return { state: 'same' };
  const fields = [ownField(element), ...everyIn(element, FIELDS)].filter((one) => one !== null && !isSelect(one) && !hidesText(one));
  const inside = [element, ...everyIn(element, '*')].filter((one) => one instanceof HTMLElement).slice(0, OPENER_PARTS_MAX);
  const own = [...fields.map(textIn), ...inside.map((one) => innerText(one))].map((text) => words(text).normalize('NFC'));
  const shown = [...own, ...textsAround(element).filter((text) => !textsBefore.has(text))];
  const told = shown.find((text) => text !== '') ?? '';
  return { state: shown.includes(wanted) ? 'same' : 'other', holds: whole(cut(told, HELD_CHARS_MAX)) };
};
