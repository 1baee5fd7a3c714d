// Shows a text for copying, such as a link or a snippet, with a button that copies it.

import { el } from '../dom.js';
import { button } from './outcome-parts.js';

const TOLD_MS = 2_000;

/** `field` contains the text; `words` is the button's label, `label` says what is copied. */
export function copied(field, words, label) {
  field.setAttribute('aria-label', label);
  const said = el('span', { class: 'unheard', role: 'status' });
  const press = button(
    words,
    async () => {
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        // Copying needs permission and a secure context. Without these, the text is selected, so that the user can copy
        // it.
        field.select();
        said.textContent = 'It is selected; copy it with the keyboard.';
        return;
      }
      press.textContent = 'Copied';
      said.textContent = 'Copied';
      setTimeout(() => {
        press.textContent = words;
      }, TOLD_MS);
    },
    'primary',
  );
  return el('span', { class: 'share' }, field, press, said);
}
