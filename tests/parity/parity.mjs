// The same answers give the same events, natively and in WASM: rehearses the same seeds in both and
// compares the digests of all their events. Ends with 1 at the first difference.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SEEDS = 300;
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cargo = (args) =>
  execFileSync('cargo', args, {
    cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'],
  });
const engine = ['--no-default-features', '--features', 'sandbox'];
// It runs for seconds: to optimise it would take a minute.
const quickly = ['', '.package.visual-degrees-pixels', '.package.visual-degrees-sandbox']
  .flatMap((part) => ['--config', `profile.dev${part}.opt-level=0`]);

cargo(['build', ...engine, '--target', 'wasm32-unknown-unknown', '--example', 'parity_wasm', ...quickly]);
const bytes = await readFile(
  join(root, 'target', 'wasm32-unknown-unknown', 'debug', 'examples', 'parity_wasm.wasm'),
);
// An empty import object: an engine that reached for a clock or a random number would not load.
const { instance } = await WebAssembly.instantiate(bytes, {});
const native = cargo(['run', '--quiet', '--features', 'sandbox', '--example', 'parity_native',
  '--', '0', String(SEEDS)]);
let differences = 0;
for (const line of native.trim().split('\n')) {
  const [seed, expected] = line.split(' ').map(BigInt);
  const found = BigInt.asUintN(64, instance.exports.rehearsal_digest(seed));
  if (found !== expected || expected === 0n) {
    differences += 1;
    console.log(`seed ${seed}: natively ${expected.toString(16)}, in WASM ${found.toString(16)}`);
  }
}
const passed = SEEDS - differences;
console.log(`native and WASM: ${passed} of ${SEEDS} rehearsals have the same events`);
console.log(`${differences === 0 ? 1 : 0} passed, ${differences === 0 ? 0 : 1} failed`);
process.exit(differences === 0 ? 0 : 1);
