// Below the proof of a chain: what it is worth, and what it cost.

import { trustOf } from '../trust.js';
import { result } from './outcome-final.js';

export class Result extends HTMLElement {
  #outcome = null;
  #told = '';

  render(state) {
    const outcome = state.outcome?.kind === 'final' ? state.outcome : null;
    this.hidden = !outcome;
    // What the record says comes after the result, and so may another check of a file.
    const told = JSON.stringify([trustOf(state), state.kept?.forkedFrom, state.kept?.reused, state.together]);
    if (outcome === this.#outcome && told === this.#told) return;
    this.#outcome = outcome;
    this.#told = told;
    this.replaceChildren(...(outcome ? result(state) : []));
  }
}
