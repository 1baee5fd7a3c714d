// Shows the result of a search that found no chain: why, and what the user could do next.

import { el } from '../dom.js';
import { insteadOf, offered, unknownNames } from '../meant.js';
import { noChain } from '../no-chain.js';
import { pair, shownNames } from '../pair.js';
import { fold } from '../safe.js';
import { count } from '../words.js';
import { button, title } from './outcome-parts.js';

/**
 * The early ends of a run after which a new run can go further. The new run reuses the answers of the old one, so
 * nothing is paid for twice.
 */
const GOES_ON = [
  'search_budget',
  'recognition_budget',
  'usd_budget',
  'runtime_budget',
  'stopped',
];

/**
 * The nodes of the result, in order. Without a form on the page (`hasActions` is false) there are no buttons or
 * suggestions.
 */
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
    // The people are shown below the buttons, so that nothing moves under a finger when they arrive.
    ...unknownNames(state).map((unknown) => mayBeMeant(host, state, unknown)),
  ];
}

// Shows the server's suggestions. A suggestion without a side is for the unknown name, or for both if both are unknown.
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

/**
 * Offers a suggested name. It does not keep the old name's number, which belonged to a person who was not recognised.
 */
function closeName(host, state, { name, side }) {
  const typed = shownNames(state)[side];
  const isSame = fold(name) === fold(pair(state)[side]);
  const words = ['Try ', el('bdi', {}, name)];
  if (isSame) words.push(' without the number');
  else if (typed) words.push(' instead of ', el('bdi', {}, typed));
  return button(words, () => host.ask('vd-retry', insteadOf(side, { label: name, number: '' })));
}

/**
 * The people whom an unknown name may mean, if the host can look names up; empty until they are known, or if there are
 * none.
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
    // A person without a description is distinguished from namesakes by the number.
    el('bdi', { class: 'small' }, one.description || one.number),
  ];
  return button(words, () => host.ask('vd-retry', insteadOf(side, one)));
}
