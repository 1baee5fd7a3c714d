// What every last word has: a heading that can take the focus, and buttons.

import { el } from '../dom.js';

export const title = (kicker, words) => [
  el('p', { class: 'kicker' }, kicker),
  el('h2', { tabindex: '-1' }, words),
];

export const button = (words, click, style = 'secondary') =>
  el('button', { type: 'button', class: style, on: { click } }, words);
