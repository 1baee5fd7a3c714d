// What one run looks like: its parts, in which order they stand, and when each is drawn.

import { el } from '../dom.js';
import { isWithheld, trustOf } from '../trust.js';
import { LargePhoto } from './large-photo.js';

/** What is shown, in the order of an ended run: its parts, and what they are called from outside. */
const PARTS = {
  'vd-outcome': 'outcome',
  'vd-chain': 'chain',
  'vd-verification': 'verification',
  'vd-evidence': 'evidence',
  'vd-graph': 'graph',
  'vd-newest': 'newest',
  'vd-result': 'result',
  'vd-share': 'share',
  'vd-status': 'status',
  'vd-log': 'log',
  'vd-spend': 'spend',
};

/** What is drawn first at the end, and what a moment later. */
const PROOF = ['chain', 'verification', 'evidence', 'newest'];
const REST = ['graph', 'result', 'share', 'log', 'spend'];

export class RunView {
  node = el('div', { class: 'view', part: 'view' });
  #scene = el('div', { class: 'scene' });
  #desk = el('div', { class: 'desk' });
  #large = new LargePhoto();
  #parts = {};
  #state = null;
  #around = null;

  constructor() {
    for (const [name, part] of Object.entries(PARTS)) {
      this.#parts[part] = el(name, { part, hidden: true });
    }
    const {
      status, outcome, chain, verification, evidence, graph, newest, result, share, log, spend,
    } = this.#parts;
    this.#desk.append(log, spend);
    this.#scene.append(graph, newest);
    this.node.append(
      this.#large.node, status, outcome, chain, verification, evidence, this.#scene, result, share,
      this.#desk,
    );
    this.node.addEventListener('vd-enlarge', ({ detail }) => this.#large.show(detail));
    this.node.addEventListener('vd-show', ({ detail }) => this.#show(detail));
  }

  /** Draws a state; `around` gives what the parts need beside it. Answers whether the run has just ended. */
  draw(state, around) {
    if (state.showing !== this.#state?.showing) this.#large.close();
    [this.#state, this.#around] = [state, around];
    this.node.dataset.trust = trustOf(state);
    if (isWithheld(state)) return this.#withhold(state);
    const { outcome, status } = this.#parts;
    // First: a focused button that goes has the page laid out at once, and so far little has changed.
    status.render(state);
    const isEnding = state.phase === 'ended' && this.node.dataset.phase !== 'ended';
    if (isEnding) this.#makeRoom();
    this.node.dataset.phase = state.phase;
    this.node.dataset.outcome = state.outcome?.kind ?? '';
    const isNew = outcome.render(state, around());
    this.#render(PROOF);
    // The proof first: what stands below it may take a moment more.
    if (isNew) setTimeout(() => this.#render(REST));
    else this.#render(REST);
    return isNew;
  }

  /** Brings the result before the eyes and the keyboard. */
  reveal() {
    this.#parts.outcome.reveal();
  }

  /** Shows what a check of a file came to, and nothing else of it. */
  #withhold(state) {
    for (const part of Object.values(this.#parts)) part.hidden = true;
    this.node.dataset.phase = state.phase;
    this.node.dataset.outcome = '';
    this.#parts.verification.render(state);
    return false;
  }

  /** Where the keyboard waits while a run goes on. */
  takeFocus() {
    this.#parts.status.takeFocus();
  }

  /** The photo of a link. */
  #show(key) {
    const { newest, evidence } = this.#parts;
    if (this.#state.phase === 'ended') {
      evidence.reveal(key);
      return;
    }
    newest.choose(key);
    newest.render(this.#state);
  }

  #render(names) {
    const around = this.#around();
    for (const name of names) this.#parts[name].render(this.#state, around);
  }

  /** What the result pushes down is put there anew, and shown after it: nobody sees it fly away. */
  #makeRoom() {
    const focused = this.node.getRootNode().activeElement;
    const { result, share } = this.#parts;
    const below = [this.#scene, result, share, this.#desk];
    const isUsed = below.some((node) => node.contains(focused));
    this.node.append(...below);
    if (!isUsed) for (const name of REST) this.#parts[name].hidden = true;
    // What is moved in the document loses the focus.
    if (isUsed) focused.focus({ preventScroll: true });
  }
}
