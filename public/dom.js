// Creates nodes. Text is inserted as text, never as markup, since names and titles come from strangers.

/** `el('p', {class, testid, on: {click}, ...attributes}, 'text', node, ...)` */
export function el(tag, { testid, on = {}, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  if (testid) node.dataset.testid = testid;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== null && value !== '') node.setAttribute(name, value);
  }
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  node.append(...children.filter((child) => child || child === 0));
  return node;
}

// The least width and height of a picture, in pixels. A deleted picture is often replaced by a file of one pixel.
const PIXELS_MIN = 16;

/** A picture from the first address that works; `gone` is called if none does. */
export function picture(urls, { alt = '', loaded = () => {}, gone = () => {}, ...rest }) {
  // The policy is set before the address, so that even the first request has no referrer.
  const image = el('img', { ...rest, referrerpolicy: 'no-referrer', decoding: 'async' });
  image.alt = alt;
  const left = [...urls];
  const next = () => {
    if (left.length === 0) gone();
    else image.src = left.shift();
  };
  image.addEventListener('error', next);
  image.addEventListener('load', () => {
    if (Math.min(image.naturalWidth, image.naturalHeight) < PIXELS_MIN) next();
    else loaded(image);
  });
  next();
  return image;
}

/**
 * Puts `parent`'s children in this order. Children already in place are not touched, so they keep focus and scroll
 * position.
 */
export function arrange(parent, nodes) {
  for (const old of [...parent.children]) {
    if (!nodes.includes(old)) old.remove();
  }
  nodes.forEach((node, i) => {
    if (parent.children[i] !== node) parent.insertBefore(node, parent.children[i] ?? null);
  });
}

/** Adds the id of a describing text to a field, or removes it; other ids stay. */
export function describe(field, id, on) {
  const told = (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean);
  const ids = told.filter((one) => one !== id).concat(on ? id : []);
  if (ids.length > 0) field.setAttribute('aria-describedby', ids.join(' '));
  else field.removeAttribute('aria-describedby');
}

export function setText(node, text) {
  // An unchanged text is not set again, since it would be read aloud again.
  if (node.textContent !== text) node.textContent = text;
}
