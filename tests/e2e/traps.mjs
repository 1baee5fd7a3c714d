// Makes the WebAssembly module trap for real, in the next callback of a run: by asking its allocator
// for more than there can be, at once or after all the memory was taken. Evaluated before the module
// is made.

/** What comes next, and how often it came. */
export const plans = { next: null, traps: 0 };

export function plan(kind) {
  if (!(kind in KINDS)) throw new Error(`no such trap: ${kind}`);
  plans.next = kind;
}

const ALIGNMENT = 8;
const CHUNK_BYTES = 64 * 1024 * 1024;
const MORE_THAN_ALL_BYTES = 0x7fff_0000;

const KINDS = {
  none: () => {},
  // As a panic ends: an instruction that cannot be executed.
  abort: (allocate) => allocate(MORE_THAN_ALL_BYTES, ALIGNMENT),
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
    plans.traps += 1;
    KINDS[next](exports.__wbindgen_malloc);
  }
  return callback(...args);
};
