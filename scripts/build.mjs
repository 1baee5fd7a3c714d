// Builds the page into `dist/` and the Worker into `build/`; the Worker only if its sources or tools have changed.
// wrangler also runs this file itself (`[build]` in wrangler.toml).
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { checkMachine } from './checks.mjs';
import { withLock } from './lock.mjs';
import { ensurePackages } from './packages.mjs';
import { buildPage } from './page.mjs';
import * as places from './places.mjs';
import { compile, endAllOnSignals } from './processes.mjs';
import { compilerVersion, ensureTarget, ensureTools } from './rust.mjs';
import { noteMade, sayFailure, step } from './say.mjs';
import { inputsHash } from './stamp.mjs';
import { buildVerifier } from './verifier.mjs';
import { checkModule, forWasm, moduleLock, wasmOptScript } from './wasm.mjs';

const output = join(places.root, 'build');
const stamp = join(output, '.inputs');

/** The name of the Worker in progress messages. */
export const WORKER = 'the Worker';
/** The options for cargo. They select only the Worker's package, since the sandbox is for this machine. */
const OPTIONS = ['--release', '.', '--package', 'visual-degrees'];

/** Whether the Worker is up to date. The tools and packages must already be installed. */
export async function isWorkerBuilt() {
  return isBuiltFrom(await inputsNow(await ensureTools()));
}

/** Builds the Worker if it is not up to date. */
export async function buildWorker() {
  await buildPage();
  const { workerBuild, wasmBindgen } = await ensureTools();
  const inputs = await inputsNow({ workerBuild, wasmBindgen });
  if (await isBuiltFrom(inputs)) return;
  await withLock(moduleLock(), 'compiling the Worker or the verifier', async () => {
    if (!(await isBuiltFrom(inputs))) await build(workerBuild, wasmBindgen, inputs);
    noteMade(WORKER);
  });
}

async function inputsNow({ workerBuild, wasmBindgen }) {
  return inputsHash(places.root, await toolVersions(workerBuild, wasmBindgen));
}

async function build(workerBuild, wasmBindgen, inputs) {
  await ensureTarget();
  await step(WORKER, 'Building the Worker (two minutes the first time)', async () => {
    await rm(stamp, { force: true });
    const env = { ...process.env, ...toolEnvironment(wasmBindgen), ...forWasm };
    const complaint = 'The Worker could not be built; the compiler says above why.';
    await compile(workerBuild, OPTIONS, complaint, { cwd: places.root, env });
    checkModule(await readFile(join(output, 'index.js'), 'utf8'), 'RunObject', complaint);
  });
  // The hash is from before the build, so that a file edited during the build counts as changed.
  await writeFile(stamp, inputs);
}

/**
 * The environment for worker-build. Without these three variables it downloads tools of its own from outside the
 * registries.
 */
function toolEnvironment(wasmBindgen) {
  return {
    WASM_BINDGEN_BIN: wasmBindgen,
    WASM_OPT_BIN: wasmOptScript,
    ESBUILD_BIN: places.esbuild,
    PATH: `${places.packageBins}${delimiter}${process.env.PATH}`,
  };
}

/**
 * The versions of the tools, which are parts of their folders' names. Those of npm packages are in package-lock.json.
 */
async function toolVersions(workerBuild, wasmBindgen) {
  const rustc = (await compilerVersion()) ?? '';
  const packages = await readFile(join(places.root, 'package-lock.json'), 'utf8');
  return [workerBuild, wasmBindgen, rustc, packages];
}

async function isBuiltFrom(inputs) {
  const built = await readFile(stamp, 'utf8').catch(() => '');
  const whole = ['index.js', 'index_bg.wasm'].every((name) => existsSync(join(output, name)));
  return whole && built === inputs;
}

if (places.isProgram(import.meta.url)) {
  endAllOnSignals();
  try {
    await checkMachine();
    await ensurePackages();
    await buildWorker();
    // `npm start` builds the verifier while the page is already served, but a deployment must be complete.
    if (process.env.WRANGLER_COMMAND !== 'dev') await buildVerifier();
  } catch (error) {
    sayFailure(error);
    process.exitCode = 1;
  }
}
