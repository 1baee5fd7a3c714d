// Builds the check of sealed files that runs in a reader's browser, into `dist/verifier/`: the core alone,
// compiled for WASM. A start does not wait for it. The Worker is built before it, with most of the crates.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { served } from './page.mjs';
import * as places from './places.mjs';
import { compile } from './processes.mjs';
import { compilerVersion, ensureTarget, ensureTools } from './rust.mjs';
import { noteMade, step } from './say.mjs';
import { inputsHash } from './stamp.mjs';
import { forWasm, moduleLock, smaller } from './wasm.mjs';

/** What the person who waits is told. */
const VERIFIER = 'the verifier of published chains';
const folder = join(served, 'verifier');
const target = join(places.root, 'target', 'wasm32-unknown-unknown', 'release');
const compiled = join(target, 'visual_degrees.wasm');
const made = join(target, 'verifier');

/** The build runs with low priority: a start does not wait for it, and what is waited for comes first. */
const CARGO = [
  '-n', '19', 'cargo', 'rustc', '--release', '--lib', '--crate-type', 'cdylib',
  '--no-default-features', '--features', 'verifier', '--target', 'wasm32-unknown-unknown',
];
/** What rustc and wasm-bindgen use; each browser of the last years has them. */
const FEATURES = [
  'bulk-memory', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext',
].map((name) => `--enable-${name}`);
const COMPLAINT = 'The verifier could not be built; the compiler says above why.';

/** Builds where it is needed. */
export async function buildVerifier() {
  const { wasmBindgen } = await ensureTools();
  const stamp = await stampNow(wasmBindgen);
  if (await isBuilt(stamp)) return;
  await withLock(moduleLock(), 'building the Worker or the verifier', async () => {
    if (!(await isBuilt(stamp))) await build(wasmBindgen, stamp);
    noteMade(VERIFIER);
  });
}

async function stampNow(wasmBindgen) {
  const rustc = (await compilerVersion()) ?? '';
  const self = await readFile(import.meta.filename, 'utf8');
  return `// Built by src/launch/verifier.mjs from ${await inputsHash(places.root, [wasmBindgen, rustc, self])}\n`;
}

async function isBuilt(stamp) {
  const glue = await readFile(join(folder, 'verifier.js'), 'utf8').catch(() => '');
  return glue.startsWith(stamp);
}

async function build(wasmBindgen, stamp) {
  await ensureTarget();
  await step(VERIFIER, 'Building the verifier of published chains (beside everything else)', async () => {
    const options = { cwd: places.root, env: { ...process.env, ...forWasm } };
    await compile('nice', CARGO, COMPLAINT, options);
    const bind = ['--target', 'web', '--no-typescript', '--out-dir', made, '--out-name', 'verifier', compiled];
    await compile(wasmBindgen, bind, COMPLAINT, options);
    const wasm = join(made, 'verifier_bg.wasm');
    const shrink = ['-n', '19', places.node, smaller, wasm, '-o', wasm, '-Os', ...FEATURES];
    await compile('nice', shrink, COMPLAINT, options);
  });
  await mkdir(folder, { recursive: true });
  await copyFile(join(made, 'verifier_bg.wasm'), join(folder, 'verifier_bg.wasm'));
  // Last, and with the stamp: what has it is whole.
  const glue = await readFile(join(made, 'verifier.js'), 'utf8');
  await writeFile(join(folder, 'verifier.js'), stamp + glue);
}
