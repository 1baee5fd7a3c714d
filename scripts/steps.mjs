// The steps of `npm test`. Each returns `{ok, output}`, whose output contains the tests' counts, and collects what to
// show in the list `told`. If several steps could begin, the first in the list does (graph.mjs).
import { buildWorker } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { endToEndSteps } from './e2e.mjs';
import { denyWarnings, LINTING } from './lints.mjs';
import { ensureMcpPackages } from './mcp-packages.mjs';
import { testArguments, testFiles } from './node-tests.mjs';
import { node, root } from './places.mjs';
import { MOST_PATIENT, PATIENT, run } from './processes.mjs';
import { ensureRecogniser } from './recogniser.mjs';
import { sandboxProgram, STANDS_MAX } from './stands.mjs';
import { buildVerifier } from './verifier.mjs';
import { SMALLEST } from './wasm.mjs';

/**
 * The number of steps that may use a resource at once. It is one for cargo, which lets one command at a time compile
 * into a folder.
 */
export const ROOM = { cargo: 1, stand: STANDS_MAX };

/** Selects all packages together, so that cargo unites their features and compiles each package once. */
const all = '--workspace';
/** Selects the packages of which the Worker consists. */
const ofWorker = [all, ...['countdown', 'devtools', 'sandbox'].flatMap((name) => ['--exclude', name])];
const wasm = ['--target', 'wasm32-unknown-unknown'];
const denied = ['--', '-D', 'warnings'];

/**
 * The work of a step that runs cargo. Compilation gives way to tests that wait for timers: these take long however fast
 * the machine is.
 */
const cargo = (args, env = {}) => (told) =>
  run('cargo', args, { cwd: root, told, patience: PATIENT, env: { ...process.env, ...env } });
const script = (...args) => (told) => run(node, args, { cwd: root, told, patience: PATIENT });
/** Runs cargo's commands in sequence until one fails. */
const inTurn = (commands, env = {}) => async (told) => {
  let output = '';
  for (const args of commands) {
    const result = await cargo(args, env)(told);
    output += result.output;
    if (!result.ok) return { ...result, output };
  }
  return { ok: true, output };
};
/** A step that prepares something and has no tests. */
const made = (make) => async () => {
  await make();
  return { ok: true, output: '' };
};

const buildPrograms = ['build', all, '--bins', '--examples'];
const buildTests = ['test', all, '--no-run', '--bins', '--test', '*'];
const unitTests = ['test', all, '--lib'];

const SANDBOX = 'sandbox build';
const WORKER = 'Worker and verifier build';
const PROGRAMS = 'native programs';
const TESTS = 'Rust tests build';
const UNIT_TESTS = 'unit tests';
const CLIPPY_WORKER = 'clippy, Worker';
/** The prefixes of tests that drive a real browser. */
const REAL_BROWSER = ['browser::real::', 'automaton_runs::pages::'];

/**
 * `part` is the name for `--only`; a step without one runs only as a dependency. With `isDecidedByFiles`, the result
 * depends only on files, not on the machine's load.
 */
const BEFORE_END_TO_END = [
  { part: 'rust', title: 'format', isDecidedByFiles: true, work: cargo(['fmt', '--check']) },
  { title: SANDBOX, uses: ['cargo'], work: made(sandboxProgram) },
  { part: 'e2e', title: WORKER, work: made(() => buildWorker().then(() => buildVerifier())) },
  { title: PROGRAMS, uses: ['cargo'], after: [SANDBOX], work: cargo(buildPrograms) },
];

/**
 * The tests with a real browser. Each runs like an end-to-end file, but begins before those files, so that none runs
 * alone at the end.
 */
const WITH_BROWSER = REAL_BROWSER.map((tests) => ({
  part: 'rust',
  title: `Rust tests with a browser (${tests.split('::')[0]})`,
  after: [TESTS, 'browser'],
  uses: ['cargo', 'stand'],
  // The browser needs its full share of processor time, since it would otherwise answer too late.
  work: rustTests([tests], { patience: 0 }),
}));

