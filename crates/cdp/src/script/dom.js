// The DOM's own functions, taken from their prototypes. A form with a field named `attributes`, or an image named
// `querySelector`, hides the property of that name on the form or document, but not on the prototype.
const getter = (type, name) => {
  const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
  return (node) => get.call(node);
};
const setter = (type, name) => {
  const { set } = Object.getOwnPropertyDescriptor(type.prototype, name);
  return (node, value) => set.call(node, value);
};
const method = (type, name) => {
  const own = type.prototype[name];
  return (node, ...rest) => own.call(node, ...rest);
};
// Returns a method without arguments, as `method` does, but faster. A look calls such methods many thousands of times.
const plainMethod = (type, name) => {
  const own = type.prototype[name];
  return (node) => own.call(node);
};

const page = document;
const firstChild = getter(Node, 'firstChild');
const nextSibling = getter(Node, 'nextSibling');
const parentNode = getter(Node, 'parentNode');
const nodeType = getter(Node, 'nodeType');
const isConnected = getter(Node, 'isConnected');
const contains = method(Node, 'contains');
const rootOf = plainMethod(Node, 'getRootNode');
const appendChild = method(Node, 'appendChild');
const textContent = getter(Node, 'textContent');
const dataOf = getter(CharacterData, 'data');
const lengthOf = getter(CharacterData, 'length');
const substring = method(CharacterData, 'substringData');
const localName = getter(Element, 'localName');
const attribute = method(Element, 'getAttribute');
const attributeNames = plainMethod(Element, 'getAttributeNames');
const matches = method(Element, 'matches');
const boxOf = plainMethod(Element, 'getBoundingClientRect');
const boxesOf = plainMethod(Element, 'getClientRects');
const intoView = method(Element, 'scrollIntoView');
const closest = method(Element, 'closest');
const isVisible = method(Element, 'checkVisibility');
const VISIBLE = { visibilityProperty: true, opacityProperty: true };
const removeElement = method(Element, 'remove');
const attachShadow = method(Element, 'attachShadow');
const offsetWidth = getter(HTMLElement, 'offsetWidth');
const offsetHeight = getter(HTMLElement, 'offsetHeight');
const innerText = getter(HTMLElement, 'innerText');
const isEditable = getter(HTMLElement, 'isContentEditable');
const firstInDocument = method(Document, 'querySelector');
const firstInFragment = method(DocumentFragment, 'querySelector');
const firstInElement = method(Element, 'querySelector');
const everyInDocument = method(Document, 'querySelectorAll');
const everyInFragment = method(DocumentFragment, 'querySelectorAll');
const everyInElement = method(Element, 'querySelectorAll');
const evaluateXPath = method(Document, 'evaluate');
const elementAt = method(Document, 'elementFromPoint');
const elementAtIn = method(ShadowRoot, 'elementFromPoint');
const hasFocusWithin = plainMethod(Document, 'hasFocus');
const activeElement = getter(Document, 'activeElement');
const rootElement = getter(Document, 'documentElement');
const bodyOf = getter(Document, 'body');
const titleOf = getter(Document, 'title');
const readyState = getter(Document, 'readyState');
const createElement = method(Document, 'createElement');
const createWalker = method(Document, 'createTreeWalker');
const createRange = plainMethod(Document, 'createRange');
const selectContents = method(Range, 'selectNodeContents');
const rangeBoxes = plainMethod(Range, 'getClientRects');
const execCommand = method(Document, 'execCommand');
const nextNode = plainMethod(TreeWalker, 'nextNode');
const valueOfInput = getter(HTMLInputElement, 'value');
const typeOfInput = getter(HTMLInputElement, 'type');
const valueOfArea = getter(HTMLTextAreaElement, 'value');
const labelsOfInput = getter(HTMLInputElement, 'labels');
const labelsOfArea = getter(HTMLTextAreaElement, 'labels');
const labelsOfSelect = getter(HTMLSelectElement, 'labels');
const controlOf = getter(HTMLLabelElement, 'control');
const dispatch = method(EventTarget, 'dispatchEvent');
const openRootOf = getter(Element, 'shadowRoot');
const hostOfRoot = getter(ShadowRoot, 'host');
const slotOf = getter(Element, 'assignedSlot');
const slotOfText = getter(Text, 'assignedSlot');
const assignedTo = method(HTMLSlotElement, 'assignedNodes');
const activeInShadow = getter(ShadowRoot, 'activeElement');
const focusOn = method(HTMLElement, 'focus');
const blur = method(HTMLElement, 'blur');
const formOf = getter(HTMLInputElement, 'form');
const lengthMaxOf = getter(HTMLInputElement, 'maxLength');
const selectionStart = getter(HTMLInputElement, 'selectionStart');
const selectionEnd = getter(HTMLInputElement, 'selectionEnd');
const isLockedInput = getter(HTMLInputElement, 'readOnly');
const isLockedArea = getter(HTMLTextAreaElement, 'readOnly');
const setType = setter(HTMLInputElement, 'type');
const setValue = setter(HTMLInputElement, 'value');
const setAttribute = method(Element, 'setAttribute');
const isMultiple = getter(HTMLSelectElement, 'multiple');
const optionsOf = getter(HTMLSelectElement, 'options');
const isSelected = getter(HTMLOptionElement, 'selected');
const setSelected = setter(HTMLOptionElement, 'selected');
const labelOfOption = getter(HTMLOptionElement, 'label');
const valueOfOption = getter(HTMLOptionElement, 'value');
const styleOf = (element) => getComputedStyle(element);

