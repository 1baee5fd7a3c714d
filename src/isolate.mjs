// The Worker's main module: loads the program, and keeps a trap in one run from blocking the others.
//
// All objects of an isolate share one WebAssembly instance. When it traps (a panic, out of memory, a
// stack overflow), it is replaced by a new one, but promises of the old one never settle: the alarms
// of the other runs never end, and the platform starts no second alarm while one is running. Each
// object therefore checks every second whether its instance still exists, and aborts itself if not.
// The platform restarts the object, and its run resumes from its journal.
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
import Program, * as program from '../build/index.js';

const CHECK_EVERY_MS = 1_000;
const STREAM = 'text/event-stream';
const ENDED = 'the program was started anew; the run goes on from its journal';

/** The state kept by wasm-bindgen's glue: whether the program has trapped, and how often it was started. */
const { __worker_init_state: glue } = globalThis;

/**
 * Restarts the program if it has trapped, and returns whether it had. After a trap, the glue restarts the program at
 * the next call from outside, so `start` must be that call. If a pending callback of the old instance were the next
 * call, it would run in the new instance with the old one's addresses.
 */
function startAnewIfTrapped(error) {
  const before = glue.instanceId;
  Program.prototype.start();
  if (glue.instanceId === before) return false;
  glue.criticalError = false;
  console.error('the program has trapped and was started anew:', error);
  return true;
}

/** Wraps a callback that the platform calls. No other code would notice that such a callback has trapped. */
const attended = (callback) => () => {
  try {
    callback();
  } catch (error) {
    if (!startAnewIfTrapped(error)) throw error;
  }
};

// The program runs its tasks through these two functions; nothing else in the isolate uses them.
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

/** The instance of the program that was current when this value was made. */
class Life {
  #started = glue.instanceId;

  isOver() {
    return glue.criticalError || glue.instanceId !== this.#started;
  }
}

/** Returns the class of an object that aborts itself once the instance it began in has trapped. */
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
      // Without a call in progress or an open stream, nothing awaits an earlier instance.
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

/** Handles requests; answers 503 if the program traps while a request is in flight. */
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
