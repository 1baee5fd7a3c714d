// The result of the check of a sealed file. The check runs in the reader's own browser, so the reader need not trust
// anybody.

import { el } from '../dom.js';
import { count, percent } from '../words.js';
import { forgedWords, trustOf, uncheckedWords, whyForged } from '../trust.js';
import { button } from './outcome-parts.js';

export class Verification extends HTMLElement {
  #shown = null;

  connectedCallback() {
    this.dataset.testid = 'verification';
  }

  render(state) {
    const { verification, isFile } = state;
    this.hidden = !isFile || !verification;
    if (verification === this.#shown) return;
    this.#shown = verification;
    if (!verification) return;
    const trust = trustOf(state);
    this.dataset.result = RESULTS[trust] ?? trust;
    this.setAttribute('role', trust === 'forged' ? 'alert' : 'status');
    this.replaceChildren(...parts(state, trust));
    if (verification.why !== 'missing') return;
    this.append(button('Check again', () => this.dispatchEvent(new CustomEvent('vd-check', { bubbles: true }))));
  }
}

const RESULTS = { proven: 'identical', forged: 'different', unchecked: 'unavailable' };

function parts(state, trust) {
  const { verification } = state;
  switch (trust) {
    case 'proven':
      return [details(verification)];
    case 'forged':
      return [
        el('h2', { class: 'forged' }, forgedWords(state)),
        el('p', { class: 'why' }, whyForged(state)),
        claims(state),
      ];
    case 'unchecked':
      return [el('p', { class: 'unchecked' }, uncheckedWords(verification))];
    default:
      return [el('p', {}, 'Being checked in your browser …')];
  }
}

/** Shows the claims of a file that could not be confirmed, only as text and only on request. */
function claims(state) {
  return el(
    'details',
    { class: 'claims', testid: 'claims' },
    el('summary', {}, 'Show what this file claims'),
    ...claimed(state).map((line) => el('p', {}, ...line)),
  );
}

function claimed({ a, b, outcome }) {
  const names = (people) => people.flatMap(({ name }, i) => [i > 0 ? ', ' : '', el('bdi', {}, name)]);
  const asked = a && b ? [['It claims to be a search from ', el('bdi', {}, a), ' to ', el('bdi', {}, b), '.']] : [];
  if (outcome?.kind === 'gone') return [...asked, ['It ends before its search does.']];
  if (outcome?.kind !== 'final') return [...asked, ['It claims that no chain was found.']];
  return [...asked, ['It claims this chain, of which nothing is proven: ', ...names(outcome.path), '.']];
}

function details({ digest, events, links, origin, engine }) {
  return el(
    'details',
    {},
    el('summary', {}, el('span', { class: 'tick', 'aria-hidden': 'true' }, '✓ '), 'Checked in your browser'),
    el(
      'ul',
      {},
      el('li', {}, 'Its content fits its digest ', el('code', {}, digest), '.'),
      el(
        'li',
        {},
        `Searched again from the answers that are in the file (version ${engine}), it tells the same, `,
        `${count(events, 'event')} of them, byte for byte.`,
      ),
      ...links.map(link),
      el('li', {}, `What this cannot show: that the recogniser really gave these answers. ${ORIGIN[origin] ?? ''}`),
    ),
  );
}

const ORIGIN = {
  unsigned: 'The file carries no seal of its server.',
  not_checked: 'The file carries a seal; its server can say whether that is its own.',
};

const link = ({ from, to, confidence, photos }) =>
  el(
    'li',
    {},
    el('bdi', {}, String(from)), ' with ', el('bdi', {}, String(to)),
    `: ${percent(confidence)}, by ${count(photos, 'photo')}.`,
  );
