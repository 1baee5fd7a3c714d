// Lists the links that are shown, for keyboard users: each row leads to a person and shows a photo.

import { arrange, el, setText } from '../dom.js';
import { percent } from '../words.js';
import { personAddress } from './addresses.js';
import { moveOf } from './moves.js';
import { photosWords } from './told-words.js';

export class AtlasList extends HTMLElement {
  #heading = el('h2', { class: 'quiet', id: 'links-heading' });
  #keys = el(
    'p',
    { class: 'small keys' },
    'Up and down move in the list, Enter walks on, P shows the photo, Backspace goes back.',
  );
  #list = el('ol', { class: 'links', testid: 'links', 'aria-labelledby': 'links-heading' });
  #more = el('button', { type: 'button', class: 'plain', testid: 'more' }, 'More');
  #rows = new Map();
  #pointed = null;

  connectedCallback() {
    if (this.contains(this.#list)) return;
    this.append(this.#heading, this.#keys, this.#list, this.#more);
    this.#more.addEventListener('click', () => this.#tell('atlas-more'));
    for (const kind of ['focusin', 'pointerover']) {
      this.#list.addEventListener(kind, ({ target }) => this.#point(target.closest('li')?.dataset.id ?? null));
    }
    for (const kind of ['focusout', 'pointerleave']) this.#list.addEventListener(kind, () => this.#point(null));
  }

  /**
   * `rows` are links `{key, people, confidence, photoCount, isWeakest}`, each with the people to whom it leads; `shown`
   * is the key of the link whose photo is shown.
   */
  render({ heading, rows, shown, hasMore }) {
    this.hidden = rows.length === 0;
    setText(this.#heading, heading);
    const keys = new Set(rows.map(({ key }) => key));
    for (const key of this.#rows.keys()) if (!keys.has(key)) this.#rows.delete(key);
    arrange(this.#list, rows.map((link) => this.#draw(link, link.key === shown)));
    this.#more.hidden = !hasMore;
  }

  /** Whether more rows were requested and have not arrived yet. */
  get isWaiting() {
    return this.#more.getAttribute('aria-disabled') === 'true';
  }

  wait(isWaiting) {
    this.#more.setAttribute('aria-disabled', String(isWaiting));
    setText(this.#more, isWaiting ? 'Asking for more' : 'More');
  }

  /** Moves the keyboard focus to the row with this number. */
  takeFocus(at) {
    this.#list.children[at]?.querySelector('a').focus();
  }

  /** Handles a key in the list or on the heading above it. Returns whether the key belongs to the list. */
  press(key, target) {
    const rows = [...this.#list.children];
    const at = rows.indexOf(target.closest('li'));
    const move = moveOf(key, { at, rows: rows.length });
    if (!move) return false;
    if (move.kind === 'row') this.takeFocus(move.at);
    if (move.kind === 'photo') this.#tell('vd-show', rows[at].dataset.key);
    if (move.kind === 'back') this.#tell('atlas-back');
    return true;
  }

  #draw(link, isShown) {
    const told = JSON.stringify([link.people, link.confidence, link.photoCount, link.isWeakest]);
    const known = this.#rows.get(link.key);
    const row = known?.told === told ? known : { told, node: rowOf(link, () => this.#tell('vd-show', link.key)) };
    this.#rows.set(link.key, row);
    row.node.className = isShown ? 'path' : '';
    const button = row.node.querySelector('button');
    if (isShown) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
    return row.node;
  }

  #point(id) {
    if (id === this.#pointed) return;
    this.#pointed = id;
    this.#tell('atlas-point', id);
  }

  #tell(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

function rowOf({ key, people, confidence, photoCount, isWeakest }, show) {
  const node = el('li', { testid: 'link' });
  [node.dataset.key, node.dataset.id] = [key, people.at(-1).id];
  const links = people.flatMap(({ id, name }, i) => [
    i > 0 ? el('span', { class: 'and' }, ' with ') : null,
    el('a', { href: personAddress(id) }, el('bdi', {}, name)),
  ]);
  const said = [percent(confidence), photoCount > 0 ? photosWords(photoCount) : '', isWeakest ? 'the weakest' : ''];
  node.append(
    el('span', { class: 'names' }, ...links.filter(Boolean)),
    el('span', { class: 'sure' }, said.filter(Boolean).join(' · ')),
    el(
      'button',
      { type: 'button', class: 'plain', testid: 'show-photo', on: { click: show } },
      'Photo',
      el('span', { class: 'unheard' }, ' of ', el('bdi', {}, people.map(({ name }) => name).join(' and '))),
    ),
  );
  return node;
}