const isElement = (node) => node !== null && node !== undefined && nodeType(node) === 1;

// Replaces unpaired surrogates in a text, since they cannot be sent to the Rust side.
const whole = (text) => text.toWellFormed();
const cut = (text, length) => (text.length > length ? text.slice(0, length) : text);

// The Rust side cuts the texts of a look after removing the secrets. So each text is sent with `reach` more characters,
// enough to complete a secret that begins before the cut. Together, the texts of a look may have at most this many of
// the additional characters; a text that would exceed that is left out.
const MORE_CHARS_MAX = 250000;
let reach = 0;
let room = 0;
const handedOver = (text, length) => {
  const more = cut(text, length + reach + 1);
  if (more.length <= length + 1) return whole(more);
  room -= Math.max(0, more.length - length - 1);
  return room < 0 ? null : whole(more);
};

const isShown = (element) => {
  if (!(element instanceof HTMLElement)) return false;
  if (!(offsetWidth(element) > 0 && offsetHeight(element) > 0)) return false;
  // This check is faster than the three below, but it also fails if only an ancestor hides the element.
  if (isVisible(element, VISIBLE)) return true;
  const style = styleOf(element);
  return style.display !== 'none' && style.visibility !== 'hidden' && style.opacity !== '0';
};

// The part of this document that can be seen, in pixels of its viewport: all of it for the page itself, and for a frame
// what the documents around it show. A look sets it.
let view = { left: 0, top: 0, right: 0, bottom: 0 };
const wholeView = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
const touchesView = (box) =>
  box.bottom > view.top && box.right > view.left && box.top < view.bottom && box.left < view.right;

const isInView = (box) =>
  box.width > 0 && box.height > 0 && box.top >= view.top && box.left >= view.left &&
  box.bottom <= view.bottom && box.right <= view.right;

// Returns whether an element contains a document of its own, of which only the element's box is known here.
const isFrame = (element) => ['iframe', 'frame', 'object', 'embed', 'fencedframe'].includes(localName(element));

// Where this document's viewport is in the page's document, and how large a pixel of it is there. A look sets it.
let place = { x: 0, y: 0, scale: 1 };
const inPage = (box) => [
  place.x + box.left * place.scale, place.y + box.top * place.scale, box.width * place.scale, box.height * place.scale,
].map((number) => Math.round(number * 100) / 100);
