// The view of one run: which parts it has, in which order they are, and when each is drawn.

import { el } from '../dom.js';
import { isWithheld, trustOf } from '../trust.js';
import { LargePhoto } from './large-photo.js';

/** The parts in the order in which an ended run shows them, with their public names. */
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

/** The parts that are drawn first when a run ends; the others follow a moment later. */
const PROOF = ['chain', 'verification', 'evidence', 'newest'];
const REST = ['graph', 'result', 'share', 'log', 'spend'];

export class RunView {
  node = el('div', { class: 'view', part: 'view' });
  #scene = el('div', { class: 'scene' });
  #below = el('div', { class: 'run-page' });
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
    this.#below.append(log, spend);
    this.#scene.append(graph, newest);
    this.node.append(
      this.#large.node, status, outcome, chain, verification, evidence, this.#scene, result, share,
      this.#below,
    );
    this.node.addEventListener('vd-enlarge', ({ detail }) => this.#large.show(detail));
    this.node.addEventListener('vd-show', ({ detail }) => this.#show(detail));
  }

  /** Draws a state. `around` has what the parts need besides the state. Returns whether the run has just ended. */
  draw(state, around) {
    if (state.showing !== this.#state?.showing) this.#large.close();
    [this.#state, this.#around] = [state, around];
    this.node.dataset.trust = trustOf(state);
    if (isWithheld(state)) return this.#withhold(state);
    const { outcome, status } = this.#parts;
    // The status is drawn first, while little has changed yet: hiding a focused button forces a layout.
    status.render(state);
    const isEnding = state.phase === 'ended' && this.node.dataset.phase !== 'ended';
    if (isEnding) this.#makeRoom();
    this.node.dataset.phase = state.phase;
    this.node.dataset.outcome = state.outcome?.kind ?? '';
    const isNew = outcome.render(state, around());
    this.#render(PROOF);
    // The proof is drawn at once; the parts below it may follow a moment later.
    if (isNew) setTimeout(() => this.#render(REST));
    else this.#render(REST);
    return isNew;
  }

  /** Scrolls to the result and focuses it. */
  reveal() {
    this.#parts.outcome.reveal();
  }

  /** Shows only the result of a file's check. */
  #withhold(state) {
    for (const part of Object.values(this.#parts)) part.hidden = true;
    this.node.dataset.phase = state.phase;
    this.node.dataset.outcome = '';
    this.#parts.verification.render(state);
    return false;
  }

  /** Takes the keyboard focus during a run. */
  takeFocus() {
    this.#parts.status.takeFocus();
  }

  /** Shows the photo of a link. */
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

  /** Reinserts the parts that the result pushes down, and shows them only afterwards. So they do not visibly jump. */
  #makeRoom() {
    const focused = this.node.getRootNode().activeElement;
    const { result, share } = this.#parts;
    const below = [this.#scene, result, share, this.#below];
    const isUsed = below.some((node) => node.contains(focused));
    this.node.append(...below);
    if (!isUsed) for (const name of REST) this.#parts[name].hidden = true;
    // Moving an element in the document takes the focus from it, so the focus is set again.
    if (isUsed) focused.focus({ preventScroll: true });
  }
}
