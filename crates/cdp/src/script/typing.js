// Whether keys may go wherever the focus is, as for actions that have no element or only a box. That holds only in the
// document of the action, since a click may navigate.
let isAnywhere = false;

const isNear = (element) => {
  if (target === null) return isAnywhere;
  if (isWithin(element, target) || isWithin(target, element)) return true;
  const label = closest(target, 'label');
  return label !== null && controlOf(label) === element;
};

// Returns the element that has the focus, inside of any shadow trees.
const innermost = (element) => {
  let inner = element;
  for (let shadow = shadowOf(inner); shadow !== null; shadow = shadowOf(inner)) {
    const next = activeInShadow(shadow);
    if (next === null) break;
    inner = next;
  }
  return inner;
};

const hostOf = (element) => {
  let host = element;
  while (host instanceof HTMLElement && isEditable(host) && !isEntry(host)) host = parentNode(host);
  return host;
};

// Returns whether keys for an element count as keys for the target. If the target is a field, no other element counts.
// If it is a label or component with a field, the other fields of that label or component count too.
const isMeant = (element, field) => {
  if (!isNear(element)) return false;
  const own = target !== null && isConnected(target) ? ownField(target) : null;
  if (own === null || own === field) return true;
  return own !== target && isWithin(element, target) && (isEntry(field) || element === target);
};

// Returns the element that has the focus; null if it is the whole page, or if another document has it.
const focusedElement = () => {
  const element = activeElement(page);
  if (!isElement(element) || !hasFocusWithin(page)) return null;
  const isPage = element === bodyOf(page) || element === rootElement(page);
  return isPage && !isEditable(element) ? null : innermost(element);
};

// Returns whether there is nothing in a field that could be deleted. A page may take a key in an empty field for another
// one, such as one that removes what was chosen last.
const validityOf = getter(HTMLInputElement, 'validity');
const isEmptied = (field) => !(isInput(field) && validityOf(field).badInput) &&
  (isHost(field) ? textContent(field) === '' && firstInElement(field, 'img, video, hr, [contenteditable="false"]') === null : textIn(field) === '');

// Returns where the focus is (`field`, `plain`, `frame`, `other` with a description, or `none`) and the page's origin.
const focused = () => {
  const element = focusedElement();
  if (!(element instanceof HTMLElement)) return { state: 'none', origin };
  const field = hostOf(element);
  if (!isMeant(element, field)) return { state: 'other', what: describe(element), origin };
  if (isFrame(element)) return { state: 'frame', origin };
  if (!isEntry(field)) return { state: 'plain', origin, isEditor: hasEditContext(element) };
  if (field !== aimed.field) {
    // The page may have replaced the field with another one of the same kind before the click, which is accepted.
    const isOwn = target !== null && ownField(target) === field && kindOf(field) === aimed.kind;
    aimed = meant(field, kindOf(field), isOwn);
  }
  const isLine = !isTextArea(field) && !isHost(field);
  return { state: 'field', origin, isEditor: isHost(field) || isUnseenInput(field), way: wayOf(field), kind: kindOf(field), isLine,
    isEmpty: isEmptied(field), refusal: refusalOf(field) };
};

const hasFocus = (field) => {
  const element = focusedElement();
  return element !== null && hostOf(element) === field;
};

// Replaces all that a field holds by a text, if the field has the focus.
const putInto = (field, text) => {
  execCommand(page, 'selectAll');
  return hasFocus(field) && execCommand(page, text === '' ? 'delete' : 'insertText', false, text);
};

