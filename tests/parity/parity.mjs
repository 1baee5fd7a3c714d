// The same answers give the same events, natively and in WASM: rehearses the same seeds in both and
// compares the digests of all their events. Ends with 1 at the first difference.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../../scripts/lock.mjs';
import { root } from '../../scripts/places.mjs';
import { compiledFolder, forWasm, moduleLock } from '../../scripts/wasm.mjs';

const SEEDS = 300;
const cargo = (args, env = {}) =>
  execFileSync('cargo', args, {
    cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env },
  });
// A number that overflows in 32 bits alone is found here or nowhere. The crates of others are as the Worker has them, and
// so compiled already. Our tools run for seconds: to optimise them would take a minute.
const { packages } = JSON.parse(cargo(['metadata', '--no-deps', '--format-version', '1']));
const profile = (option) => ({ name }) => `profile.release.package.${name}.${option}`;
const tools = packages.filter(({ name }) => ['devtools', 'sandbox'].includes(name));
const options = [...packages.map(profile('overflow-checks=true')), ...tools.map(profile('opt-level=0'))];
const quickly = options.flatMap((option) => ['--config', option]);
const build = [
  'build', '--release', '--no-default-features', '--target', 'wasm32-unknown-unknown', '--example', 'parity_wasm',
];

await withLock(moduleLock(), 'compiling the Worker or the verifier', () => cargo([...build, ...quickly], forWasm));
const bytes = await readFile(join(compiledFolder, 'examples', 'parity_wasm.wasm'));
// An empty import object: an engine that reached for a clock or a random number would not load.
const { instance } = await WebAssembly.instantiate(bytes, {});
const native = cargo(['run', '--quiet', '--example', 'parity_native', '--', '0', String(SEEDS)]);
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
