// Builds the verifier of sealed files that runs in a reader's browser, into `dist/verifier/`: the core alone, compiled
// to WASM. A start does not wait for it. The verifier is built after the Worker, which compiles most of the crates.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { served } from './page.mjs';
import * as places from './places.mjs';
import { compile, MOST_PATIENT } from './processes.mjs';
import { compilerVersion, ensureTarget, ensureTools } from './rust.mjs';
import { noteMade, step } from './say.mjs';
import { inputsHash } from './stamp.mjs';
import { checkModule, compiledFolder, forWasm, moduleLock, wasmOptScript } from './wasm.mjs';

/** The name of the verifier in progress messages. */
const VERIFIER = 'the verifier of published chains';
const folder = join(served, 'verifier');
const made = join(compiledFolder, 'verifier');
const compiled = join(made, 'verifier.wasm');

const CARGO = [
  'rustc', '--release', '--lib', '--crate-type', 'cdylib',
  '--no-default-features', '--features', 'verifier', '--target', 'wasm32-unknown-unknown',
];
/**
 * The WASM features that rustc and wasm-bindgen use. Vector instructions are used as well, but wasm-opt.mjs names
 * these. All browsers since the spring of 2023 support them all.
 */
const FEATURES = [
  'bulk-memory', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext',
].map((name) => `--enable-${name}`);
const COMPLAINT = 'The verifier could not be built; the compiler says above why.';

/** Builds the verifier if it is not up to date. A build in the background gives way to everything else. */
export async function buildVerifier({ isWaitedFor = true } = {}) {
  const { wasmBindgen } = await ensureTools();
  const stamp = await stampNow(wasmBindgen);
  if (await isBuilt(stamp)) return;
  await withLock(places.checkoutLock('verifier'), 'building the verifier', async () => {
    if (!(await isBuilt(stamp))) await build(wasmBindgen, stamp, isWaitedFor ? 0 : MOST_PATIENT);
    noteMade(VERIFIER);
  });
}

async function stampNow(wasmBindgen) {
  const rustc = (await compilerVersion()) ?? '';
  const self = await readFile(import.meta.filename, 'utf8');
  return `// Built by scripts/verifier.mjs from ${await inputsHash(places.root, [wasmBindgen, rustc, self])}\n`;
}

async function isBuilt(stamp) {
  const glue = await readFile(join(folder, 'verifier.js'), 'utf8').catch(() => '');
  return glue.startsWith(stamp);
}

async function build(wasmBindgen, stamp, patience) {
  await ensureTarget();
  await step(VERIFIER, 'Building the verifier of published chains (beside everything else)', async () => {
    const options = { cwd: places.root, env: { ...process.env, ...forWasm }, patience };
    await mkdir(made, { recursive: true });
    await withLock(moduleLock(), 'compiling the Worker', async () => {
      await compile('cargo', CARGO, COMPLAINT, options);
      await copyFile(join(compiledFolder, 'visual_degrees.wasm'), compiled);
    });
    const bind = ['--target', 'web', '--no-typescript', '--out-dir', made, '--out-name', 'verifier', compiled];
    await compile(wasmBindgen, bind, COMPLAINT, options);
    const wasm = join(made, 'verifier_bg.wasm');
    await compile(places.node, [wasmOptScript, wasm, '-o', wasm, ...FEATURES], COMPLAINT, options);
  });
  const glue = await readFile(join(made, 'verifier.js'), 'utf8');
  checkModule(glue, 'export function verify(', COMPLAINT);
  await mkdir(folder, { recursive: true });
  await copyFile(join(made, 'verifier_bg.wasm'), join(folder, 'verifier_bg.wasm'));
  // This file is written last and contains the stamp, so if it exists, the folder is complete.
  await writeFile(join(folder, 'verifier.js'), stamp + glue);
}
