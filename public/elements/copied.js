// A text to copy, with its button: a link, a snippet.

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
        // Without permission or a secure context, the selected text can be copied by hand.
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
