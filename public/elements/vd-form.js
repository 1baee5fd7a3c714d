// The form with the two names and the options. The fields are in index.html; this is their behaviour.

import { describe, el, setText } from '../dom.js';
import { changed, fields, rangeIn } from '../options.js';
import { numbersOf } from '../pair.js';
import { waiting } from '../words.js';

/** The fields whose name differs from that in addresses and refusals. */
const TYPED_IN = {
  personA: 'a', personB: 'b', wikidataA: 'a', wikidataB: 'b', runtimeMs: 'seconds',
};

export class Form extends HTMLElement {
  #form;
  #line;
  #heading;
  #change;
  #intro;
  #isOpen = false; // whether the form is open although a run is shown
  #people;
  #problem;
  #unheld = {}; // a link's options without a field: sent unchanged, for the server to refuse

  connectedCallback() {
    this.#form = this.querySelector('form');
    this.#line = this.querySelector('.asked');
    this.#heading = this.#line.querySelector('h1');
    this.#change = this.#line.querySelector('button');
    this.#intro = this.querySelector('.intro');
    this.#change.addEventListener('click', () => this.edit());
    const [a, b] = this.querySelectorAll('vd-person');
    this.#people = { a, b };
    this.#problem = this.querySelector('[data-testid="problem"]');
    this.querySelector('[data-testid="swap"]').addEventListener('click', () => {
      [a.meant, b.meant] = [b.meant, a.meant];
    });
    // A form that the user is editing is not folded away when the run's names arrive.
    this.#form.addEventListener('input', () => {
      this.#isOpen = true;
    });
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  /** Folds the form to one line while a run's names are shown, unless the user has opened it. */
  shrink({ phase, a, b }) {
    const isAsked = phase !== 'idle';
    // The check for humans is inside the form, so the form stays open for it.
    const isChecked = phase === 'starting' && !this.human.hidden;
    const isSmall = isAsked && !this.#isOpen && !isChecked && Boolean(a && b);
    [a, b].forEach((name, i) => setText(this.#line.querySelectorAll('bdi')[i], name));
    // The page needs a heading in each state, so the intro with its heading stays if there are no names.
    this.#heading.hidden = !(isAsked && a && b);
    this.#intro.classList.toggle('unheard', isAsked && !(a && b));
    this.#intro.hidden = isAsked && Boolean(a && b);
    this.#line.classList.toggle('unheard', isAsked && !isSmall);
    this.#line.hidden = !isAsked || !(a && b);
    this.#change.hidden = !isSmall;
    this.#form.hidden = isSmall;
  }

  /** Whether the user has opened the form although a run is shown. */
  get isOpen() {
    return this.#isOpen;
  }

  /** Allows the form to be folded to one line again. */
  close() {
    this.#isOpen = false;
  }

  #open() {
    this.#isOpen = true;
    this.#line.classList.add('unheard');
    this.#change.hidden = true;
    this.#form.hidden = false;
  }

  submit() {
    for (const person of Object.values(this.#people)) person.rest();
    this.dispatchEvent(new CustomEvent('vd-start', { detail: this.asked() }));
  }

  /** The text in the field of the operator's token; empty while the field is hidden. */
  get token() {
    return this.#tokenField.hidden ? '' : this.#field('token').value.trim();
  }

  asked() {
    const { seconds, ...typed } = Object.fromEntries(new FormData(this.#form));
    const name = (field) => this.#field(field).value.trim().replace(/\s+/g, ' ');
    const { a, b } = this.#people;
    const numbers = numbersOf({ wikidataA: a.number, wikidataB: b.number });
    const options = { ...changed({ ...typed, runtimeMs: seconds }), ...this.#unheld, ...numbers };
    return { personA: name('a'), personB: name('b'), options };
  }

  fill({ a, b, wikidataA, wikidataB, options }) {
    if (a !== undefined) this.#people.a.fill(a, wikidataA);
    if (b !== undefined) this.#people.b.fill(b, wikidataB);
    if (!options) return;
    for (const [name, value] of Object.entries(fields(options))) this.#field(name).value = value;
    if (Object.keys(options).length > 0) this.#options.open = true;
    if (options.capture) this.offerCaptures();
    const isHeld = ([name]) => name in fields() && this.#field(name).value !== '';
    this.#unheld = Object.fromEntries(Object.entries(options).filter((one) => !isHeld(one)));
  }

  /** Shows the option of captures, because the server supports them or a link requests them. */
  offerCaptures() {
    this.querySelector('.captures').hidden = false;
  }

  /** Fills in an example, but never over text that the user has begun to type. */
  example({ a, b }) {
    const names = [this.#field('a'), this.#field('b')];
    if (names.some((field) => field.value)) return;
    this.fill({ a, b });
    if (names.includes(document.activeElement)) document.activeElement.select();
  }

  /** Fills in a pair to start with, which waits for a click. */
  pick({ a, b }) {
    this.fill({ a, b });
    this.clear();
    this.querySelector('[data-testid="start"]').focus();
  }

  /** `ask(text, signal)` resolves to the people who may be meant. */
  suggestFrom(ask) {
    for (const person of Object.values(this.#people)) person.suggestFrom(ask);
  }

  /** The element of the check for humans. */
  get human() {
    return this.querySelector('vd-human');
  }

  busy(on) {
    this.querySelector('[data-testid="start"]').disabled = on;
    this.#form.setAttribute('aria-busy', String(on));
  }

  /** Shows a refusal at the named field, at the token, or under the form. */
  refuse(problem) {
    this.#open();
    this.clear();
    this.#unheld = {};
    if (problem.status === 401) this.#askForToken(true);
    const field = problem.status === 401 ? this.#field('token') : this.#named(problem.field);
    this.#problem.replaceChildren(this.#words(problem, field));
    if (problem.retryAfter) {
      this.#problem.append(` Try again in ${waiting(problem.retryAfter)}.`);
    }
    if (problem.missing.length > 0) {
      this.#problem.append(
        el('ul', {}, ...problem.missing.map((name) => el('li', {}, el('code', {}, name)))),
      );
    }
    this.#problem.hidden = false;
    if (!field) {
      this.#form.append(this.#problem);
      this.#problem.focus();
      return;
    }
    if (this.#options.contains(field)) this.#options.open = true;
    field.closest('.field').append(this.#problem);
    field.setAttribute('aria-invalid', 'true');
    describe(field, this.#problem.id, true);
    field.focus();
  }

  /** A refusal in the field's own words and unit, if the server states the range. */
  #words({ message, range, field: name }, field) {
    const label = range && field?.closest('.field')?.querySelector('label');
    return label ? `${label.textContent}: ${rangeIn(name, range)}` : message;
  }

  /**
   * Offers a link's search, which waits until the user starts it; `why` is the reason, for the user. `isOwn` if the
   * visitor has opened the link.
   */
  offer(why, isOwn) {
    this.#open();
    this.clear();
    this.#problem.replaceChildren(why);
    this.#problem.hidden = false;
    // The reason is shown beside the button, above all options.
    this.querySelector('.pair').after(this.#problem);
    // A page that led here may trick the user into typing or holding a key, which must not press the button.
    const next = isOwn ? this.querySelector('[data-testid="start"]') : this.#problem;
    next.focus();
  }

  clear() {
    this.#problem.hidden = true;
    this.#problem.replaceChildren();
    for (const field of this.#form.querySelectorAll('[aria-invalid]')) {
      field.removeAttribute('aria-invalid');
      describe(field, this.#problem.id, false);
    }
  }

  /** The token was accepted, so its field is no longer needed. */
  settled() {
    this.#askForToken(false);
    this.#field('token').value = '';
  }

  edit(option) {
    this.#open();
    if (option) this.#options.open = true;
    const field = this.#named(option) ?? this.#field('a');
    field.focus();
    field.select?.();
    this.scrollIntoView({ block: 'start' });
  }

  /**
   * Shows or hides the field of the operator's token. A hidden field is disabled, so the browser never puts it into an
   * address.
   */
  #askForToken(isAsked) {
    this.#tokenField.hidden = !isAsked;
    this.#field('token').disabled = !isAsked;
  }

  #field(name) {
    return this.#form.elements.namedItem(TYPED_IN[name] ?? name);
  }

  #named(name) {
    return name ? this.#field(name) : null;
  }

  get #options() {
    return this.querySelector('details');
  }

  get #tokenField() {
    return this.querySelector('.token');
  }
}
