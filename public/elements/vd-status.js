// What is happening now, in large letters; what happened before, small; and the Stop button.

import { Announcer } from '../announcer.js';
import { el, setText } from '../dom.js';
import { STATES } from '../words.js';

export class Status extends HTMLElement {
  #heading = el('h2', {}, 'How it went');
  #now = el('p', { class: 'now', testid: 'status' });
  #heard = el('p', { class: 'unheard', role: 'status', testid: 'heard' });
  #announcer = new Announcer((words) => setText(this.#heard, words));
  #where = el('p', { class: 'where small' });
  #guess = el('p', { class: 'guess small', testid: 'guess' });
  #lost = el('p', { class: 'lost' });
  #stop = el('button', { type: 'button', class: 'secondary', testid: 'stop' }, 'Stop');
  #log = el('ol', { class: 'log', tabindex: '0' });
  #logged = 0;
  #isWhole = false;

  connectedCallback() {
    if (this.contains(this.#now)) return;
    this.#stop.addEventListener('click', () => this.dispatchEvent(new CustomEvent('vd-stop')));
    this.append(
      el(
        'div',
        { class: 'live' },
        this.#heading,
        this.#now,
        this.#heard,
        this.#where,
        this.#guess,
        this.#lost,
        this.#stop,
      ),
      this.#log,
    );
  }

  /** Where the keyboard waits while a run goes on. */
  takeFocus() {
    this.#stop.focus({ preventScroll: true });
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
    const lost = state.connection === 'lost' ? 'Connection lost, reconnecting…' : '';
    setText(this.#lost, lost);
    this.#announcer.tell(ended ? 'The search is over.' : lost || sentence(state));
    this.#stop.hidden = phase !== 'running' || !state.isOwn;
    this.#stop.disabled = state.stopping;
    setText(this.#stop, state.stopping ? 'Stopping…' : 'Stop');
    this.#write(state.log, ended);
  }

  // While a run goes on what is new stands first; afterwards it is read from its beginning. Lines are
  // only ever added within one run, so each is drawn once.
  #write(log, isEnded) {
    const newest = log.at(-1)?.n ?? 0;
    if (log.length === 0 || newest < this.#logged || isEnded !== this.#isWhole) {
      this.#log.replaceChildren();
      this.#logged = 0;
      this.#isWhole = isEnded;
      const order = isEnded ? 'oldest' : 'newest';
      this.#log.setAttribute('aria-label', `Steps so far, ${order} first`);
    }
    for (const line of log) {
      if (line.n <= this.#logged) continue;
      this.#log[isEnded ? 'append' : 'prepend'](el('li', {}, line.message));
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
