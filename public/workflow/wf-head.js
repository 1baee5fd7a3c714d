// How a run stands, in one large line; the Stop button, and at the end what is left of the run.

import { Announcer } from '../announcer.js';
import { el, setText } from '../dom.js';
import { runPath } from '../route.js';
import { count } from '../words.js';
import { FORGED_RUN, trustOf } from '../trust.js';
import { verificationWords } from './sealed-run.js';
import { failureWords, shown, spentWords } from './trace-words.js';

const GONE = {
  address: 'This address names no run.',
  unknown: 'There is no such run.',
  expired: 'This run has expired, or was deleted.',
  events: 'What this run told is not kept any more.',
  unfinished: 'This file ends before its run does.',
  unreachable: 'The run could not be read. Try again later.',
};

export class WorkflowHead extends HTMLElement {
  #heading = el('h1', { class: 'asked', tabindex: '-1', testid: 'workflow-name' });
  #now = el('p', { class: 'now', testid: 'status' });
  #why = el('p', { class: 'why', testid: 'why' });
  #more = el('p', { class: 'small', testid: 'more' });
  #checked = el('p', { class: 'small', role: 'status', testid: 'checked' });
  #lost = el('p', { class: 'lost' });
  #heard = el('p', { class: 'unheard', role: 'status' });
  #announcer = new Announcer((words) => setText(this.#heard, words));
  #stop = el('button', { type: 'button', testid: 'stop' }, 'Stop');
  #again = el('button', { type: 'button', testid: 'again' }, 'Change and run again');
  #other = el('button', { type: 'button', class: 'plain', testid: 'leave' }, 'Another workflow');
  #claims = el('button', { type: 'button', class: 'plain', testid: 'claims', hidden: true }, 'Show what this file claims');
  #links = el('p', { class: 'links small' });
  #linked = '';

  connectedCallback() {
    if (this.contains(this.#now)) return;
    const tell = (name) => () => this.dispatchEvent(new CustomEvent(name, { bubbles: true }));
    this.#stop.addEventListener('click', () => this.#stop.ariaDisabled !== 'true' && tell('wf-stop')());
    this.#again.addEventListener('click', tell('wf-again'));
    this.#other.addEventListener('click', tell('wf-other'));
    this.#claims.addEventListener('click', tell('wf-claims'));
    const words = [this.#heading, this.#now, this.#why, this.#more, this.#checked, this.#lost];
    const press = [this.#links, this.#stop, this.#claims, this.#again, this.#other];
    this.append(el('div', { class: 'words' }, ...words), el('div', { class: 'press' }, ...press), this.#heard);
  }

  /** Where the keyboard waits while a run goes on. */
  takeFocus() {
    const place = this.#stop.hidden ? this.#heading : this.#stop;
    place.focus({ preventScroll: true });
  }

  /** `isWithheld` where nothing of a file is shown: it is not known yet whether it is true, or known that it is not. */
  render({ state, graph, mayRunAgain, isWithheld }) {
    this.hidden = state.phase === 'idle';
    this.dataset.outcome = state.outcome?.kind ?? '';
    const isForged = trustOf(state) === 'forged';
    this.#heading.replaceChildren(
      isForged ? FORGED_RUN : el('bdi', {}, isWithheld ? 'A run of a workflow' : (graph?.name ?? 'A run of a workflow')),
    );
    const words = isWithheld ? '' : `${isForged ? 'The file claims: ' : ''}${sentence(state, graph)}`;
    setText(this.#now, words);
    setText(this.#why, isWithheld ? '' : shown(state.outcome?.message ?? ''));
    setText(this.#more, isWithheld ? '' : moreOf(state));
    setText(this.#checked, state.verification ? verificationWords(state.verification) : '');
    this.#checked.setAttribute('role', isForged ? 'alert' : 'status');
    this.classList.toggle('forged', isForged);
    this.#claims.hidden = !isForged || !isWithheld;
    const lost = state.connection === 'lost' ? 'Connection lost, reconnecting…' : '';
    setText(this.#lost, lost);
    this.#announcer.tell(lost || (state.phase === 'running' && state.heard) || words);
    const isWaiting = document.activeElement === this.#stop;
    this.#stop.hidden = state.phase !== 'running' || !state.isOwn;
    // A button that goes takes the focus with it.
    if (isWaiting && this.#stop.hidden) this.takeFocus();
    this.#stop.setAttribute('aria-disabled', String(state.isStopping));
    setText(this.#stop, state.isStopping ? 'Stopping…' : 'Stop');
    this.#again.hidden = state.phase !== 'ended' || !mayRunAgain;
    this.#other.hidden = state.phase !== 'ended';
    this.#link(state);
  }

  /** What is left of a run that has ended. */
  #link({ run, phase, outcome, isFile }) {
    const linked = phase === 'ended' && !isFile && outcome.kind !== 'gone' ? run : '';
    if (linked === this.#linked) return;
    this.#linked = linked;
    this.#links.replaceChildren();
    if (!linked) return;
    // The server names the files.
    const file = (what, testid, words) => el('a', { href: `${runPath(run)}/${what}`, download: true, testid }, words);
    this.#links.append(
      'Download ', file('sealed', 'sealed', 'the sealed run'), ' or ', file('trace', 'archive', 'the trace'),
    );
  }
}

function sentence({ phase, outcome, at, isStopping }, graph) {
  if (phase === 'starting') return 'Starting…';
  if (phase === 'idle') return '';
  if (!outcome) {
    const name = graph?.nodes.find(({ id }) => id === at)?.name;
    if (isStopping) return 'Stopping…';
    return name ? `Now: ${name}` : 'Waiting for the first word…';
  }
  switch (outcome.kind) {
    case 'completed':
      return 'Completed.';
    case 'stopped':
      return 'Stopped.';
    case 'failed': {
      const name = graph?.nodes.find(({ id }) => id === outcome.node)?.name;
      const isPlain = name && outcome.reason === 'node_failed';
      return `Failed${name ? ` at ${name}` : ''}${isPlain ? '' : `: ${failureWords(outcome.reason)}`}.`;
    }
    default:
      return GONE[outcome.why] ?? GONE.unreachable;
  }
}

/** What it was given, and what it has spent. */
function moreOf({ kept, outcome, events, isBounded, counts: { warnings, checks, passed } }) {
  const parts = [
    kept?.dialect && `Dialect ${kept.dialect}`,
    kept?.servers.length > 0 && `servers: ${kept.servers.join(', ')}`,
    checks > 0 && `${passed} of ${checks} checks passed`,
    warnings > 0 && count(warnings, 'warning'),
    outcome && spentWords(outcome.spent).trim().replace(/^\(|\)$/g, ''),
    !outcome && events > 0 && count(events, 'event'),
    outcome?.kind === 'gone' && outcome.why === 'events' && outcome.detail && `The record says: ${outcome.detail}`,
    outcome?.leftOut > 0 && `${outcome.leftOut} events were not told`,
    isBounded && !outcome && 'only failures and the end are told from here on',
  ];
  return parts.filter(Boolean).join(' · ');
}
