// The form of an automaton to run: its warnings, its parameters and its options. The fields are in automaton.html; this
// is their behaviour.

import { RunPageChoices } from '../run-page/run-page-choices.js';
import { el, setText } from '../dom.js';
import { list, record, text } from '../safe.js';
import { count } from '../words.js';
import { LIMITS, soundsSecret } from './starting.js';

const ORIGINS_SHOWN_MAX = 5;

export class AutomatonChoices extends RunPageChoices {
  #rows = []; // {name, input, tick}, one for each parameter
  #secrets = []; // {name, origins} of the secrets that the operator stores

  connectedCallback() {
    this.connect(LIMITS);
  }

  /** Shows the form for an automaton. Its `graph` is null if the automaton is shown only once it runs. */
  show(prepared) {
    const { graph, parameters, given } = prepared;
    const size = graph ? count(graph.nodes.length, 'state') : sizeless(prepared);
    this.introduce(prepared, `${size} Nothing has been started.`.replace(/^(\d+ \w+) /, '$1. '));
    this.#offerParameters(parameters, given);
    this.#offerOrigins(prepared);
    this.fieldOf('prompts').value = given.prompts ? JSON.stringify(given.prompts, null, 1) : '';
    const isEmpty = graph === null && prepared.document !== undefined;
    this.fieldOf('prompts').closest('details').open = isEmpty || Boolean(given.prompts);
  }

  /** Offers the secrets that the operator stores, which the user need not type. */
  offerSecrets(secrets) {
    this.#secrets = secrets;
    for (const row of this.#rows) this.#noteKept(row);
  }

  /** Warns that no browser is available, before the user fills in the form. */
  warnOf(words) {
    const box = this.querySelector('.lacking');
    setText(box, words);
    box.hidden = words === '';
  }

  get choices() {
    const field = (name) => this.fieldOf(name).value;
    return {
      fields: this.#rows.map(({ name, input, tick }) => ({ name, value: input.value, isSecret: tick.checked })),
      origins: field('origins'),
      prompts: promptsOf(field('prompts')),
      isRegenerated: this.fieldOf('regenerate').checked,
      limits: Object.fromEntries(Object.keys(LIMITS).map((name) => [name, field(name)])),
    };
  }

  /** Clears the typed secrets from the page once the run has started. */
  settled() {
    super.settled();
    for (const { input, tick } of this.#rows) if (tick.checked) input.value = '';
  }

  fieldOf(name) {
    const [, parameter] = /^(?:parameters|secrets)\.(.+)$/.exec(name) ?? [];
    const row = parameter && this.#rows.find((one) => one.name === parameter);
    return row ? row.input : super.fieldOf(name);
  }

  #offerParameters(names, { parameters, secrets }) {
    const [values, hidden] = [record(parameters), list(secrets)];
    const all = [...new Set([...names, ...Object.keys(values)])];
    this.#rows = all.map((name, i) => this.#row(name, i, text(values[name]), hidden.includes(name)));
    const box = this.querySelector('.parameters');
    box.hidden = all.length === 0;
    box.querySelector('ol').replaceChildren(...this.#rows.map(({ node }) => node));
  }

  #row(name, i, value, wasSecret) {
    const input = el('input', { id: `parameter-${i}`, autocomplete: 'off', spellcheck: 'false', testid: 'parameter' });
    const tick = el('input', { type: 'checkbox', testid: 'secret' });
    const note = el('p', { class: 'small', id: `parameter-note-${i}` });
    input.value = value;
    tick.checked = wasSecret || (value === '' && soundsSecret(name));
    const hide = () => {
      input.type = tick.checked ? 'password' : 'text';
    };
    tick.addEventListener('change', hide);
    hide();
    const label = el('label', { for: input.id }, el('bdi', {}, name));
    const about = el('span', { class: 'unheard' }, ': ', el('bdi', {}, name));
    const secret = el('label', { class: 'tick' }, tick, el('span', {}, 'Secret', about));
    const field = el('div', { class: 'field' }, label, input, note);
    const row = { name, input, tick, note, node: el('li', {}, field, secret) };
    this.#noteKept(row);
    return row;
  }

  #noteKept({ name, input, note }) {
    const kept = this.#secrets.find((one) => one.name === name);
    note.hidden = !kept;
    if (!kept) return;
    const where = kept.origins.length > 0 ? `, for ${kept.origins.join(', ')}` : '';
    setText(note, `The operator keeps this one${where}: leave it empty.`);
    input.setAttribute('aria-describedby', note.id);
  }

  #offerOrigins({ origins, given }) {
    this.fieldOf('origins').value = list(given.origins).map(text).filter((one) => !origins.includes(one)).join(' ');
    const shown = origins.slice(0, ORIGINS_SHOWN_MAX).join(', ');
    const more = origins.length > ORIGINS_SHOWN_MAX ? ` and ${origins.length - ORIGINS_SHOWN_MAX} more` : '';
    const words = origins.length > 0
      ? `Its actions open ${shown}${more}; the browser may go nowhere else, unless you name it here.`
      : 'Its actions open no address: name the origins that the browser may go to.';
    setText(this.querySelector('#origins-note'), words);
  }
}

const sizeless = ({ document }) => (document === undefined
  ? 'One of the operator’s. Its states are shown when it runs.'
  : 'No states yet: models make them by prompts, as far as you give some.');

/** The prompts in the form of a request. Invalid JSON is sent as typed, for the server to refuse. */
function promptsOf(written) {
  if (written.trim() === '') return null;
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}