const BESIDE_END_TO_END = [
  {
    title: TESTS,
    uses: ['cargo'],
    after: [PROGRAMS],
    work: cargo(buildTests),
  },
  {
    part: 'rust',
    title: 'Rust tests',
    isDecidedByFiles: true,
    after: [TESTS],
    uses: ['cargo'],
    work: rustTests(REAL_BROWSER.flatMap((tests) => ['--skip', tests])),
  },
  {
    part: 'rust',
    title: 'fuzzed readers',
    isDecidedByFiles: true,
    after: [TESTS],
    uses: ['cargo'],
    work: cargo(['test', all, '--bins', '--test', 'benchmark', '--test', 'fuzz', '--test', 'photo_memory']),
  },
  {
    part: 'rust',
    title: UNIT_TESTS,
    isDecidedByFiles: true,
    after: [PROGRAMS],
    uses: ['cargo'],
    work: cargo(unitTests),
  },
  { part: 'mcp', title: 'conformance suite and real servers of MCP', after: [PROGRAMS], work: mcpTests },
  { part: 'recogniser', title: 'recogniser of faces', work: recogniserTests },
  {
    part: 'page',
    title: 'page, launch and description tests',
    work: (told) => nodeTests(['page', 'launch', 'description'], told),
  },
  {
    part: 'rust',
    title: 'clippy, native',
    isDecidedByFiles: true,
    after: [TESTS, UNIT_TESTS],
    uses: ['cargo'],
    work: denyWarnings(inTurn([buildPrograms, buildTests, [...unitTests, '--no-run']], LINTING)),
  },
  // After the Worker's build, the macros and build scripts of the packages that this step selects are compiled already.
  {
    part: 'rust',
    title: CLIPPY_WORKER,
    isDecidedByFiles: true,
    after: [WORKER],
    work: cargo(['clippy', '--release', '--lib', ...ofWorker, ...wasm, ...denied], SMALLEST),
  },
  {
    part: 'rust',
    title: 'native and WASM agree',
    isDecidedByFiles: true,
    // The steps in `after` compile into the same folder: at the same time as one of them, this step would block while
    // holding cargo's only slot.
    after: [WORKER, PROGRAMS, CLIPPY_WORKER],
    uses: ['cargo'],
    work: script('tests/parity/parity.mjs'),
  },
  {
    part: 'e2e',
    title: 'verifier and core agree',
    isDecidedByFiles: true,
    after: [WORKER, PROGRAMS],
    uses: ['cargo'],
    work: script('tests/parity/verifier.mjs'),
  },
];

export const PARTS = ['rust', 'page', 'mcp', 'recogniser', 'e2e'];

/** All steps. Those that compile come first, then those that other steps wait for longest. */
export async function allSteps() {
  let chromium = null;
  const browser = made(async () => (chromium = await ensureChromium()));
  const endToEnd = endToEndSteps(await testFiles('e2e'), {
    after: [SANDBOX, WORKER, 'browser'],
    afterPrograms: [PROGRAMS],
    environment: () => ({ CHROMIUM: chromium }),
  });
  return [
    ...BEFORE_END_TO_END, { title: 'browser', work: browser }, ...WITH_BROWSER, ...endToEnd, ...BESIDE_END_TO_END,
  ];
}

/**
 * The work of a step that runs Rust's tests. While they run, cargo does not lock a folder any more, so the next step
 * that needs cargo may begin.
 */
function rustTests(chosen, { patience = MOST_PATIENT } = {}) {
  return (told, giveBack) => {
    // This word, which cargo prints before it runs tests, is always in one piece of output.
    const onPiece = (piece) => piece.includes('Running') && giveBack('cargo');
    return run('cargo', ['test', all, '--test', 'all', '--', ...chosen], { cwd: root, told, patience, onPiece });
  };
}

/** Tests the MCP client on real sockets, against third-party servers. */
async function mcpTests(told) {
  await ensureMcpPackages();
  return nodeTests(['mcp'], told);
}

/** Tests the recogniser, with its real networks on real photos. */
async function recogniserTests(told) {
  await ensureRecogniser();
  return nodeTests(['recogniser'], told);
}

/** Runs the tests of some folders under `tests`, with the pinned Node. */
async function nodeTests(folders, told) {
  const files = (await Promise.all(folders.map(testFiles))).flat();
  return run(node, testArguments(files), { cwd: root, told });
}
