// Builds the check of sealed files that runs in a reader's browser, into `dist/verifier/`: the core alone,
// compiled for WASM. A start does not wait for it.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { served } from './page.mjs';
import * as places from './places.mjs';
import { ask, compile } from './processes.mjs';
import { ensureTarget, ensureTools } from './rust.mjs';
import { noteMade, step } from './say.mjs';
import { inputsHash } from './stamp.mjs';

/** What the person who waits is told. */
const VERIFIER = 'the verifier of published chains';
const folder = join(served, 'verifier');
// Not the Worker's: the two are built at the same time.
const target = join(places.root, 'target', 'verifier');
const compiled = join(target, 'wasm32-unknown-unknown', 'release', 'visual_degrees.wasm');
const made = join(target, 'web');

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
  await ensureTarget();
  const { wasmBindgen } = await ensureTools();
  const stamp = await stampNow(wasmBindgen);
  if (await isBuilt(stamp)) return;
  await withLock(places.checkoutLock('verifier'), 'building the verifier', async () => {
    if (!(await isBuilt(stamp))) await build(wasmBindgen, stamp);
    noteMade(VERIFIER);
  });
}

async function stampNow(wasmBindgen) {
  const rustc = (await ask('rustc', ['--version'], { cwd: places.root })) ?? '';
  const self = await readFile(import.meta.filename, 'utf8');
  return `// Built by src/launch/verifier.mjs from ${await inputsHash(places.root, [wasmBindgen, rustc, self])}\n`;
}

async function isBuilt(stamp) {
  const glue = await readFile(join(folder, 'verifier.js'), 'utf8').catch(() => '');
  return glue.startsWith(stamp);
}

async function build(wasmBindgen, stamp) {
  await step(VERIFIER, 'Building the verifier of published chains (beside everything else)', async () => {
    const env = {
      ...process.env,
      CARGO_TARGET_DIR: target,
      CARGO_PROFILE_RELEASE_OPT_LEVEL: 'z',
      CARGO_PROFILE_RELEASE_STRIP: 'none',
    };
    const options = { cwd: places.root, env };
    await compile('nice', CARGO, COMPLAINT, options);
    const bind = ['--target', 'web', '--no-typescript', '--out-dir', made, '--out-name', 'verifier', compiled];
    await compile(wasmBindgen, bind, COMPLAINT, options);
    const wasm = join(made, 'verifier_bg.wasm');
    const smaller = ['-n', '19', places.node, places.wasmOpt, '-Oz', '--strip-debug', '--strip-producers', ...FEATURES];
    await compile('nice', [...smaller, wasm, '-o', wasm], COMPLAINT, options);
  });
  await mkdir(folder, { recursive: true });
  await copyFile(join(made, 'verifier_bg.wasm'), join(folder, 'verifier_bg.wasm'));
  // Last, and with the stamp: what has it is whole.
  const glue = await readFile(join(made, 'verifier.js'), 'utf8');
  await writeFile(join(folder, 'verifier.js'), stamp + glue);
}
