// The last word of a search that found no chain: why, and what could be done next.

import { el } from '../dom.js';
import { noChain } from '../no-chain.js';
import { shownNames } from '../pair.js';
import { count } from '../words.js';
import { button, title } from './outcome-parts.js';

/** Ended early: with its answers at hand a new run goes further, and pays for nothing twice. */
const GOES_ON = [
  'search_budget',
  'recognition_budget',
  'usd_budget',
  'runtime_budget',
  'stopped',
];

/** The nodes, in order. Where there is no form to go on with, there is nothing to press. */
export function noPath(host, state, hasActions) {
  const { kicker, heading, body, hops, option, offer } = noChain(state);
  const { reason, kept } = state.outcome;
  const goesOn = GOES_ON.includes(reason) && !kept && state.isOwn;
  const said = [
    ...title(kicker, heading),
    body ? el('p', { class: 'why' }, body) : null,
    hops
      ? el('p', { class: 'small' }, `Got as far as ${count(hops, 'hop')}. No link is shown without its photo.`)
      : null,
  ];
  if (!hasActions) return said;
  return [
    ...said,
    closeNames(host, state),
    el(
      'div',
      { class: 'actions' },
      goesOn ? button('Go on from here', () => host.ask('vd-go-on', {}), 'primary') : null,
      option ? button(offer, () => host.ask('vd-edit', { option })) : null,
      button('Search again', () => host.ask('vd-retry', {})),
      button('Another pair', () => host.ask('vd-edit', {})),
    ),
  ];
}

// Without a word on whose name it would replace, the one unknown name is meant; with two unknown
// names either could be, so both are offered.
function closeNames(host, state) {
  const { suggestions, unknown } = state.outcome;
  if (suggestions.length === 0) return null;
  const items = suggestions.flatMap(({ name, side }) => {
    const sides = side ? [side] : unknown.length > 0 ? unknown : ['a', 'b'];
    return sides.map((one) => ({ name, side: one }));
  });
  return el(
    'div',
    { class: 'offers' },
    el('p', {}, 'Names that were recognised, and are close:'),
    el('ul', {}, ...items.map((item) => el('li', {}, closeName(host, state, item)))),
  );
}

function closeName(host, state, { name, side }) {
  const typed = shownNames(state)[side];
  const words = typed ? `Try ${name} instead of ${typed}` : `Try ${name}`;
  return button(words, () => host.ask('vd-retry', { [side]: name }));
}
