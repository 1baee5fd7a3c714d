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
  if (isInput(aimedBox)) return { isChecked: isChecked(aimedBox), isRadio: typeOfInput(aimedBox) === 'radio' };
  const said = attribute(aimedBox, 'aria-checked');
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
const nameOfOption = (option) =>
  words(attribute(option, 'aria-label') ?? (option instanceof HTMLElement ? innerText(option) : '')).normalize('NFC');

const shownOptions = (element) => {
  const list = listOf(element);
  const scopes = list === null ? [page, ...rootsIn(page)] : [list];
  return scopes.flatMap((scope) => [...everyIn(scope, OPTIONS)]).filter((one) => isShown(one));
};

// Finds the opener that a locator addresses, and aims at the wanted option of its list.
const aimOption = (wish) => {
  const found = findTarget(wish);
  if (found.state !== 'found') return found;
  opener = found.element;
  const options = shownOptions(opener).filter((one) => !others.has(one));
  const option = options.find((one) => nameOfOption(one) === wanted);
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
  const inside = [element, ...everyIn(element, '*')].filter((one) => one instanceof HTMLElement).slice(0, OPENER_PARTS_MAX);
  const shown = [...fields.map(textIn), ...inside.map((one) => innerText(one))].map((text) => words(text).normalize('NFC'));
  const told = shown.find((text) => text !== '') ?? '';
  return { state: shown.includes(wanted) ? 'same' : 'other', holds: whole(cut(told, HELD_CHARS_MAX)) };
};
