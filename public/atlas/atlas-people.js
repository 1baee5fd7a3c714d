// Shows people of the atlas from whom a walk can start: those seen most often, or those found by name.

import { el, setText } from '../dom.js';
import { personAddress } from './addresses.js';
import { photosWords } from './told-words.js';

export class AtlasPeople extends HTMLElement {
  #heading = el('h2', { class: 'quiet' });
  #list = el('ol', { class: 'people', testid: 'people' });
  #none = el('p', { testid: 'none' });

  connectedCallback() {
    if (!this.contains(this.#list)) this.append(this.#heading, this.#list, this.#none);
  }

  render({ people, typed }) {
    setText(this.#heading, typed ? 'People' : 'Seen the most');
    this.#heading.hidden = people.length === 0;
    this.#list.hidden = people.length === 0;
    this.#list.replaceChildren(...people.map(row));
    this.#none.hidden = people.length > 0;
    this.#none.replaceChildren(...(people.length > 0 ? [] : noneWords(typed)));
  }
}

const row = ({ id, name, photos }) =>
  el(
    'li',
    {},
    el('a', { href: personAddress(id) }, el('bdi', {}, name)),
    photos > 0 ? el('span', { class: 'sure' }, photosWords(photos)) : null,
  );

function noneWords(typed) {
  if (typed) return ['Nobody of that name is known here. ', el('a', { href: '/atlas' }, 'Who was seen the most')];
  return [
    'Nobody is known here yet: what runs find is what the atlas knows. ',
    el('a', { href: '/' }, 'Find a chain between two people'),
  ];
}
