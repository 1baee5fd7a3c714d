// Starts a run: the question as the API takes it, and a lost answer asked for again as it was.

import { newKey, token } from '../api.js';

export const DIALECTS = ['clickweave', 'strict'];

/** What a run may do at most, as the form shows it: the server's own defaults. */
export const LIMITS = Object.freeze({ steps: '100000', runtimeMs: '600', toolCalls: '1000', budgetUsd: '' });
// The form asks for seconds; the wire says `runtimeMs`.
const SCALE = { runtimeMs: 1000 };

/** The body of `POST /runs`. What is no number is sent as it was typed: to refuse it is the server's part. */
export function questionOf({ workflow, servers, dialect, limits }) {
  const options = { dialect };
  for (const [name, preset] of Object.entries(LIMITS)) {
    const typed = String(limits[name] ?? '').trim();
    if (typed === '' || typed === preset) continue;
    options[name] = Number.isFinite(Number(typed)) ? Number(typed) * (SCALE[name] ?? 1) : typed;
  }
  // Without a list the run may use all of the operator's.
  return { workflow, ...(servers ? { servers } : {}), options };
}

/** From where to where a limit may go, in the unit of its field. */
export function rangeOf(name, { least, most }) {
  const scale = SCALE[name] ?? 1;
  return `${least / scale} to ${most / scale}`;
}

export class Starter {
  #server;
  #human;
  #attempt = null; // {told, key, human}

  /** `human` is the element of the check for humans. */
  constructor(server, human) {
    this.#server = server;
    this.#human = human;
  }

  /** Promises the run's token. */
  async start(question) {
    const told = JSON.stringify(question);
    if (this.#attempt?.told !== told) this.#attempt = { told, key: newKey(), human: '' };
    const attempt = this.#attempt;
    // The operator is asked for no check.
    if (!token.get()) attempt.human ||= await this.#human.token();
    try {
      const run = await this.#server.createRun(question, attempt.key, attempt.human);
      this.#attempt = null;
      return run;
    } catch (problem) {
      if (problem.status !== 0) this.#attempt = null;
      // A token that was refused would be refused again; the field asks for another one.
      if (problem.status === 401) token.set('');
      throw problem;
    } finally {
      this.#human.renew();
    }
  }
}
