// The steps of `npm test`, in order. Each gives `{ok, output}`; the output holds the tests' counts.
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWorker } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { node, root } from './places.mjs';
import { freePorts } from './ports.mjs';
import { run } from './processes.mjs';
import { say, Stop } from './say.mjs';
import { buildSandbox, startSandbox, startWorker } from './services.mjs';

const LOG_LINES_SHOWN = 60;

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
  { part: 'e2e', title: 'Worker build', work: workerBuild },
  { part: 'page', title: 'page and launch tests', work: () => nodeTests(['page', 'launch']) },
  {
    part: 'rust',
    title: 'native and WASM agree',
    work: () => run(node, ['tests/parity/parity.mjs'], { cwd: root, tee: true }),
  },
  { part: 'e2e', title: 'end to end', work: endToEnd },
];

export const PARTS = ['rust', 'page', 'e2e'];

async function workerBuild() {
  await buildWorker();
  return { ok: true, output: '' };
}

/** The tests of some folders under `tests`, on the pinned Node. */
async function nodeTests(folders, env = {}, flags = []) {
  const files = (await Promise.all(folders.map(testFiles))).flat();
  // To run nothing and call it success would be a skip in silence.
  if (files.length === 0) throw new Stop(`There is no *.test.mjs in ${folders.join(' or ')}.`);
  const args = ['--test', '--test-reporter=spec', ...flags, ...files];
  return run(node, args, { cwd: root, tee: true, env: { ...process.env, ...env } });
}

async function testFiles(folder) {
  const names = await readdir(join(root, 'tests', folder)).catch(() => []);
  return names.filter((name) => name.endsWith('.test.mjs')).sort()
    .map((name) => join('tests', folder, name));
}

/** Sandbox and Worker on free ports, with a state folder that is thrown away. */
async function endToEnd() {
  const chromium = await ensureChromium();
  const program = await buildSandbox();
  const folder = await mkdtemp(join(tmpdir(), 'visual-degrees-'));
  const logFile = join(folder, 'services.log');
  const log = await open(logFile, 'a');
  const services = [];
  let result = null;
  try {
    const [sandboxPort, port] = await freePorts(2);
    const sandbox = await startSandbox({ program, port: sandboxPort, stderr: log.fd });
    services.push(sandbox);
    const [state, noVars] = [join(folder, 'state'), join(folder, 'no.vars')];
    await mkdir(state);
    await writeFile(noVars, '');
    const worker = await startWorker({
      port,
      persist: state,
      settings: { ...sandbox.settings, PUBLIC: '1' },
      // A named file keeps wrangler from reading .dev.vars, where real keys may be.
      args: ['--env-file', noVars],
      logLevel: 'info',
      output: log.fd,
    });
    services.push(worker);
    say(`  Worker at ${worker.base}, sandbox at ${sandbox.listening}, browser ${chromium}`);
    const env = {
      BASE_URL: worker.base,
      SANDBOX_URL: sandbox.listening,
      CHROMIUM: chromium,
      PROJECT_STATE_DIR: state,
      // For the tests that need a sandbox and a Worker of their own.
      SANDBOX_PROGRAM: program,
      SERVICES_LOG: logFile,
    };
    // One file after the other: they share the sandbox's list of calls.
    result = await nodeTests(['e2e'], env, ['--test-concurrency=1']);
    return result;
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await log.close();
    if (!result?.ok) await showEnd(logFile);
    await rm(folder, { recursive: true, force: true });
  }
}

async function showEnd(logFile) {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  const end = lines.slice(-LOG_LINES_SHOWN).join('\n');
  say(`\nThe end of what the sandbox and wrangler said:\n${end}`);
}
