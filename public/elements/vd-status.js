// What is happening now, in large letters; what happened before, small; and the Stop button.

import { el, setText } from '../dom.js';
import { STATES } from '../words.js';

export class Status extends HTMLElement {
  #heading = el('h2', {}, 'How it went');
  #now = el('p', { class: 'now', testid: 'status', role: 'status', 'aria-live': 'polite' });
  #where = el('p', { class: 'where small' });
  #guess = el('p', { class: 'guess small', testid: 'guess' });
  #lost = el('p', { class: 'lost', role: 'status' });
  #reel = el('ol', { class: 'reel', 'aria-hidden': 'true' });
  #stop = el('button', { type: 'button', class: 'secondary', testid: 'stop' }, 'Stop');
  #log = el('ol', { class: 'log', tabindex: '0', 'aria-label': 'Steps so far, newest first' });
  #logged = 0;

  connectedCallback() {
    if (this.contains(this.#now)) return;
    for (const [key, title] of Object.entries(STATES)) {
      this.#reel.append(el('li', { 'data-state': key, title }, key));
    }
    this.#stop.addEventListener('click', () => this.dispatchEvent(new CustomEvent('vd-stop')));
    this.append(
      el(
        'div',
        { class: 'live' },
        this.#reel,
        this.#heading,
        this.#now,
        this.#where,
        this.#guess,
        this.#lost,
        this.#stop,
      ),
      this.#log,
    );
  }

  render(state) {
    const { status, phase } = state;
    const ended = phase === 'ended';
    this.hidden = phase === 'idle' || (ended && state.log.length === 0);
    this.classList.toggle('ended', ended);
    this.#heading.hidden = !ended;
    setText(this.#now, sentence(state));
    setText(this.#where, ended ? '' : where(status));
    setText(this.#guess, !ended && status?.guess ? guessed(status.guess) : '');
    setText(this.#lost, state.connection === 'lost' ? 'Connection lost, reconnecting…' : '');
    for (const cell of this.#reel.children) {
      cell.classList.toggle('current', !ended && cell.dataset.state === status?.state);
    }
    this.#stop.hidden = phase !== 'running' || !state.isOwn;
    this.#stop.disabled = state.stopping;
    setText(this.#stop, state.stopping ? 'Stopping…' : 'Stop');
    this.#write(state.log);
  }

  // Lines are only ever added within one run, so each is drawn once.
  #write(log) {
    const newest = log[log.length - 1]?.n ?? 0;
    if (log.length === 0 || newest < this.#logged) {
      this.#log.replaceChildren();
      this.#logged = 0;
    }
    for (const line of log) {
      if (line.n <= this.#logged) continue;
      this.#log.prepend(
        el('li', {}, el('span', { class: 'state' }, line.state), el('span', {}, line.message)),
      );
      this.#logged = line.n;
    }
    // The latest line already stands above; it is not read out again when the run ends.
    this.#log.hidden = log.length < 2;
  }
}

function sentence({ phase, status }) {
  if (phase === 'starting') return 'Starting…';
  return status?.message || (phase === 'running' ? 'Waiting for the first word…' : '');
}

function where(status) {
  if (!status) return '';
  const side = { a: 'from the first person', b: 'from the second person' }[status.side];
  return [
    STATES[status.state] ?? status.state,
    status.hop === null ? '' : `hop ${status.hop}`,
    status.frontier ? `around ${status.frontier}` : '',
    side ?? '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** A guess is no evidence, and looks like none. */
const guessed = (name) => `A guess of the planner, to be proven by photos: ${name}`;
