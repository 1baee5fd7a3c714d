// One of the two people: a name, suggestions while it is typed, and who is meant. Its label and input are in
// index.html; without suggestions it is a plain text field.

import { describe, el, setText } from '../dom.js';
import { EMPTY, listed, press } from '../listbox.js';
import { Lookup } from '../lookup.js';
import { askable } from '../suggestions.js';
import { pageOf } from '../wikidata.js';
import { count } from '../words.js';

export class Person extends HTMLElement {
  #input = null;
  #box = el('ul', { class: 'suggested', role: 'listbox', 'aria-label': 'Suggestions' });
  #meant = el('p', { class: 'meant small', testid: 'meant', hidden: true });
  #said = el('span', { class: 'unheard', role: 'status' });
  #list = EMPTY;
  #lookup = null;
  #number = '';
  #description = '';

  connectedCallback() {
    if (this.#input) return;
    this.#input = this.querySelector('input');
    this.#box.id = `${this.#input.id}-suggested`;
    this.#meant.id = `${this.#input.id}-meant`;
    this.#box.hidden = true;
    this.#input.after(this.#box);
    this.append(this.#meant, this.#said);
    this.#input.addEventListener('input', () => this.#typed());
    this.#input.addEventListener('keydown', (event) => this.#pressed(event));
    this.#input.addEventListener('blur', () => this.rest());
    // The field keeps the focus while the user points at the list.
    this.#box.addEventListener('mousedown', (event) => event.preventDefault());
    // The list must not change under a finger.
    this.#box.addEventListener('pointerdown', () => this.#lookup?.cancel());
    this.#box.addEventListener('click', ({ target }) => {
      const at = [...this.#box.children].indexOf(target.closest('li'));
      if (at >= 0) this.#choose(this.#list.options[at]);
    });
  }

  /** The given Wikidata number; "" if any bearer of the name is meant. */
  get number() {
    return this.#number;
  }

  /** Sets the name and the number; an unchanged number keeps its description. */
  fill(name, number = '') {
    this.rest();
    this.#input.value = name;
    this.#mean(name ? number : '', number === this.#number ? this.#description : '');
  }

  /** `ask(text, signal)` resolves to people. */
  suggestFrom(ask) {
    this.#lookup = new Lookup(ask, (people) => this.#show(listed(people)));
    const combobox = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': this.#box.id,
      'aria-expanded': 'false',
    };
    for (const [name, value] of Object.entries(combobox)) this.#input.setAttribute(name, value);
  }

  /** Hides suggestions and ignores those still in flight. */
  rest() {
    this.#lookup?.cancel();
    this.#show(EMPTY);
  }

  #typed() {
    this.#mean('', '');
    const { value } = this.#input;
    // The old list stays until the new one arrives, to avoid flicker. If none will arrive, or the list is closed, the
    // old people are dropped, so that an arrow key cannot bring them back.
    const stays = this.#list.open && askable(value);
    this.#show(stays ? { ...this.#list, at: -1 } : EMPTY);
    this.#lookup?.type(value);
  }

  #pressed(event) {
    // Keys of an input method or of the browser are not handled here.
    if (!this.#lookup || event.isComposing || withModifier(event)) return;
    const { list, chosen, taken } = press(this.#list, event.key);
    if (taken) event.preventDefault();
    // After these keys no suggestions are awaited; a choice is made from the present list.
    if (taken || ['Enter', 'Escape'].includes(event.key)) this.#lookup.cancel();
    if (chosen) this.#choose(chosen);
    else this.#show(list);
  }

  #choose(option) {
    const { label, number, description } = option;
    this.rest();
    this.#input.value = label;
    this.#mean(number, description);
    setText(this.#said, [label, description].filter(Boolean).join(', '));
    this.dispatchEvent(new CustomEvent('vd-chosen', { detail: option, bubbles: true }));
  }

  /** The chosen person: a name, a number, and their description. */
  get meant() {
    return { name: this.#input.value, number: this.#number, description: this.#description };
  }

  set meant({ name, number, description }) {
    this.rest();
    this.#input.value = name;
    this.#mean(number, description);
  }

  #mean(number, description) {
    this.#number = number;
    this.#description = description;
    const page = pageOf(number);
    const link = { href: page, target: '_blank', rel: 'noreferrer noopener' };
    this.#meant.replaceChildren(
      page ? el('a', link, number) : number,
      description ? ` · ${description}` : '',
    );
    this.#meant.hidden = !number;
    describe(this.#input, this.#meant.id, Boolean(number));
  }

  #show(list) {
    const before = this.#list;
    this.#list = list;
    if (!this.#lookup) return;
    if (list.options !== before.options) this.#box.replaceChildren(...list.options.map(row));
    [...this.#box.children].forEach((node, at) => {
      node.id = `${this.#box.id}-${at}`;
      node.setAttribute('aria-selected', String(at === list.at));
    });
    this.#box.hidden = !list.open;
    this.#input.setAttribute('aria-expanded', String(list.open));
    const at = list.open ? this.#box.children[list.at] : null;
    if (at) this.#input.setAttribute('aria-activedescendant', at.id);
    else this.#input.removeAttribute('aria-activedescendant');
    at?.scrollIntoView({ block: 'nearest' });
    setText(this.#said, list.open ? count(list.options.length, 'suggestion') : '');
  }
}

const withModifier = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey;

const row = ({ label, description, alias }) =>
  el(
    'li',
    { role: 'option', testid: 'suggestion' },
    el('span', { class: 'label' }, label),
    description ? el('span', { class: 'small' }, description) : null,
    alias ? el('span', { class: 'small alias' }, `also known as ${alias}`) : null,
  );
