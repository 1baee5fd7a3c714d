// What the run has spent so far, and its limits.

import { el, setText } from '../dom.js';
import { metersOf } from '../views.js';
import { dollars, seconds } from '../words.js';

const PHOTOS = [
  ['found', 'found'],
  ['looked', 'looked at'],
  ['remembered', 'of them remembered'],
  ['unfetchable', 'unfetchable'],
  ['unreadable', 'unreadable'],
  ['repeated', 'repeated'],
  ['copies', 'of them copies'],
  ['left', 'left'],
  ['vetoed', 'rejected as collages'],
];

export class Spend extends HTMLElement {
  #heading = el('h2', { class: 'quiet' }, 'Spent');
  #meters = el('dl', { class: 'meters' });
  #photos = el('p', { class: 'photos small' });
  #rows = new Map();
  #state = null;
  #clock = 0;

  connectedCallback() {
    this.dataset.testid = 'spend';
    if (!this.contains(this.#meters)) this.append(this.#heading, this.#meters, this.#photos);
  }

  disconnectedCallback() {
    this.#tick(false);
  }

  render(state) {
    this.#state = state;
    this.#draw();
    this.#tick(state.phase === 'running');
  }

  // Lets the clock run on between two events, since a stopped clock looks like a stopped search.
  #tick(on) {
    if (!on) clearInterval(this.#clock);
    if (!on) this.#clock = 0;
    else if (!this.#clock) this.#clock = setInterval(() => this.#draw(), 500);
  }

  #draw() {
    const { spent } = this.#state;
    const meters = metersOf(this.#state, performance.now());
    this.hidden = meters.length === 0;
    for (const meter of meters) this.#meter(meter);
    for (const [key, row] of this.#rows) {
      const wanted = meters.some((meter) => meter.key === key);
      for (const node of row.nodes) node.hidden = !wanted;
    }
    const numbers = spent.photos ?? {};
    const shown = PHOTOS.filter(([key]) => numbers[key] > 0 || (key === 'looked' && spent.photos));
    const words = shown.map(([key, what]) => `${numbers[key] ?? 0} ${what}`);
    setText(this.#photos, words.length === 0 ? '' : `Photos: ${words.join(', ')}`);
  }

  #meter({ key, label, value, limit }) {
    const row = this.#rows.get(key) ?? this.#row(key, label);
    const words = key === 'runtimeMs' ? seconds : key === 'usd' ? dollars : String;
    setText(row.text, words(value));
    setText(row.limit, limit === null ? '' : ` of ${words(limit)}`);
    row.bar.hidden = limit === null;
    const part = limit ? Math.min(1, value / limit) : 0;
    row.fill.style.width = `${part * 100}%`;
    row.bar.classList.toggle('full', part >= 0.9);
  }

  #row(key, label) {
    const text = el('span', { class: 'value' });
    const limit = el('span', { class: 'limit' });
    const fill = el('span', { class: 'fill' });
    const bar = el('span', { class: 'bar', 'aria-hidden': 'true' }, fill);
    const nodes = [
      el('div', { class: 'meter' }, el('dt', {}, label), el('dd', {}, text, limit, bar)),
    ];
    this.#meters.append(...nodes);
    const row = { nodes, text, limit, bar, fill };
    this.#rows.set(key, row);
    return row;
  }
}
