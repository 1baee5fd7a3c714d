// Shows the status of a run in one large line, with the Stop button, and at the end the run's files.

import { Announcer } from '../announcer.js';
import { el, setText } from '../dom.js';
import { runPath } from '../route.js';
import { FORGED_RUN, trustOf } from '../trust.js';
import { verificationWords } from './sealed-run.js';
import { shown } from './told-words.js';

const GONE = {
  address: 'This address names no run.',
  unknown: 'There is no such run.',
  expired: 'This run has expired, or was deleted.',
  events: 'What this run told is not kept any more.',
  unfinished: 'This file ends before its run does.',
  unreachable: 'The run could not be read. Try again later.',
};

export class RunPageHead extends HTMLElement {
  #heading = el('h1', { class: 'asked', tabindex: '-1', testid: 'run-name' });
  #now = el('p', { class: 'now', testid: 'status' });
  #why = el('p', { class: 'why', testid: 'why' });
  #more = el('p', { class: 'small', testid: 'more' });
  #checked = el('p', { class: 'small', role: 'status', testid: 'checked' });
  #lost = el('p', { class: 'lost' });
  #heard = el('p', { class: 'unheard', role: 'status' });
  #announcer = new Announcer((words) => setText(this.#heard, words));
  #stop = el('button', { type: 'button', testid: 'stop' }, 'Stop');
  #again = el('button', { type: 'button', testid: 'again' }, 'Change and run again');
  #other = el('button', { type: 'button', class: 'plain', testid: 'leave' });
  #claims = el('button', { type: 'button', class: 'plain', testid: 'claims', hidden: true }, 'Show what this file claims');
  #links = el('p', { class: 'links small' });
  #linked = '';
  /**
   * The engine's words: `noun` for a run without a name; `other` for the button that leaves it; `now(state, graph)` and
   * `failed(state, graph)` for its status; `more(state)`, a list of what it was given and has spent; `files`, its files
   * as `[path, testid, words]`.
   */
  words = null;

  connectedCallback() {
    if (this.contains(this.#now)) return;
    const tell = (name) => () => this.dispatchEvent(new CustomEvent(name, { bubbles: true }));
    this.#stop.addEventListener('click', () => this.#stop.ariaDisabled !== 'true' && tell('run-page-stop')());
    this.#again.addEventListener('click', tell('run-page-again'));
    this.#other.addEventListener('click', tell('run-page-other'));
    this.#claims.addEventListener('click', tell('run-page-claims'));
    const words = [this.#heading, this.#now, this.#why, this.#more, this.#checked, this.#lost];
    const press = [this.#links, this.#stop, this.#claims, this.#again, this.#other];
    this.append(el('div', { class: 'words' }, ...words), el('div', { class: 'press' }, ...press), this.#heard);
  }

  /** Takes the keyboard focus during a run. */
  takeFocus() {
    const place = this.#stop.hidden ? this.#heading : this.#stop;
    place.focus({ preventScroll: true });
  }

  /**
   * Draws a state. `isWithheld` if nothing of a file may be shown, because the file is not verified yet or is forged.
   */
  render({ state, graph, mayRunAgain, isWithheld }) {
    const { noun, other } = this.words;
    this.hidden = state.phase === 'idle';
    this.dataset.outcome = state.outcome?.kind ?? '';
    const isForged = trustOf(state) === 'forged';
    this.#heading.replaceChildren(
      isForged ? FORGED_RUN : el('bdi', {}, isWithheld ? noun : (graph?.name ?? noun)),
    );
    const words = isWithheld ? '' : `${isForged ? 'The file claims: ' : ''}${this.#sentence(state, graph)}`;
    setText(this.#now, words);
    setText(this.#why, isWithheld ? '' : shown(state.outcome?.message ?? ''));
    setText(this.#more, isWithheld ? '' : this.words.more(state).filter(Boolean).join(' · '));
    setText(this.#checked, state.verification ? verificationWords(state.verification) : '');
    this.#checked.setAttribute('role', isForged ? 'alert' : 'status');
    this.classList.toggle('forged', isForged);
    this.#claims.hidden = !isForged || !isWithheld;
    const lost = state.connection === 'lost' ? 'Connection lost, reconnecting…' : '';
    setText(this.#lost, lost);
    this.#announcer.tell(lost || (state.phase === 'running' && state.heard) || words);
    const isWaiting = document.activeElement === this.#stop;
    this.#stop.hidden = state.phase !== 'running' || !state.isOwn;
    // Hiding a focused button would lose the focus, so the focus is moved first.
    if (isWaiting && this.#stop.hidden) this.takeFocus();
    this.#stop.setAttribute('aria-disabled', String(state.isStopping));
    setText(this.#stop, state.isStopping ? 'Stopping…' : 'Stop');
    this.#again.hidden = state.phase !== 'ended' || !mayRunAgain;
    this.#other.hidden = state.phase !== 'ended';
    setText(this.#other, other);
    this.#link(state);
  }

  /** Links the files of a run that has ended. */
  #link({ run, phase, outcome, isFile }) {
    const linked = phase === 'ended' && !isFile && outcome.kind !== 'gone' ? run : '';
    if (linked === this.#linked) return;
    this.#linked = linked;
    this.#links.replaceChildren();
    if (!linked) return;
    // The links have no file names, since the server names the downloads.
    const file = (what, testid, words) => el('a', { href: `${runPath(run)}/${what}`, download: true, testid }, words);
    const links = this.words.files.flatMap(([what, testid, words], i) => [i > 0 ? ' or ' : '', file(what, testid, words)]);
    this.#links.append('Download ', ...links);
  }

  #sentence(state, graph) {
    const { phase, outcome, isStopping } = state;
    if (phase === 'starting') return 'Starting…';
    if (phase === 'idle') return '';
    if (!outcome) {
      if (isStopping) return 'Stopping…';
      return this.words.now(state, graph) || 'Waiting for the first word…';
    }
    switch (outcome.kind) {
      case 'completed':
        return 'Completed.';
      case 'stopped':
        return 'Stopped.';
      case 'failed':
        return this.words.failed(state, graph);
      default:
        return GONE[outcome.why] ?? GONE.unreachable;
    }
  }
}
