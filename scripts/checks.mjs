// Checks the prerequisites of the set-up. Each missing one is reported as one sentence with its remedy.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.mjs';
import { ask } from './processes.mjs';
import { compilerVersion } from './rust.mjs';
import { Stop } from './say.mjs';
import { atLeast, rustVersion } from './versions.mjs';

const OLDEST_NODE = '20.0';

/** Stops unless this machine has what the set-up needs. */
export async function checkMachine() {
  checkPlatform(process.platform, process.arch);
  checkNode(process.versions.node);
  await Promise.all([checkCompiler(), checkRust()]);
}

export function checkPlatform(platform, arch) {
  if (platform === 'linux' && arch === 'x64') return;
  throw new Stop(`This runs on Linux x86-64 (Debian or Ubuntu); here is ${platform} ${arch}.`);
}

export function checkNode(version) {
  if (atLeast(version, OLDEST_NODE)) return;
  throw new Stop(`Node 20 or later is needed to start; here is Node ${version}.`);
}

async function checkCompiler() {
  if ((await ask('cc', ['--version'])) !== null) return;
  throw new Stop('No C linker (cc) was found: sudo apt-get install -y build-essential');
}

async function checkRust() {
  const [cargo, rustc] = await Promise.all([ask('cargo', ['--version'], { cwd: root }), compilerVersion()]);
  if (cargo === null) {
    throw new Stop('No working cargo was found: install Rust stable as https://rustup.rs says.');
  }
  const have = /^rustc (\S+)/.exec(rustc ?? '')?.[1];
  const want = rustVersion(await readFile(join(root, 'Cargo.toml'), 'utf8'));
  if (have && want && !atLeast(have, want)) {
    throw new Stop(`Rust ${want} or later is needed, here is ${have}: rustup update stable`);
  }
}
