// What every last word has: a heading that can take the focus, and buttons.

import { el } from '../dom.js';
import { runPath } from '../route.js';

export const title = (kicker, words) => [
  el('p', { class: 'kicker' }, kicker),
  el('h2', { tabindex: '-1' }, words),
];

export const button = (words, click, style = 'secondary') =>
  el('button', { type: 'button', class: style, on: { click } }, words);

/** The whole run as one file, while its object is there. */
export function sealedFile({ run, outcome }) {
  if (!run || outcome.kept || outcome.kind === 'expired') return [];
  const attributes = { href: `${runPath(run)}/sealed`, download: true, testid: 'sealed' };
  return [
    el(
      'p',
      { class: 'small' },
      'Every answer and decision behind this: ',
      el('a', attributes, 'the sealed run'),
      ', one file that anyone can run again and check.',
    ),
  ];
}
