// The last word of a search that found no chain: why, and what could be done next.

import { el } from '../dom.js';
import { insteadOf, offered, unknownNames } from '../meant.js';
import { noChain } from '../no-chain.js';
import { pair, shownNames } from '../pair.js';
import { fold } from '../safe.js';
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

/** The nodes, in order. Where there is no form to go on with, there is nothing to press, nor to look up. */
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
    // Below what can be pressed by then: nothing moves away under a finger when the answer comes.
    ...unknownNames(state).map((unknown) => mayBeMeant(host, state, unknown)),
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

/** The name goes without a number: that one was of somebody whom nobody recognised. */
function closeName(host, state, { name, side }) {
  const typed = shownNames(state)[side];
  const isSame = fold(name) === fold(pair(state)[side]);
  const words = ['Try ', el('bdi', {}, name)];
  if (isSame) words.push(' without the number');
  else if (typed) words.push(' instead of ', el('bdi', {}, typed));
  return button(words, () => host.ask('vd-retry', insteadOf(side, { label: name, number: '' })));
}

/**
 * Where whoever shows this can look names up, those who may be meant by one; nothing is there before they are
 * known, and nothing where there are none.
 */
function mayBeMeant(host, state, { side, name }) {
  const words = el('p', { id: `meant-${side}`, role: 'status' });
  const people = el('ul', { 'aria-labelledby': words.id });
  const place = el('div', { class: 'offers persons', testid: 'may-be-meant', hidden: true }, words, people);
  const tell = (found) => {
    const shown = offered(found, state, side);
    if (shown.length === 0) return;
    place.hidden = false;
    people.replaceChildren(...shown.map((one) => el('li', {}, personButton(host, side, one))));
    words.replaceChildren('Wikidata has people who may be meant by ', el('bdi', {}, pair(state)[side]), ':');
  };
  host.ask('vd-look-up', { name, tell });
  return place;
}

function personButton(host, side, one) {
  const words = [
    el('bdi', { class: 'label' }, one.label),
    ' ',
    // Whoever is not described is told from others of the name by the number.
    el('bdi', { class: 'small' }, one.description || one.number),
  ];
  return button(words, () => host.ask('vd-retry', insteadOf(side, one)));
}
