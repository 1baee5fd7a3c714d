// Whether keys may go wherever the focus is, as for actions that have no element or only a box. That holds only in the
// document of the action, since a click may navigate.
let isAnywhere = false;

const isNear = (element) => {
  if (target === null) return isAnywhere;
  if (contains(target, element) || contains(element, target)) return true;
  const label = closest(target, 'label');
  return label !== null && controlOf(label) === element;
};

// Returns the element that has the focus, inside of any open shadow trees.
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
  return own !== target && contains(target, element) && (isEntry(field) || element === target);
};

// Returns where the focus is (`field`, `plain`, `frame`, `other` with a description, or `none`) and the page's origin.
const focused = () => {
  const element = activeElement(page);
  if (!isElement(element) || element === bodyOf(page) || element === rootElement(page)) return { state: 'none', origin };
  const field = hostOf(innermost(element));
  if (!isEntry(field) && !(element instanceof HTMLElement)) return { state: 'none', origin };
  if (!isMeant(element, field)) return { state: 'other', what: describe(element), origin };
  if (isFrame(element)) return { state: 'frame', origin };
  if (!isEntry(field)) return { state: 'plain', origin };
  if (field !== aimed.field) {
    // The page may have replaced the field with another one of the same kind before the click, which is accepted.
    const isOwn = target !== null && ownField(target) === field && kindOf(field) === aimed.kind;
    aimed = meant(field, kindOf(field), isOwn);
  }
  const isLine = !isTextArea(field) && !isHost(field);
  return { state: 'field', origin, way: wayOf(field), kind: kindOf(field), isLine, refusal: refusalOf(field) };
};

const hasFocus = (field) => {
  const element = activeElement(page);
  return isElement(element) && hostOf(innermost(element)) === field;
};

// Replaces all that a field holds by a text, if the field has the focus.
const putInto = (field, text) => {
  execCommand(page, 'selectAll');
  return hasFocus(field) && execCommand(page, text === '' ? 'delete' : 'insertText', false, text);
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
const isThere = (wish) => {
  const field = fieldNow(wish);
  if (field === null) return { state: 'gone' };
  return { state: hasFocus(field) || boxesFrom(field).some(hasFocus) ? 'there' : 'moved' };
};

const forget = () => {
  target = null;
  press = null;
  isAnywhere = true;
  return null;
};

const typing = { aimField, focused, insert, held, isThere, choose, chosen, forget };
