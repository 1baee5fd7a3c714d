// Sanitises all values from the wire before they are shown. A value of the wrong type becomes a harmless one, so that
// views need no checks.

/** The address if it is safe in `href` or `src`; otherwise "", as for `javascript:`. */
export function httpUrl(value) {
  if (typeof value !== 'string') return '';
  try {
    const url = new URL(value);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : '';
  } catch {
    return '';
  }
}

export const text = (value) => (typeof value === 'string' ? value : '');
export const list = (value) => (Array.isArray(value) ? value : []);
export const number = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
export const record = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};

/**
 * Names are equal if they differ only in case, accents, punctuation and spaces. Marks of other scripts count as
 * letters, and full stops between more than initials separate words: will.i.am is not William.
 */
export function fold(name) {
  return text(name)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff]/gu, '')
    .replace(/(?<=\p{L}{2})\.(?=\p{L})|\.(?=\p{L}{2})/gu, '|')
    .replace(/[^\p{L}\p{M}\p{N}|]/gu, '')
    .toLowerCase();
}

/** A face's box as fractions of its picture, clipped to the picture; null if it cannot be drawn. */
export function box(value) {
  const { left, top, width, height } = record(value);
  if ([left, top, width, height].some((side) => number(side) === null)) return null;
  const x = clamp(left);
  const y = clamp(top);
  const w = clamp(left + width) - x;
  const h = clamp(top + height) - y;
  return w > 0 && h > 0 ? { left: x, top: y, width: w, height: h } : null;
}

const clamp = (fraction) => Math.min(1, Math.max(0, fraction));
