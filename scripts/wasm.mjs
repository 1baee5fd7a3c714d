// Compilation to WASM, for the Worker and the verifier: small, and with the same settings and folder, so that most
// crates that both use are compiled once.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkoutLock, root } from './places.mjs';
import { Stop } from './say.mjs';

/**
 * Optimises for size, since a visitor's first request waits for the Worker to load. Native programs are optimised for
 * speed with the same profile. Optimising crates together (LTO) would not make the compressed module smaller. Function
 * names stay until wasm-bindgen has named its glue after them; wasm-opt removes them.
 */
export const SMALLEST = {
  CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_OPT_LEVEL: 'z', CARGO_PROFILE_RELEASE_STRIP: 'none',
};

/**
 * Photos are judged with vector instructions. Panic messages contain no paths of the build machine, which would make
 * the module larger. Paths with spaces cannot be passed to the compiler here.
 */
const crates = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'registry', 'src', '/');
const flags = ['-C target-feature=+simd128', ...(/\s/.test(crates) ? [] : [`--remap-path-prefix=${crates}=`])];

/**
 * Uses plain rustc, since Clippy's driver, which `.cargo/config.toml` sets, leaves out optimisations. Tests are as fast
 * without these.
 */
const WITHOUT_CLIPPY = { RUSTC_WORKSPACE_WRAPPER: '' };

const target = join(root, 'target');
/** The environment in which cargo compiles a module, whatever its usual target folder. */
export const forWasm = {
  ...WITHOUT_CLIPPY, ...SMALLEST, CARGO_TARGET_DIR: target, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: flags.join(' '),
};

/** The folder in which cargo puts the compiled module. */
export const compiledFolder = join(target, 'wasm32-unknown-unknown', 'release');

/** The script that shrinks a module, with wasm-opt's interface. */
export const wasmOptScript = join(root, 'scripts', 'wasm-opt.mjs');

/**
 * The lock of `compiledFolder`. Cargo gives both modules the same name, so the result must be copied before the next
 * build.
 */
export const moduleLock = () => checkoutLock('wasm');

/** Stops if a module's script lacks this word, since it then belongs to the other module. */
export function checkModule(script, word, complaint) {
  if (!script.includes(word)) throw new Stop(`${complaint} Another module was compiled meanwhile: start again.`);
}
