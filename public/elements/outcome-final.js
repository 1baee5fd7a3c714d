// The last word of a run that found a chain: how sure it is, what it cost, and its link.

import { el } from '../dom.js';
import { count, DISCLAIMER, dollars, percent, seconds } from '../words.js';
import { button, title } from './outcome-parts.js';

export function final(host, state, share) {
  const { path, bottleneck, cumulative, disclaimer, kept } = state.outcome;
  const links = path.length - 1;
  const { spent, budget } = state;
  return [
    ...title(count(Math.max(0, links), 'degree'), heading(path)),
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
      { class: 'actions' },
      copy(share),
      button('Another pair', () => host.ask('vd-edit', {})),
    ),
  ];
}

/** What is proven, what was looked for in vain, what nobody asked, and the other chains. */
function worth({ proven, excluded, open, others }) {
  const named = others.map((path) => path.map((one) => one.name).join(' – '));
  const parts = [
    ['Proven', proven],
    ['Looked for in vain', excluded],
    ['Still open', open],
    ['Other chains', named],
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
