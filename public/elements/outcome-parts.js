// Parts that all results share: a heading that can take the focus, and buttons.

import { el } from '../dom.js';

export const title = (kicker, words) => [
  el('p', { class: 'kicker' }, kicker),
  el('h2', { tabindex: '-1' }, words),
];

/** `words` is a text, a node, or a list of these. */
export const button = (words, click, style = 'secondary') =>
  el('button', { type: 'button', class: style, on: { click } }, ...[words].flat());

/** The download of the whole run as one file, from the address `file`, as long as it exists. */
export function sealedFile({ outcome }, file) {
  if (!file || outcome.kept || outcome.kind === 'gone') return [];
  const attributes = { href: file, download: true, testid: 'sealed' };
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
