// A form for running something, with errors shown at their fields. The common fields are in the page; each engine adds
// its own.

import { token } from '../api.js';
import { describe, el, setText } from '../dom.js';
import { waiting } from '../words.js';
import { rangeOf } from './limits.js';

export class RunPageChoices extends HTMLElement {
  #problem;
  form;

  /** `limits` are the fields' presets. */
  connect(limits) {
    this.form = this.querySelector('form');
    this.#problem = this.querySelector('#problem');
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.tell('run-page-start', null);
    });
    this.querySelector('[data-testid="other"]').addEventListener('click', () => this.tell('run-page-other', null));
    for (const [name, preset] of Object.entries(limits)) this.fieldOf(name).value = preset;
  }

  /** Shows the name of what is to run, its size in words, and its warnings. */
  introduce({ name, graph, remarks }, size) {
    this.hidden = false;
    this.querySelector('h1').replaceChildren(el('bdi', {}, name));
    setText(this.querySelector('.size'), size);
    this.clear();
    this.remark(remarks, graph, 'What may surprise in it:');
  }

  get token() {
    return this.#tokenField.hidden ? '' : this.fieldOf('token').value.trim();
  }

  get human() {
    return this.querySelector('vd-human');
  }

  takeFocus() {
    this.querySelector('[data-testid="run"]').focus({ preventScroll: true });
  }

  busy(isOn) {
    this.querySelector('[data-testid="run"]').disabled = isOn;
  }

  /** Lists the remarks on nodes and edges; each leads to its node. */
  remark(remarks, graph, heading) {
    const box = this.querySelector('.remarks');
    box.hidden = remarks.length === 0;
    const names = new Map((graph?.nodes ?? []).map(({ id, name }) => [id, name]));
    const named = (id) => names.get(id) ?? id;
    const rows = remarks.map(({ node, edge, detail }) => {
      const id = node ?? edge?.from ?? '';
      const place = edge ? `${named(edge.from)} → ${named(edge.to)}` : named(id);
      const press = { type: 'button', class: 'plain', on: { click: () => this.tell('run-page-show', id) } };
      const where = names.has(id) ? el('button', press, el('bdi', {}, place)) : el('b', {}, el('bdi', {}, place));
      return el('li', {}, place && where, el('p', {}, el('bdi', {}, detail)));
    });
    box.replaceChildren(el('p', {}, heading), el('ul', { testid: 'remarks' }, ...rows));
  }

  /** Shows a refusal at the named field, at the token, or under the form. */
  refuse({ status, message, field: named, range, retryAfter }) {
    this.clear();
    // The server also refuses a request if only the operator may send it and it has no token.
    const lacksToken = status === 401 || (status === 403 && !token.get() && /operator.s token/.test(message));
    if (lacksToken) this.#tokenField.hidden = false;
    const field = lacksToken ? this.fieldOf('token') : named && this.fieldOf(named);
    const label = range && field?.closest?.('.field').querySelector('label');
    const words = label ? `${label.textContent}: ${rangeOf(named, range)}` : message;
    this.#problem.replaceChildren(el('bdi', {}, words), retryAfter ? ` Try again in ${waiting(retryAfter)}.` : '');
    this.#problem.hidden = false;
    if (!field?.closest) {
      this.form.append(this.#problem);
      this.#problem.focus();
      return;
    }
    const fold = field.closest('details');
    if (fold) fold.open = true;
    field.closest('.field').append(this.#problem);
    field.setAttribute('aria-invalid', 'true');
    describe(field, this.#problem.id, true);
    field.focus();
  }

  clear() {
    this.#problem.hidden = true;
    for (const field of this.form.querySelectorAll('[aria-invalid]')) {
      field.removeAttribute('aria-invalid');
      describe(field, this.#problem.id, false);
    }
  }

  /** Hides the field of the token, which was accepted. */
  settled() {
    this.#tokenField.hidden = true;
    this.fieldOf('token').value = '';
  }

  fieldOf(name) {
    return this.form.elements.namedItem(name);
  }

  get #tokenField() {
    return this.querySelector('.token');
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
