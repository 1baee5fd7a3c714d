// The module that the platform loads: the program, and what keeps one run's trap from the others.
//
// All objects of an isolate share one WebAssembly module. Where it traps (a panic, no memory, a deep
// stack) it is started anew, but what the other runs awaited of the old one never comes: their
// alarms never end, and the platform starts no second alarm beside one that has not ended. Each
// object therefore looks every second whether its module is still there; where it is not, it ends
// itself. The platform starts it anew, and the run goes on from its journal.
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
import Program, * as program from '../build/index.js';

const CHECK_EVERY_MS = 1_000;
const STREAM = 'text/event-stream';
const ENDED = 'the program was started anew; the run goes on from its journal';

/** What the program's glue keeps: whether it has trapped, and how often it was started. */
const { __worker_init_state: glue } = globalThis;

/**
 * Starts the program anew where it has trapped, and says whether it has: any call from outside does
 * that. It must be before a callback that waited for the old one is called: that would be the call,
 * and would run in the new one with the old one's addresses.
 */
function startAnewIfTrapped(error) {
  const before = glue.instanceId;
  Program.prototype.start();
  if (glue.instanceId === before) return false;
  glue.criticalError = false;
  console.error('the program has trapped and was started anew:', error);
  return true;
}

/** A callback of the program, which the platform calls: nobody else sees how it ends. */
const attended = (callback) => () => {
  try {
    callback();
  } catch (error) {
    if (!startAnewIfTrapped(error)) throw error;
  }
};

// The program's tasks run in these, and nothing else in the isolate uses them.
const { queueMicrotask: soon, setTimeout: later } = globalThis;
globalThis.queueMicrotask = (callback) => soon(attended(callback));
globalThis.setTimeout = (callback, ms) => later(attended(callback), ms);

/** Calls the program from outside. */
function enter(call) {
  try {
    return call();
  } catch (error) {
    startAnewIfTrapped(error);
    throw error;
  }
}

/** The program as it runs now. */
class Life {
  #started = glue.instanceId;

  isOver() {
    return glue.criticalError || glue.instanceId !== this.#started;
  }
}

/** The class of an object that ends itself where the program that it began in is over. */
const ending = (Class) =>
  class extends DurableObject {
    #object;
    #life;
    #calls = 0;
    #mayStream = false;
    #timer = null;

    constructor(ctx, env) {
      super(ctx, env);
      this.#object = new Class(ctx, env);
      this.#life = new Life();
    }

    async fetch(request) {
      const response = await this.#attend(() => this.#object.fetch(request));
      this.#mayStream ||= response.headers.get('content-type')?.startsWith(STREAM) ?? false;
      return response;
    }

    alarm(info) {
      return this.#attend(() => this.#object.alarm(info));
    }

    async #attend(call) {
      // Nobody awaits anything of the program that was.
      if (this.#calls === 0 && !this.#mayStream) this.#life = new Life();
      this.#calls += 1;
      this.#timer ??= setInterval(() => this.#check(), CHECK_EVERY_MS);
      try {
        return await enter(call);
      } finally {
        this.#calls -= 1;
        if (this.#calls === 0) {
          clearInterval(this.#timer);
          this.#timer = null;
        }
      }
    }

    #check() {
      if (this.#life.isOver()) this.ctx.abort(ENDED);
    }
  };

export const RunObject = ending(program.RunObject);
export const BudgetObject = ending(program.BudgetObject);

/** Answers requests; one in whose middle the program ended is told to come back. */
export default class extends WorkerEntrypoint {
  async fetch(request) {
    const life = new Life();
    let timer;
    const over = new Promise((resolve) => {
      timer = setInterval(() => life.isOver() && resolve(comeBack()), CHECK_EVERY_MS);
    });
    try {
      const answer = enter(() => new Program(this.ctx, this.env).fetch(request));
      return await Promise.race([answer, over]);
    } finally {
      clearInterval(timer);
    }
  }
}

function comeBack() {
  const problem = {
    type: 'about:blank', title: 'Service Unavailable', status: 503,
    detail: 'The server was started anew in the middle of this request; send it again.',
  };
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
  return new Response(JSON.stringify(problem), { status: 503, headers });
}