// Editors keep their text in a model of their own, and draw it. They type brackets, indents and lists by themselves, so
// that a text gets into them unchanged only as a whole, as from a clipboard, and is read like what is copied.
//
// An editor's input is a field that nobody sees, or an element with an edit context.
const isUnseenInput = (field) => {
  if (!isTextArea(field)) return false;
  if (!isVisible(field, VISIBLE)) return true;
  const box = boxOf(field);
  const top = topAt({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
  return top === null || !isWithin(top, field);
};
const editContextOf = 'EditContext' in globalThis ? getter(HTMLElement, 'editContext') : () => null;
const hasEditContext = (element) => editContextOf(element) !== null;

// Offers a text to the editor that has the focus. Returns whether the editor took it.
const paste = (wish) => {
  const element = focusedElement();
  if (!(element instanceof HTMLElement)) return { state: 'moved' };
  if (wish.origins !== null && !wish.origins.includes(origin)) return { state: 'foreign', origin };
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', wish.text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true });
  return { state: dispatch(element, event) ? 'ignored' : 'taken' };
};

// Puts the cursor behind what is selected in an editor. Returns whether that goes without a key.
const collapse = () => {
  const element = focusedElement();
  const selection = getSelection();
  if (element === null || !isHost(hostOf(element)) || selection === null || selection.rangeCount === 0) return false;
  selection.collapseToEnd();
  return true;
};

// Returns what the editor that has the focus would copy of what is selected; null if it copies nothing.
const copied = (element) => {
  const clipboardData = new DataTransfer();
  const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true, composed: true });
  return dispatch(element, event) ? null : clipboardData.getData('text/plain');
};
const linesIn = (text) =>
  text.replaceAll('\u00a0', ' ').split('\n').map((line) => line.trimEnd()).filter((line) => line !== '').join('\n');

// Returns whether the editor that has the focus, in which all is selected, holds a text.
const heldByEditor = (wish) => {
  const element = focusedElement();
  if (element === null) return { state: 'gone' };
  const field = hostOf(element);
  const value = (copied(element) ?? (isEntry(field) ? textIn(field) : '')).replaceAll('\r\n', '\n');
  const isSame = value === wish.text || value === `${wish.text}\n`;
  const isWrittenSo = linesIn(value) === linesIn(wish.text);
  return {
    state: isSame ? 'same' : isWrittenSo ? 'written' : 'other',
    count: [...value].length, lengthMax: -1, isSecret: false, holds: whole(cut(value, HELD_CHARS_MAX)),
  };
};

// Returns the boxes that can hold a text exactly, each filled with as many letters as it accepts.
const boxesFor = (field, text) => {
  const size = isInput(field) ? lengthMaxOf(field) : -1;
  if (size < 1 || size >= text.length) return null;
  const boxes = boxesFrom(field);
  if (boxes.length * size !== text.length) return null;
  return boxes.map((box, at) => [box, text.slice(at * size, (at + 1) * size)]);
};

// Types a text that only some fields and pages may receive. The destination is checked in the same step, so that it
// cannot change in between.
const insert = (wish) => {
  const refusal = refusalNow(wish);
  if (refusal !== null) return refusal;
  const { field, kind } = aimed;
  if (!hasFocus(field)) return { state: 'moved' };
  const boxes = boxesFor(field, wish.text);
  if (boxes === null) return { state: putInto(field, wish.text) ? 'typed' : 'unfit' };
  for (const [box, part] of boxes) {
    focusOn(box, { preventScroll: true });
    const isReady = hasFocus(box) && isConnected(box) && kindOf(box) === kind && refusalOf(box) === null;
    if (!isReady || !putInto(box, part)) return { state: 'moved' };
  }
  return { state: 'typed' };
};

// Returns whether the rest of a text may be typed. `there`: it may. `gone`: the field does not exist any more. `moved`:
// the focus is somewhere other than the field and the boxes after it, so an Enter might press a button.
const isThere = () => {
  const field = fieldNow();
  if (field === null) return { state: 'gone' };
  return { state: hasFocus(field) || boxesFrom(field).some(hasFocus) ? 'there' : 'moved' };
};

const forget = () => {
  target = null;
  press = null;
  isAnywhere = true;
  return null;
};

const typing = { aimField, focused, insert, paste, collapse, heldByEditor, held, isThere, choose, chosen, forget };
