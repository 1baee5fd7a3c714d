// Keyboard control of a list of suggestions below a text field, by the combobox pattern of ARIA 1.2. Nothing is
// selected automatically: typing and pressing Enter works without the list.

/** A closed list. `at` is the number of the highlighted option, or -1 for the typed text. */
export const EMPTY = Object.freeze({ options: [], at: -1, open: false });

export const listed = (options) => ({ options, at: -1, open: options.length > 0 });

/** `{list, chosen, taken}`: the list after a key, the chosen option or null, whether the key was used. */
export function press(list, key) {
  const { options, at, open } = list;
  const last = options.length - 1;
  const move = (to) => ({ list: { ...list, at: to, open: true }, chosen: null, taken: true });
  const pass = (left) => ({ list: { ...list, ...left }, chosen: null, taken: false });
  switch (key) {
    case 'ArrowDown':
      return last < 0 ? pass({}) : move(at < last ? at + 1 : 0);
    case 'ArrowUp':
      return last < 0 ? pass({}) : move(at > 0 ? at - 1 : last);
    case 'Enter':
      if (!open || at < 0) return pass({ at: -1, open: false });
      return { list: EMPTY, chosen: options[at], taken: true };
    case 'Escape':
      return { list: { ...list, at: -1, open: false }, chosen: null, taken: open };
    case 'Tab':
      return pass({ at: -1, open: false });
    case 'ArrowLeft':
    case 'ArrowRight':
    case 'Home':
    case 'End':
      // The key leads from the list back to the typed text.
      return pass({ at: -1 });
    default:
      return pass({});
  }
}
