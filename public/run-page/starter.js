// Starts a run. A request that got no answer is repeated unchanged, so that it starts no second run.

import { newKey, token } from '../api.js';

export class Starter {
  #server;
  #human;
  #attempt = null; // {told, key, human}

  /** `human` is the element of the check for humans. */
  constructor(server, human) {
    this.#server = server;
    this.#human = human;
  }

  /** Resolves to the run's token. */
  async start(question) {
    const told = JSON.stringify(question);
    if (this.#attempt?.told !== told) this.#attempt = { told, key: newKey(), human: '' };
    const attempt = this.#attempt;
    // The operator's requests need no check for humans.
    if (!token.get()) attempt.human ||= await this.#human.token();
    try {
      const run = await this.#server.createRun(question, attempt.key, attempt.human);
      this.#attempt = null;
      return run;
    } catch (problem) {
      if (problem.status !== 0) this.#attempt = null;
      // The server would refuse the same token again, so it is forgotten and the field asks for another one.
      if (problem.status === 401) token.set('');
      throw problem;
    } finally {
      this.#human.renew();
    }
  }
}
