// Finds out which field an action addresses, what the field accepts, and what it holds.
// The types of fields for which browsers have controls of their own. What a key does in such a control depends on the
// language, so these fields are set without keys.
const SET = ['date', 'month', 'week', 'time', 'datetime-local', 'color', 'range'];
const CLICKED = ['checkbox', 'radio', 'button', 'submit', 'reset', 'image'];
const FIELDS = 'input, textarea, select';
// The most characters that are sent of a field's content. It is far more than is shown, since a secret that begins in
// the shown part must be complete to be hidden.
const HELD_CHARS_MAX = 1200;
const FIELD_BOXES_MAX = 64;

// Describes the field that an action addresses, with its kind at that moment. `isOwn` states whether the locator
// addresses the field itself, its label, or the component whose shadow contains it. `wanted` is the value to which the
// field was set, if any.
const meant = (field, kind, isOwn) => ({ field, kind, isOwn, isClosed: false, wanted: null });
let aimed = meant(null, '', false);

const isInput = (element) => element instanceof HTMLInputElement;
const isTextArea = (element) => element instanceof HTMLTextAreaElement;
const isSelect = (element) => element instanceof HTMLSelectElement;
const isHost = (element) => {
  if (!(element instanceof HTMLElement) || !isEditable(element)) return false;
  const parent = parentNode(element);
  return !(parent instanceof HTMLElement && isEditable(parent));
};
const isEntry = (element) => isInput(element) || isTextArea(element) || isSelect(element) || isHost(element);

const kindOf = (field) => {
  if (isInput(field)) return `${typeOfInput(field)} field`;
  return isHost(field) ? 'editable text' : localName(field);
};
const hidesText = (field) => isInput(field) && typeOfInput(field) === 'password';
const wayOf = (field) => {
  if (isSelect(field)) return 'choose';
  if (isInput(field)) return SET.includes(typeOfInput(field)) ? 'set' : 'keys';
  return field === null ? 'none' : 'keys';
};

// Returns why nothing may be typed into a field, wherever the focus is, and whether that reason is permanent.
const offOf = (field) => {
  const type = isInput(field) ? typeOfInput(field) : '';
  if (type === 'file') return { words: 'the field takes a file, which `upload` gives to it', isFinal: true };
  if (CLICKED.includes(type)) {
    return { words: `the element is of the type ${type}: it is clicked, and takes no text`, isFinal: true };
  }
  const isOff = field !== null && (matches(field, ':disabled') || attribute(field, 'aria-disabled') === 'true');
  return isOff ? { words: 'the field is disabled', isFinal: false } : null;
};
// Returns why a field is locked now. The lock may be temporary, since some pages unlock a field on focus.
const lockOf = (field) => {
  const isLocked = (isInput(field) && isLockedInput(field)) || (isTextArea(field) && isLockedArea(field)) ||
    attribute(field, 'aria-readonly') === 'true';
  return isLocked ? { words: 'the field is read-only', isFinal: false } : null;
};
const refusalOf = (field) => offOf(field) ?? lockOf(field);

const fieldInShadow = (element) => {
  const shadow = shadowOf(element);
  if (shadow === null) return null;
  const fields = everyIn(shadow, FIELDS);
  return fields.length === 1 ? fields.item(0) : null;
};

// Returns the field that an element is, or that it stands for as a label or component.
const ownField = (element) => {
  if (isEntry(element)) return element;
  const own = element instanceof HTMLLabelElement ? controlOf(element) : fieldInShadow(element);
  return own !== null && isEntry(own) ? own : null;
};

// Returns the field inside an element that is at the point of the click.
const fieldAt = (element, { x, y }) => {
  const at = topmost(x, y);
  if (at === null || !isWithin(at, element)) return null;
  for (let node = at; isElement(node) && node !== element; node = above(node)) if (isEntry(node)) return node;
  return null;
};

// Finds an element in the manner of `aim`, and the field that it stands for.
const aimField = (wish) => {
  aimed = meant(null, '', false);
  const measured = aim(wish);
  if (measured.state !== 'found') return measured;
  const own = ownField(target);
  const field = own ?? fieldAt(target, measured);
  aimed = meant(field, field === null ? '' : kindOf(field), own !== null);
  return { ...measured, way: wayOf(field), isOwn: own !== null, refusal: offOf(field) };
};

