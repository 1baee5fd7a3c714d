// Where typed keys go.
const takesText = (element) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement || (element instanceof HTMLElement && isEditable(element));

const isTarget = (element) => {
  if (target === null) return true;
  if (isRelated(element)) return true;
  const label = closest(target, 'label');
  return label !== null && controlOf(label) === element;
};

// `field`, `frame`, `other` with what it is, or `none`; and the page's origin.
const focused = () => {
  const element = activeElement(page);
  if (!isElement(element) || element === bodyOf(page) || element === rootElement(page)) return { state: 'none', origin };
  if (isFrame(element)) return { state: 'frame', origin };
  if (!takesText(element) && !(element instanceof HTMLElement)) return { state: 'none', origin };
  if (!isTarget(element)) return { state: 'other', what: describe(element), origin };
  return { state: takesText(element) ? 'field' : 'plain', origin };
};

// Types a text that belongs to some origins alone: it is checked where it goes, and goes there, in one step.
const insert = ({ text, origins }) => {
  const { state } = focused();
  if (!origins.includes(origin)) return { state: 'foreign', origin };
  if (state !== 'field') return { state, origin };
  return { state: execCommand(page, 'insertText', false, text) ? 'typed' : 'refused', origin };
};

// Keys alone are pressed wherever the focus is.
const forget = () => {
  target = null;
  return null;
};
