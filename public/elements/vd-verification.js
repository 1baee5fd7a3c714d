// What a reader's own browser found of a sealed file: nobody has to be believed for it.

import { el } from '../dom.js';
import { count, percent } from '../words.js';
import { button } from './outcome-parts.js';

export class Verification extends HTMLElement {
  #shown = null;

  connectedCallback() {
    this.dataset.testid = 'verification';
  }

  render({ verification, isFile, chain, outcome }) {
    this.hidden = !isFile || !verification || outcome?.kind === 'gone';
    if (verification === this.#shown) return;
    this.#shown = verification;
    if (!verification) return;
    const { kind, isSame } = verification;
    const isWrong = kind === 'refused' || (kind === 'checked' && !isSame) || isOther(verification, chain);
    this.dataset.result = kind === 'checked' ? (isWrong ? 'different' : 'identical') : kind;
    if (isWrong) this.setAttribute('role', 'alert');
    else this.setAttribute('role', 'status');
    this.replaceChildren(...parts(verification, chain));
    if (verification.why !== 'missing') return;
    this.append(button('Check again', () => this.dispatchEvent(new CustomEvent('vd-check', { bubbles: true }))));
  }
}

/** A chain stands at the address that its own digest makes. */
const isOther = ({ kind, digest }, chain) =>
  kind === 'checked' && chain !== '' && !chain.endsWith(`/${digest}`);

function parts(verification, chain) {
  const { kind, says, why } = verification;
  if (kind === 'checking') return [el('p', {}, 'Being checked in your browser …')];
  if (kind === 'unavailable') return [el('p', {}, UNAVAILABLE[why])];
  if (kind === 'refused') return [warning('This file could not be checked.'), el('p', {}, says)];
  if (isOther(verification, chain)) {
    return [warning('This is not the chain that was published at this address.')];
  }
  if (!verification.isSame) {
    return [
      warning('Do not trust this: the file is not what the search found.'),
      el('p', {}, firstSentence(says)),
    ];
  }
  return [details(verification)];
}

const UNAVAILABLE = {
  elsewhere: 'A chain is checked on the page of its own server.',
  missing: 'It is not checked: the verifier is not there. After a first start it takes some minutes to be built.',
};

const warning = (words) => el('p', { class: 'warning' }, words);

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

/** What a server would say of its own key is of no use here. */
const firstSentence = (says) => says.split(/(?<=\.) (?=Whether|This server|It was)/)[0];
