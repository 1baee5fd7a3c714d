// The text below the proof of a chain: its worth and cost.

import { trustOf } from '../trust.js';
import { result } from './outcome-final.js';

export class Result extends HTMLElement {
  #outcome = null;
  #told = '';

  render(state) {
    const outcome = state.outcome?.kind === 'final' ? state.outcome : null;
    this.hidden = !outcome;
    // The run's record, or another check of a file, may arrive after the result, and then changes this text.
    const told = JSON.stringify([trustOf(state), state.kept?.forkedFrom, state.kept?.reused, state.together]);
    if (outcome === this.#outcome && told === this.#told) return;
    this.#outcome = outcome;
    this.#told = told;
    this.replaceChildren(...(outcome ? result(state) : []));
  }
}
