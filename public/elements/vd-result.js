// Below the proof of a chain: what it is worth, what it cost, and how to share it.

import { result } from './outcome-final.js';

export class Result extends HTMLElement {
  #shown = null;

  render(state, around) {
    const outcome = state.outcome?.kind === 'final' ? state.outcome : null;
    this.hidden = !outcome;
    if (outcome === this.#shown) return;
    this.#shown = outcome;
    const ask = (name, detail) =>
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    this.replaceChildren(...(outcome ? result(ask, state, around) : []));
  }
}
