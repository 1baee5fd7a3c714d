// Opens a file or a sealed run: dropped, chosen, pasted, or one of the operator's. The fields are in the page; this is
// their behaviour.

import { el } from '../dom.js';
import { SEALED_BYTES_MAX } from '../sealed-file.js';

export class RunPageOpening extends HTMLElement {
  #file;
  #pasted;
  #problem;
  #stored;

  connectedCallback() {
    this.#file = this.querySelector('input[type="file"]');
    this.#pasted = this.querySelector('textarea');
    this.#problem = this.querySelector('.problem');
    this.#stored = this.querySelector('.stored');
    this.#file.addEventListener('change', () => {
      this.#read(this.#file.files[0]);
      // The field is cleared so that the same file can be chosen again.
      this.#file.value = '';
    });
    this.querySelector('form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#tell('run-page-text', this.#pasted.value);
    });
    this.#takeDrops();
  }

  /** Accepts drops anywhere on the page. */
  #takeDrops() {
    // While a run is shown, only files are accepted. Dragging text there is usually an accident.
    const types = () => (this.hidden ? ['Files'] : ['Files', 'text/plain']);
    const isTaken = ({ dataTransfer }) => types().some((type) => dataTransfer?.types.includes(type));
    const inField = ({ target }) => target instanceof HTMLTextAreaElement;
    document.addEventListener('dragover', (event) => {
      if (!isTaken(event) || inField(event)) return;
      event.preventDefault();
      this.classList.add('over');
    });
    document.addEventListener('dragleave', ({ relatedTarget }) => !relatedTarget && this.classList.remove('over'));
    document.addEventListener('drop', (event) => {
      this.classList.remove('over');
      if (!isTaken(event) || inField(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) this.#read(file);
      else this.#tell('run-page-text', event.dataTransfer.getData('text/plain'));
    });
  }

  /** Reads a file. It is cut above the limit, and is then refused as too long. */
  async #read(file) {
    if (!file) return;
    try {
      this.#tell('run-page-text', await file.slice(0, SEALED_BYTES_MAX + 1).text());
    } catch {
      this.refuse('This file could not be read. A folder is none.');
    }
  }

  /** Shows why a text has no graph. */
  refuse(words) {
    this.#problem.replaceChildren(el('bdi', {}, words));
    this.#problem.hidden = false;
    this.#problem.focus();
  }

  clear() {
    this.#problem.hidden = true;
  }

  /** Offers the stored documents, each as `{name, about}`, after the example's description, if there is an example. */
  offer(stored, example = '') {
    this.#stored.hidden = stored.length === 0 && !example;
    const rows = stored.map((one) => this.#row(one));
    this.#stored.querySelector('ul').replaceChildren(...(example ? [this.#exampleRow(example)] : []), ...rows);
  }

  #exampleRow(about) {
    const on = { click: () => this.#tell('run-page-example', null) };
    return el(
      'li', {},
      el('button', { type: 'button', class: 'plain', testid: 'example', on }, 'The example'),
      el('span', { class: 'small' }, about),
    );
  }

  #row({ name, about }) {
    const on = { click: () => this.#tell('run-page-stored', name) };
    return el(
      'li', {},
      el('button', { type: 'button', class: 'plain', testid: 'stored', on }, el('bdi', {}, name)),
      about && el('span', { class: 'small' }, el('bdi', {}, about)),
    );
  }

  takeFocus() {
    this.#file.focus();
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
