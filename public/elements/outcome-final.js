// What there is to say of a chain below its proof: how sure it is, what it cost, and its link.

import { el } from '../dom.js';
import { count, DISCLAIMER, dollars, percent, seconds } from '../words.js';
import { button, sealedFile, title } from './outcome-parts.js';

/** The heading over the chain. */
export function found({ outcome: { path } }) {
  return title(count(Math.max(0, path.length - 1), 'degree'), heading(path));
}

/** What stands below the proof; `ask` is what its buttons do. */
export function result(ask, state, { link, file, hasActions }) {
  const { bottleneck, cumulative, disclaimer, kept } = state.outcome;
  const { spent, budget } = state;
  return [
    el('h2', { class: 'unheard' }, 'How sure it is, and what it cost'),
    el(
      'dl',
      { class: 'figures' },
      ...figure('Weakest link', sure(bottleneck), 'no link of the chain is less sure'),
      ...figure(
        'All links together',
        sure(cumulative === null ? null : cumulative * 100),
        'the product of the links’ confidences',
      ),
      ...('runtimeMs' in spent ? figure('Found in', seconds(spent.runtimeMs), took(spent, budget)) : []),
    ),
    worth(state.outcome.certificate),
    el('p', { class: 'disclaimer' }, disclaimer || DISCLAIMER),
    kept
      ? el('p', { class: 'small' }, 'Shown from the kept record; the live events are gone.')
      : null,
    el(
      'div',
      { class: 'actions', part: 'actions' },
      link ? copy(link) : null,
      hasActions ? button('Another pair', () => ask('vd-edit', {})) : null,
    ),
    ...sealedFile(state, file),
  ].filter(Boolean);
}

/** What is proven, what was looked for in vain, what nobody asked, and the other chains. */
function worth({ proven, excluded, open, others }) {
  const parts = [
    ['Proven', proven],
    ['Looked for in vain', excluded],
    ['Still open', open],
    ['Other chains', others.map(inOrder)],
  ].filter(([, lines]) => lines.length > 0);
  if (parts.length === 0) return null;
  return el(
    'details',
    { class: 'worth', testid: 'worth' },
    el('summary', {}, 'What this chain is worth'),
    ...parts.flatMap(([words, lines]) => [
      el('h3', {}, words),
      el('ul', {}, ...lines.map((line) => el('li', {}, line))),
    ]),
  );
}

/** A chain as a list: each name on its own, so that one from right to left turns no other round. */
const inOrder = (path) =>
  el('ol', { class: 'other-chain' }, ...path.map(({ name }) => el('li', {}, el('bdi', {}, name))));

function heading(path) {
  if (path.length < 2) return 'A chain was found.';
  const names = path.map((one) => one.name);
  const [first, last] = [names[0], names[names.length - 1]];
  return path.length === 2
    ? `${first} and ${last} were photographed together.`
    : `${first} to ${last}, by way of ${joined(names.slice(1, -1))}.`;
}

const sure = (value) => (value === null ? '–' : `${percent(value)}%`);

const figure = (label, value, note) => [
  el('div', {}, el('dt', {}, label), el('dd', {}, value), el('dd', { class: 'small' }, note)),
];

const took = (spent, budget) =>
  [
    'searchCalls' in spent ? count(spent.searchCalls, 'search', 'searches') : '',
    spent.photos?.looked ? count(spent.photos.looked, 'photo') : '',
    'usd' in spent ? dollars(spent.usd) + allowed(budget) : '',
  ]
    .filter(Boolean)
    .join(', ');

const allowed = ({ usd }) => (usd === undefined ? '' : ` of ${dollars(usd)}`);

function copy(share) {
  const field = el('input', {
    type: 'text',
    readonly: true,
    value: share,
    'aria-label': 'Link to this result',
  });
  const said = el('span', { class: 'unheard', role: 'status' });
  const press = button(
    'Copy link',
    async () => {
      try {
        await navigator.clipboard.writeText(share);
      } catch {
        // No permission, or no secure context: the selected text can still be copied by hand.
        field.select();
        said.textContent = 'The link is selected; copy it with the keyboard.';
        return;
      }
      press.textContent = 'Copied';
      said.textContent = 'Link copied';
      setTimeout(() => {
        press.textContent = 'Copy link';
      }, 2000);
    },
    'primary',
  );
  return el('span', { class: 'share' }, field, press, said);
}

function joined(names) {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
