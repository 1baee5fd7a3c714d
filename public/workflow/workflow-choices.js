// The form of a workflow to run: its warnings and options. The fields are in workflow.html; this is their behaviour.

import { RunPageChoices } from '../run-page/run-page-choices.js';
import { el } from '../dom.js';
import { count } from '../words.js';
import { LIMITS } from './starting.js';

export class WorkflowChoices extends RunPageChoices {
  #servers = []; // {name, isChosen}, in order

  connectedCallback() {
    this.connect(LIMITS);
  }

  /** `graph` is null for one of the operator's, which is shown only when it runs. */
  show(prepared) {
    const { graph } = prepared;
    const own = graph?.nodes.filter(({ isMissing }) => !isMissing);
    const size = graph && [count(own.length, 'node'), count(graph.edges.length, 'edge')].join(', ');
    const said = size ? `${size}. Nothing has been started.` : 'One of the operator’s. Its graph is shown when it runs.';
    this.introduce(prepared, said);
  }

  /** The first server is the default, and the only one selected at first. */
  offerServers(names) {
    this.#servers = names.map((name, i) => ({ name, isChosen: i === 0 }));
    this.#drawServers();
  }

  get choices() {
    const field = (name) => this.fieldOf(name).value;
    return {
      // The list is empty if only the operator may see it, so no servers are sent then.
      servers: this.#servers.length > 0 ? this.#servers.filter(({ isChosen }) => isChosen).map(({ name }) => name) : null,
      dialect: field('dialect'),
      limits: Object.fromEntries(Object.keys(LIMITS).map((name) => [name, field(name)])),
    };
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

  /** Redraws the list; the pressed button keeps the focus at its new place. */
  #redrawServers(kind, at) {
    this.#drawServers();
    this.querySelectorAll('.servers li')[at].querySelector(kind).focus();
  }
}
