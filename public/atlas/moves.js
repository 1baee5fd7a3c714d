// What a key does in a list of links: it leads to a row, a person, a photo, or back. Pure.

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/**
 * `{kind}`: "row" with the number `at` of the next row, "photo", "back", or null if the key is not the list's. The
 * parameter `at` is the focused row, -1 before the first one.
 */
export function moveOf(key, { at, rows }) {
  if (key in STEPS && rows > 0) return { kind: 'row', at: Math.min(rows - 1, Math.max(0, at + STEPS[key])) };
  if (key === 'Home' && at >= 0) return { kind: 'row', at: 0 };
  if (key === 'End' && at >= 0) return { kind: 'row', at: rows - 1 };
  if ([' ', 'p', 'P'].includes(key) && at >= 0) return { kind: 'photo' };
  return key === 'Backspace' ? { kind: 'back' } : null;
}
