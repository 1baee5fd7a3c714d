// Shows the result of a run, and what the user could do next.

import { el } from '../dom.js';
import { found } from './outcome-final.js';
import { noPath } from './outcome-no-path.js';
import { button, sealedFile, title } from './outcome-parts.js';

export class Outcome extends HTMLElement {
  #shown = null;

  connectedCallback() {
    this.dataset.testid = 'outcome';
  }

  /** Returns whether the outcome is new. */
  render(state, { file, hasActions }) {
    const { outcome } = state;
    this.hidden = !outcome;
    if (outcome === this.#shown) return false;
    this.#shown = outcome;
    this.replaceChildren();
    delete this.dataset.kind;
    if (!outcome) return false;
    this.dataset.kind = outcome.why ?? outcome.kind;
    const parts = { final, no_path: noPath, error: failure, gone }[outcome.kind];
    this.append(...parts(this, state, hasActions).filter(Boolean));
    // On other pages there is no form to go on with, so the buttons are removed.
    if (!hasActions) for (const row of this.querySelectorAll('.actions')) row.remove();
    if (outcome.kind !== 'final') this.append(...sealedFile(state, file));
    return true;
  }

  /** Scrolls to the heading and focuses it. */
  reveal() {
    this.querySelector('h2')?.focus();
  }

  ask(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** The heading over a chain. The proof is right below it, and the rest of the text comes after the proof. */
const final = (host, state) => found(state);

function failure(host, { outcome, isOwn }) {
  const { message, retryable, provider, code } = outcome;
  return [
    ...title('The search broke off', message || 'Something went wrong.'),
    el(
      'p',
      { class: 'why' },
      retryable
        ? 'This is likely to pass: the same search may work a little later.'
        : 'Trying again will not help until this is put right.',
    ),
    el('p', { class: 'small' }, [provider, code].filter(Boolean).join(' · ')),
    el(
      'div',
      { class: 'actions' },
      // The creator of the run can reuse what was found before the failure.
      retryable
        ? button('Try again', () => host.ask(isOwn ? 'vd-go-on' : 'vd-retry', {}), 'primary')
        : null,
      button('Another pair', () => host.ask('vd-edit', {})),
    ),
  ];
}

/** Why there is nothing to show: a kicker, a heading, and what can be done. */
const GONE = {
  expired: ['Expired', 'This link has expired.', 'Runs are kept for a short time only.'],
  unknown: ['Not found', 'There is no such run.', 'Check that all of the link was copied.'],
  address: [
    'Not found', 'There is nothing at this address.',
    'Check the address, or begin with two names.',
  ],
  unpublished: [
    'Not found', 'There is no such published chain.',
    'It was never published, it was taken back, or its time is over. Whoever kept its file can still drop it here.',
  ],
  unreadable: [
    'Not shown', 'This is no sealed run.',
    'A sealed run is the file that “the sealed run” below a result gives.',
  ],
  workflow: ['Not shown', 'This is the sealed run of a workflow.', 'The page /workflow shows and checks it.'],
  automaton: ['Not shown', 'This is the sealed run of an automaton.', 'The page /automaton shows and checks it.'],
  unreachable: [
    'Not shown', 'The run cannot be had at the moment.', 'The server could not say what became of it.',
  ],
  unfinished: ['Not shown', 'This file ends before its run does.', 'Take the file again from its run.'],
};

function gone(host, { a, b, outcome: { why, detail } }) {
  const isExpired = why === 'expired';
  const canRunAgain = isExpired && a && b;
  const [kicker, words, hint] = GONE[why] ?? GONE.address;
  const again = canRunAgain
    ? ` The search from ${a} to ${b} can be run again; photos that were found then may differ now.`
    : '';
  return [
    ...title(kicker, words),
    el('p', { class: 'why' }, detail || hint + again),
    el(
      'div',
      { class: 'actions' },
      why === 'unreachable' ? button('Try again', () => location.reload(), 'primary') : null,
      canRunAgain
        ? button('Run this pair again', () => host.ask('vd-retry', {}), 'primary')
        : button('Search for a pair', () => host.ask('vd-edit', {}), 'primary'),
    ),
  ];
}
