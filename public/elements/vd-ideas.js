// Ideas to start with: examples, a random pair, and runs viewed in this browser before.

import { arrange, el } from '../dom.js';
import { runPath } from '../route.js';
import { button } from './outcome-parts.js';

export class Ideas extends HTMLElement {
  #examples = el('div', { class: 'examples', testid: 'examples', hidden: true });
  #recent = el('div', { class: 'recent', testid: 'recent', hidden: true });

  connectedCallback() {
    if (!this.firstChild) this.append(this.#examples, this.#recent);
  }

  /** Offers pairs that users may try on this deployment. */
  offer(pairs) {
    this.#examples.hidden = pairs.length === 0;
    const names = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
    this.#examples.replaceChildren(
      el('p', { class: 'small' }, 'Or try'),
      ...pairs.map((pair) => this.#pick(pair)),
      button('A random pair', () => this.#tell(drawn(names)), 'plain'),
    );
  }

  /** Lists the runs viewed in this browser, the newest first. `forget(run)` forgets one run, `forget()` all. */
  remember(runs, forget) {
    this.#recent.hidden = runs.length === 0;
    const rows = runs.map(({ run, a, b }) =>
      el(
        'li',
        {},
        el('a', { href: `${runPath(run)}?${new URLSearchParams({ a, b })}` }, ...named({ a, b })),
        el(
          'button',
          {
            type: 'button', class: 'plain', 'aria-label': `Forget ${a} to ${b}`,
            on: { click: () => forget(run) },
          },
          'Forget',
        ),
      ));
    this.#recent.replaceChildren(
      el('h2', { class: 'quiet' }, 'Looked at in this browser'),
      el('ul', {}, ...rows),
      button('Forget all', () => forget(), 'plain'),
    );
    arrange(this, [this.#examples, this.#recent]);
  }

  #pick(pair) {
    return el(
      'button',
      { type: 'button', class: 'plain', testid: 'example', on: { click: () => this.#tell(pair) } },
      ...named(pair),
    );
  }

  #tell(pair) {
    this.dispatchEvent(new CustomEvent('vd-pick', { detail: pair }));
  }
}

const named = ({ a, b }) => [
  el('bdi', {}, a), el('span', { class: 'and' }, ' to '), el('bdi', {}, b),
];

/** Two different ones of these names, drawn at random. */
function drawn(names) {
  const at = Math.floor(Math.random() * names.length);
  const step = 1 + Math.floor(Math.random() * (names.length - 1));
  return { a: names[at], b: names[(at + step) % names.length] };
}
