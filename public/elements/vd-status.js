// The current activity, in large letters, and the Stop button.

import { Announcer } from '../announcer.js';
import { el, setText } from '../dom.js';
import { STATES } from '../words.js';

export class Status extends HTMLElement {
  #now = el('p', { class: 'now', testid: 'status' });
  #heard = el('p', { class: 'unheard', role: 'status', testid: 'heard' });
  #announcer = new Announcer((words) => setText(this.#heard, words));
  #where = el('p', { class: 'where small' });
  #guess = el('p', { class: 'guess small', testid: 'guess' });
  #lost = el('p', { class: 'lost' });
  #stop = el('button', { type: 'button', class: 'secondary', testid: 'stop' }, 'Stop');

  connectedCallback() {
    if (this.contains(this.#now)) return;
    this.#stop.addEventListener('click', () => this.dispatchEvent(new CustomEvent('vd-stop', { bubbles: true })));
    const words = el('div', { class: 'words' }, this.#now, this.#where, this.#guess, this.#lost);
    this.append(words, this.#heard, this.#stop);
  }

  /** Takes the keyboard focus during a run. */
  takeFocus() {
    this.#stop.focus({ preventScroll: true });
  }

  render(state) {
    const { status, phase } = state;
    const isEnded = phase === 'ended';
    // At the end the status is not shown any more but stays for screen readers.
    this.hidden = phase === 'idle';
    this.classList.toggle('unheard', isEnded);
    setText(this.#now, isEnded ? '' : sentence(state));
    setText(this.#where, isEnded ? '' : where(status));
    setText(this.#guess, !isEnded && status?.guess ? guessed(status.guess) : '');
    const lost = state.connection === 'lost' ? 'Connection lost, reconnecting…' : '';
    setText(this.#lost, lost);
    this.#announcer.tell(isEnded ? 'The search is over.' : lost || sentence(state));
    this.#stop.hidden = phase !== 'running' || !state.isOwn;
    this.#stop.disabled = state.stopping;
    setText(this.#stop, state.stopping ? 'Stopping…' : 'Stop');
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
    STATES[status.state] ?? '',
    status.frontier ? `around ${status.frontier.name}` : '',
    side ?? '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Words about a guess of the planner, which are no evidence. */
const guessed = (name) => `A guess of the planner, to be proven by photos: ${name}`;
