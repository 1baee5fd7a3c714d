// The steps of `npm test`, in order. Each gives `{ok, output}`; the output holds the tests' counts.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildWorker } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureMcpPackages } from './mcp-packages.mjs';
import { node, root } from './places.mjs';
import { run } from './processes.mjs';
import { say, Stop } from './say.mjs';
import { runBesideServices } from './stand.mjs';
import { buildVerifier } from './verifier.mjs';

const cargo = (...args) => () => run('cargo', args, { cwd: root, tee: true });
const wasm = ['--target', 'wasm32-unknown-unknown'];
const denied = ['--', '-D', 'warnings'];

/** `part` is what `--only` names. */
export const STEPS = [
  { part: 'rust', title: 'format', work: cargo('fmt', '--check') },
  {
    part: 'rust',
    title: 'clippy, native',
    work: cargo('clippy', '--all-targets', '--features', 'sandbox', ...denied),
  },
  {
    part: 'rust',
    title: 'clippy, Worker',
    work: cargo('clippy', '--lib', ...wasm, ...denied),
  },
  { part: 'rust', title: 'Rust tests', work: cargo('test', '--features', 'sandbox') },
  { part: 'e2e', title: 'Worker and verifier build', work: workerBuild },
  {
    part: 'page',
    title: 'page, launch and description tests',
    work: () => nodeTests(['page', 'launch', 'description']),
  },
  {
    part: 'rust',
    title: 'native and WASM agree',
    work: () => run(node, ['tests/parity/parity.mjs'], { cwd: root, tee: true }),
  },
  { part: 'mcp', title: 'MCP: conformance suite and real servers', work: mcpTests },
  {
    part: 'e2e',
    title: 'verifier and core agree',
    work: () => run(node, ['tests/parity/verifier.mjs'], { cwd: root, tee: true }),
  },
  { part: 'e2e', title: 'end to end', work: endToEnd },
];

export const PARTS = ['rust', 'page', 'mcp', 'e2e'];

async function workerBuild() {
  await Promise.all([buildWorker(), buildVerifier()]);
  return { ok: true, output: '' };
}

const EXAMPLES = ['--features', 'sandbox', '--example', 'mcp_client', '--example', 'workflow_kills'];

/** The client of the Model Context Protocol on real sockets, against what others wrote. */
async function mcpTests() {
  await ensureMcpPackages();
  const built = await run('cargo', ['build', ...EXAMPLES], { cwd: root, tee: true });
  return built.ok ? nodeTests(['mcp']) : built;
}

/** Sandbox, Worker and browser, and one test file after the other: they share the services. */
async function endToEnd() {
  const chromium = await ensureChromium();
  const args = await testArguments(['e2e'], ['--test-concurrency=1']);
  say(`  Browser ${chromium}`);
  return runBesideServices(args, { CHROMIUM: chromium });
}

/** The tests of some folders under `tests`, on the pinned Node. */
async function nodeTests(folders) {
  return run(node, await testArguments(folders), { cwd: root, tee: true });
}

async function testArguments(folders, flags = []) {
  const files = (await Promise.all(folders.map(testFiles))).flat();
  // To run nothing and call it success would be a skip in silence.
  if (files.length === 0) throw new Stop(`There is no *.test.mjs in ${folders.join(' or ')}.`);
  return ['--test', '--test-reporter=spec', ...flags, ...files];
}

async function testFiles(folder) {
  const names = await readdir(join(root, 'tests', folder)).catch(() => []);
  return names.filter((name) => name.endsWith('.test.mjs')).sort()
    .map((name) => join('tests', folder, name));
}
