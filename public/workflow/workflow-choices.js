// A workflow that waits to be run: what surprises in it, and how it is to be run. Its fields stand in
// workflow.html; here is what they do.

import { describe, el, setText } from '../dom.js';
import { count, waiting } from '../words.js';
import { rangeOf } from '../desk/limits.js';
import { LIMITS } from './starting.js';

export class WorkflowChoices extends HTMLElement {
  #form;
  #problem;
  #servers = []; // {name, isChosen}, in order

  connectedCallback() {
    this.#form = this.querySelector('form');
    this.#problem = this.querySelector('.problem');
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#tell('desk-start', null);
    });
    this.querySelector('[data-testid="other"]').addEventListener('click', () => this.#tell('desk-other', null));
    for (const [name, preset] of Object.entries(LIMITS)) this.#field(name).value = preset;
  }

  /** `graph` is null for one of the operator's, which is shown when it runs. */
  show({ name, graph, remarks }) {
    this.hidden = false;
    this.querySelector('h1').replaceChildren(el('bdi', {}, name));
    const own = graph?.nodes.filter(({ isMissing }) => !isMissing);
    const size = graph && [count(own.length, 'node'), count(graph.edges.length, 'edge')].join(', ');
    const said = size ? `${size}. Nothing has been started.` : 'One of the operator’s. Its graph is shown when it runs.';
    setText(this.querySelector('.size'), said);
    this.clear();
    this.remark(remarks, graph, 'What may surprise in it:');
  }

  /** The first server is the default; only that one is given before somebody gives more. */
  offerServers(names) {
    this.#servers = names.map((name, i) => ({ name, isChosen: i === 0 }));
    this.#drawServers();
  }

  get choices() {
    const field = (name) => this.#field(name).value;
    return {
      // None are known where only the operator sees them.
      servers: this.#servers.length > 0 ? this.#servers.filter(({ isChosen }) => isChosen).map(({ name }) => name) : null,
      dialect: field('dialect'),
      limits: Object.fromEntries(Object.keys(LIMITS).map((name) => [name, field(name)])),
    };
  }

  get token() {
    return this.#tokenField.hidden ? '' : this.#field('token').value.trim();
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

  /** Lists what is wrong at nodes and edges; each leads to its node. */
  remark(remarks, graph, heading) {
    const box = this.querySelector('.remarks');
    box.hidden = remarks.length === 0;
    const names = new Map((graph?.nodes ?? []).map(({ id, name }) => [id, name]));
    const named = (id) => names.get(id) ?? id;
    const rows = remarks.map(({ node, edge, detail }) => {
      const id = node ?? edge?.from ?? '';
      const place = edge ? `${named(edge.from)} → ${named(edge.to)}` : named(id);
      const press = { type: 'button', class: 'plain', on: { click: () => this.#tell('desk-show', id) } };
      const where = names.has(id) ? el('button', press, el('bdi', {}, place)) : el('b', {}, el('bdi', {}, place));
      return el('li', {}, place && where, el('p', {}, el('bdi', {}, detail)));
    });
    box.replaceChildren(el('p', {}, heading), el('ul', { testid: 'remarks' }, ...rows));
  }

  /** Says a refusal where it belongs: at the named field, at the token, or under the form. */
  refuse({ status, message, field: named, range, retryAfter }) {
    this.clear();
    if (status === 401) this.#tokenField.hidden = false;
    const field = status === 401 ? this.#field('token') : named && this.#field(named);
    const label = range && field?.closest?.('.field').querySelector('label');
    const words = label ? `${label.textContent}: ${rangeOf(named, range)}` : message;
    this.#problem.replaceChildren(el('bdi', {}, words), retryAfter ? ` Try again in ${waiting(retryAfter)}.` : '');
    this.#problem.hidden = false;
    if (!field?.closest) {
      this.#form.append(this.#problem);
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
    for (const field of this.#form.querySelectorAll('[aria-invalid]')) {
      field.removeAttribute('aria-invalid');
      describe(field, this.#problem.id, false);
    }
  }

  /** The token was taken: its field has done its work. */
  settled() {
    this.#tokenField.hidden = true;
    this.#field('token').value = '';
  }

  #drawServers() {
    const box = this.querySelector('.servers');
    box.hidden = this.#servers.length === 0;
    const first = this.#servers.findIndex(({ isChosen }) => isChosen);
    box.querySelector('ol').replaceChildren(...this.#servers.map((server, i) => this.#serverRow(server, i, first)));
  }

  #serverRow(server, i, first) {
    const tick = el('input', { type: 'checkbox' });
    tick.checked = server.isChosen;
    tick.addEventListener('change', () => {
      server.isChosen = tick.checked;
      this.#redrawServers('input', i);
    });
    const label = `${server.name}: one place up`;
    const earlier = el('button', { type: 'button', class: 'plain', 'aria-label': label }, '↑');
    earlier.hidden = i === 0;
    earlier.addEventListener('click', () => {
      this.#servers.splice(i - 1, 0, ...this.#servers.splice(i, 1));
      this.#redrawServers(i > 1 ? 'button' : 'input', i - 1);
    });
    const note = i === first ? el('span', { class: 'small' }, ' the default') : null;
    const name = el('span', {}, el('bdi', {}, server.name), note);
    return el('li', {}, el('label', { class: 'tick' }, tick, name), earlier);
  }

  /** What was pressed keeps the focus where it stands now. */
  #redrawServers(kind, at) {
    this.#drawServers();
    this.querySelectorAll('.servers li')[at].querySelector(kind).focus();
  }

  #field(name) {
    return this.#form.elements.namedItem(name);
  }

  get #tokenField() {
    return this.querySelector('.token');
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
