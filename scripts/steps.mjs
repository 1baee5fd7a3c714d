// The steps of `npm test`. Each gives `{ok, output}`, whose output holds the tests' counts, and puts what
// there is to read into the list `told`. Of steps that could begin the first in the list does (graph.mjs).
import { buildWorker } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { endToEndSteps } from './e2e.mjs';
import { denyWarnings, LINTING } from './lints.mjs';
import { ensureMcpPackages } from './mcp-packages.mjs';
import { testArguments, testFiles } from './node-tests.mjs';
import { node, root } from './places.mjs';
import { MOST_PATIENT, PATIENT, run } from './processes.mjs';
import { sandboxProgram, STANDS_MAX } from './stands.mjs';
import { buildVerifier } from './verifier.mjs';
import { SMALLEST } from './wasm.mjs';

/** How many steps at once may use something: cargo lets one command compile into a folder at a time. */
export const ROOM = { cargo: 1, stand: STANDS_MAX };

/** All packages at once: cargo unites the features of those that it is given, and compiles each of them once so. */
const all = '--workspace';
/** The packages that the Worker is made of. */
const ofWorker = [all, ...['countdown', 'devtools', 'sandbox'].flatMap((name) => ['--exclude', name])];
const wasm = ['--target', 'wasm32-unknown-unknown'];
const denied = ['--', '-D', 'warnings'];

/** What compiles gives way to tests that wait for something: those take long, however fast they are. */
const cargo = (args, env = {}) => (told) =>
  run('cargo', args, { cwd: root, told, patience: PATIENT, env: { ...process.env, ...env } });
const script = (...args) => (told) => run(node, args, { cwd: root, told, patience: PATIENT });
/** Carries out cargo's commands one after the other, as far as they pass. */
const inTurn = (commands, env = {}) => async (told) => {
  let output = '';
  for (const args of commands) {
    const result = await cargo(args, env)(told);
    output += result.output;
    if (!result.ok) return { ...result, output };
  }
  return { ok: true, output };
};
/** A step that prepares something: there are no tests in it. */
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
/** The tests whose names begin so drive a real browser. */
const REAL_BROWSER = ['browser::real::', 'automaton_runs::pages::'];

/**
 * `part` is what `--only` names; a step without one is carried out for those that come after it. One that
 * `isDecidedByFiles` ends with the same files as it ended before, whatever the machine does meanwhile.
 */
const BEFORE_END_TO_END = [
  { part: 'rust', title: 'format', isDecidedByFiles: true, work: cargo(['fmt', '--check']) },
  { title: SANDBOX, uses: ['cargo'], work: made(sandboxProgram) },
  { part: 'e2e', title: WORKER, work: made(() => buildWorker().then(() => buildVerifier())) },
  { title: PROGRAMS, uses: ['cargo'], after: [SANDBOX], work: cargo(buildPrograms) },
];

/** They take a turn as an end-to-end file does, and before them: after the last one they would be waited for alone. */
const WITH_BROWSER = REAL_BROWSER.map((tests) => ({
  part: 'rust',
  title: `Rust tests with a browser (${tests.split('::')[0]})`,
  after: [TESTS, 'browser'],
  uses: ['cargo', 'stand'],
  // A browser that nobody gives time to answers too late.
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
  // Asked for as the Worker is, whose macros and build scripts are there then.
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
    // They compile into one folder: it would wait there, with cargo's only turn.
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

export const PARTS = ['rust', 'page', 'mcp', 'e2e'];

/** All steps: what is compiled first, then what waits for it longest. */
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

/** While they run, cargo keeps no folder to itself any more; the steps that still wait for it go first. */
function rustTests(chosen, { patience = MOST_PATIENT } = {}) {
  return (told, giveBack) => {
    // Cargo writes the word and what follows it one after the other.
    const onPiece = (piece) => piece.includes('Running') && giveBack('cargo');
    return run('cargo', ['test', all, '--test', 'all', '--', ...chosen], { cwd: root, told, patience, onPiece });
  };
}

/** The client of the Model Context Protocol on real sockets, against what others wrote. */
async function mcpTests(told) {
  await ensureMcpPackages();
  return nodeTests(['mcp'], told);
}

/** The tests of some folders under `tests`, on the pinned Node. */
async function nodeTests(folders, told) {
  const files = (await Promise.all(folders.map(testFiles))).flat();
  return run(node, testArguments(files), { cwd: root, told });
}
