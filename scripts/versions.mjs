// Determines the versions of tools. Those of npm packages are pinned in package.json and package-lock.json.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.mjs';
import { Stop } from './say.mjs';

/** The version of worker-build, which must match the `worker` crate in Cargo.lock. */
export const WORKER_BUILD = '0.8.7';

/** The version of a package in a Cargo.lock; the first if there are several. */
export function lockedVersion(cargoLock, name) {
  for (const block of cargoLock.split('[[package]]')) {
    if (field(block, 'name') === name) return field(block, 'version');
  }
  return null;
}

/** The oldest Rust that Cargo.toml accepts. */
export function rustVersion(cargoToml) {
  return field(cargoToml, 'rust-version');
}

/** Whether version `have` is at least `want`, ignoring what follows a hyphen. */
export function atLeast(have, want) {
  const [a, b] = [have, want].map((text) => text.split('-')[0].split('.').map(Number));
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** The version of wasm-bindgen's program, which must be exactly that of the crate. */
export async function wasmBindgenVersion() {
  const lock = await readFile(join(root, 'Cargo.lock'), 'utf8');
  const version = lockedVersion(lock, 'wasm-bindgen');
  if (version === null) throw new Stop('Cargo.lock names no wasm-bindgen: is it damaged?');
  return version;
}

function field(toml, name) {
  return new RegExp(`^${name} = "([^"]+)"`, 'm').exec(toml)?.[1] ?? null;
}
