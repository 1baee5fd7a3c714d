// The text about a chain below its proof: how confident it is, what it is worth, and what it cost.

import { el } from '../dom.js';
import { count, DISCLAIMER, dollars, percent, seconds } from '../words.js';
import { trustOf } from '../trust.js';
import { linksOf } from '../views.js';
import { drawLink } from './link-card.js';
import { title } from './outcome-parts.js';

/** The heading over the chain. */
export function found({ outcome: { path } }) {
  return title(count(Math.max(0, path.length - 1), 'degree'), heading(path));
}

/** The nodes below the proof. */
export function result(state) {
  const { bottleneck, cumulative, disclaimer, kept } = state.outcome;
  const { years } = state.outcome.certificate;
  const { spent, budget } = state;
  return [
    years ? el('p', { testid: 'years' }, years) : null,
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
    wentOn(state),
    worth(state),
    el('p', { class: 'disclaimer' }, disclaimer || DISCLAIMER),
    kept
      ? el('p', { class: 'small' }, 'Shown from the kept record; the live events are gone.')
      : null,
  ].filter(Boolean);
}

/** States what the run reused from an earlier run, and what both have cost together. */
function wentOn({ kept, together }) {
  if (!kept?.forkedFrom) return null;
  const cost = together === null ? '' : ` Both runs together cost ${dollars(together)}.`;
  const answers = count(kept.reused, 'answer');
  return el(
    'p',
    { class: 'small', testid: 'went-on' },
    'It went on from run ', el('code', {}, kept.forkedFrom), `: ${answers} of it used again.${cost}`,
  );
}

/** States what is proven, what was searched for in vain, what was not searched, and the other chains. */
function worth(state) {
  const { proven, excluded, open, others } = state.outcome.certificate;
  const parts = [
    [trustOf(state) === 'unchecked' ? 'What the file says is proven' : 'Proven', proven],
    ['Looked for in vain', excluded],
    ['Still open', open],
    ['Other chains', others.map((path) => otherChain(state, path))],
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

/** Shows one of the other chains, collapsed. Its photos are loaded only when the user opens it. */
function otherChain(state, path) {
  const sheet = el('div', { class: 'sheet' });
  const draw = () => {
    if (sheet.firstChild) return;
    linksOf(state, path).forEach((link, i) => {
      const card = el('article', { class: 'card', testid: 'other-card' });
      drawLink(card, link);
      card.querySelector('.number').textContent = String(i + 1);
      sheet.append(card);
    });
  };
  return el('details', { on: { toggle: draw } }, el('summary', {}, inOrder(path)), sheet);
}

/** A chain as a list, each name isolated, so that a right-to-left name does not reorder others. */
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

function joined(names) {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
