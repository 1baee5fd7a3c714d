// Makes the WebAssembly module trap for real, in the next callback of a run, and where it is about to
// read a suspect's answer: by asking its allocator for what cannot be, or for more than there is.
// Evaluated before the module is made.

/** What comes next, what comes at the next suspect, and how often it has trapped. */
export const plans = { next: null, atSuspect: null, traps: 0 };

export function plan(next, atSuspect) {
  for (const kind of [next, atSuspect]) {
    if (kind !== null && !(kind in KINDS)) throw new Error(`no such trap: ${kind}`);
  }
  Object.assign(plans, { next, atSuspect });
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
/** The program writes a row into its object's storage. */
const WRITE = /^__wbg_exec_/;
/** A suspect's answer is read next. */
const MARK = '{"reading":';

/** Whether the mark is in the storage. */
let isMarked = false;

const { Instance } = WebAssembly;
WebAssembly.Instance = class {
  constructor(module, imports) {
    const program = {};
    const spiedImports = eachFunction(imports, (name, call) => attended(name, call, program));
    const { exports } = new Instance(module, spiedImports);
    program.exports = exports;
    const spied = Object.entries(exports).map(([name, value]) =>
      [name, TASK.test(name) ? trapping(value, exports) : value]);
    return { exports: Object.fromEntries(spied) };
  }
};

function eachFunction(imports, replaced) {
  const modules = Object.entries(imports).map(([from, calls]) => {
    const entries = Object.entries(calls).map(([name, call]) =>
      [name, typeof call === 'function' ? replaced(name, call) : call]);
    return [from, Object.fromEntries(entries)];
  });
  return Object.fromEntries(modules);
}

/** A call that the program makes; the one after the mark traps. */
const attended = (name, call, program) => (...args) => {
  if (isMarked) {
    isMarked = false;
    spring('atSuspect', program.exports);
  }
  const result = call(...args);
  isMarked = plans.atSuspect !== null && WRITE.test(name) &&
    args.some((arg) => Array.isArray(arg) && arg.some((cell) => String(cell).startsWith(MARK)));
  return result;
};

const trapping = (callback, exports) => (...args) => {
  spring('next', exports);
  return callback(...args);
};

function spring(when, exports) {
  const kind = plans[when];
  if (kind === null || kind === 'none') return;
  plans[when] = null;
  try {
    KINDS[kind](exports.__wbindgen_malloc);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) plans.traps += 1;
    throw error;
  }
}
