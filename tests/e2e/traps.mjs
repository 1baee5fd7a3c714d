// Makes the WebAssembly module trap for real, in the next callback of a run: by asking its allocator
// for what cannot be, or for more than there is. Evaluated before the module is made.

/** What comes next, and how often it has trapped. */
export const plans = { next: null, traps: 0 };

export function plan(kind) {
  if (!(kind in KINDS)) throw new Error(`no such trap: ${kind}`);
  plans.next = kind;
}

const ALIGNMENT = 8;
const CHUNK_BYTES = 64 * 1024 * 1024;
const NO_ALIGNMENT = 3;

const KINDS = {
  none: () => {},
  // As a panic ends: an instruction that cannot be executed.
  abort: (allocate) => allocate(ALIGNMENT, NO_ALIGNMENT),
  // All memory that there is; then there is none for the run.
  memory: (allocate) => {
    for (;;) allocate(CHUNK_BYTES, ALIGNMENT);
  },
};

/** Callbacks of tasks, where what a run does is done; and all callbacks. */
const TASK = /closures.*invoke/;

const { Instance } = WebAssembly;
WebAssembly.Instance = class {
  constructor(module, imports) {
    const { exports } = new Instance(module, imports);
    const spied = Object.entries(exports).map(([name, value]) =>
      [name, TASK.test(name) ? trapping(value, exports) : value]);
    return { exports: Object.fromEntries(spied) };
  }
};

const trapping = (callback, exports) => (...args) => {
  const { next } = plans;
  if (next !== null && next !== 'none') {
    plans.next = null;
    try {
      KINDS[next](exports.__wbindgen_malloc);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) plans.traps += 1;
      throw error;
    }
  }
  return callback(...args);
};