// Returns why a text must not go into the field that an action addresses. A secret must go into no other field, nor
// into this one if its kind has changed.
const refusalNow = ({ origins, isSecret }, refusing = refusalOf) => {
  const { field, kind, isOwn } = aimed;
  if (origins !== null && !origins.includes(origin)) return { state: 'foreign', origin };
  if (field === null || !isConnected(field)) return { state: 'gone' };
  if (isSecret && !isOwn) return { state: 'notOwn' };
  if (isSecret && kindOf(field) !== kind) return { state: 'changed', was: kind, is: kindOf(field) };
  const refusal = refusing(field);
  return refusal === null ? null : { state: 'refused', ...refusal };
};

const textIn = (field) => {
  if (isInput(field)) return valueOfInput(field);
  return isTextArea(field) ? valueOfArea(field) : innerText(field).replaceAll('\u00a0', ' ').replace(/\n$/, '');
};

// Returns a text as an email field holds it, with the host in ASCII.
const withPlainHost = (text) => {
  const at = text.lastIndexOf('@') + 1;
  const url = URL.parse(`http://${text.slice(at)}`);
  return at > 0 && url !== null ? text.slice(0, at) + url.hostname : text;
};

// Returns `same` if a field holds the text, `written` if it holds the text as the page has reformatted it, otherwise
// `other`.
const comparison = (field, value, text) => {
  if (value === text) return 'same';
  if (isInput(field) && typeOfInput(field) === 'number') {
    return value !== '' && text.trim() !== '' && Number(value) === Number(text) ? 'same' : 'other';
  }
  if (isInput(field) && typeOfInput(field) === 'email' && withPlainHost(text) === value) return 'same';
  // What an editor adds by itself, as a bracket or an indent, makes another text.
  if (isHost(field)) return linesIn(value) === linesIn(text) ? 'same' : 'other';
  return !hidesText(field) && isWritten(value, text) ? 'written' : 'other';
};

// Returns a field's value without the selected completion that a page may append, since the next key replaces it.
const withoutProposal = (field, value) => {
  if (!isInput(field)) return value;
  const [start, end] = [selectionStart(field), selectionEnd(field)];
  return start !== null && start > 0 && start < end && end === value.length ? value.slice(0, start) : value;
};

// Returns consecutive fields of the same kind in a form, beginning with this one. They may be boxes of a few letters
// each.
const boxesFrom = (field) => {
  if (!isInput(field)) return [field];
  const all = [...everyIn(formOf(field) ?? rootOf(field), FIELDS)].filter((one) => isShown(one));
  const boxes = [];
  for (const one of all.slice(Math.max(all.indexOf(field), 0))) {
    const isBox = isInput(one) && kindOf(one) === kindOf(field) && lengthMaxOf(one) === lengthMaxOf(field);
    if (!isBox || boxes.length >= FIELD_BOXES_MAX) break;
    boxes.push(one);
  }
  return boxes.includes(field) ? boxes : [field];
};

const isOverBoxes = (field, text) => {
  const values = [];
  let length = 0;
  for (const box of boxesFrom(field)) {
    if (length >= text.length) break;
    values.push(valueOfInput(box));
    length += valueOfInput(box).length;
  }
  if (values.length < 2) return false;
  const size = values[0].length;
  const isEven = values.slice(0, -1).every((value) => value.length === size) && values.at(-1).length <= size;
  return size > 0 && isEven && values.join('').toUpperCase() === text.toUpperCase();
};

// Returns the field that an action addresses, or the one with which the page has replaced it; null if there is none, as
// after a navigation.
const fieldNow = () => {
  if (aimed.field === null || isConnected(aimed.field)) return aimed.field;
  const { element } = findTarget(aimedWish);
  return element === undefined ? null : ownField(element);
};

// Returns whether the field holds the text, and what it holds. For a secret or a password field only the length is
// returned.
const held = (wish) => {
  const field = fieldNow();
  if (field === null || isSelect(field)) return { state: 'gone' };
  const value = textIn(field);
  let state = comparison(field, value, wish.text);
  // After an Enter, the page may have cleared the field, which then holds only the text that followed.
  if (wish.isEntered && `\n${wish.text}`.endsWith(`\n${value}`)) state = 'same';
  const proposed = withoutProposal(field, value);
  if (state === 'other' && proposed !== value && comparison(field, proposed, wish.text) !== 'other') state = 'written';
  if (state === 'other' && isInput(field) && isOverBoxes(field, wish.text)) state = 'same';
  const isHidden = wish.isSecret || hidesText(field);
  const isLimited = isInput(field) || isTextArea(field);
  return {
    state, isSecret: wish.isSecret, count: [...value].length,
    lengthMax: isLimited ? Number(attribute(field, 'maxlength') ?? -1) : -1,
    holds: isHidden ? null : whole(cut(value, HELD_CHARS_MAX)),
  };
};
