// What is compiled for WASM, the Worker and the verifier: small, and with the same settings in the same folder, so that
// most crates that both are made of are compiled once.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkoutLock, root } from './places.mjs';
import { Stop } from './say.mjs';

/**
 * Every visitor's first request waits for the Worker's bytes; natively the same profile is fast. Crates that were
 * optimised together are as large, compressed. Functions keep their names until wasm-bindgen has named its glue after
 * them; wasm-opt removes them.
 */
export const SMALLEST = {
  CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_OPT_LEVEL: 'z', CARGO_PROFILE_RELEASE_STRIP: 'none',
};

/**
 * Photos are judged with vector instructions. The words of a panic name no folder of the machine on which the module
 * was built: they make it larger. A folder whose name has a space cannot be told to the compiler here.
 */
const crates = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'registry', 'src', '/');
const flags = ['-C target-feature=+simd128', ...(/\s/.test(crates) ? [] : [`--remap-path-prefix=${crates}=`])];

/**
 * The compiler alone compiles: Clippy's driver, which `.cargo/config.toml` names, leaves optimisations out. Tests are as
 * fast without them.
 */
const WITHOUT_CLIPPY = { RUSTC_WORKSPACE_WRAPPER: '' };

const target = join(root, 'target');
/** The environment of cargo that compiles a module, whatever folder it compiles into otherwise. */
export const forWasm = {
  ...WITHOUT_CLIPPY, ...SMALLEST, CARGO_TARGET_DIR: target, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: flags.join(' '),
};

/** The folder of the module that was compiled last. */
export const compiledFolder = join(target, 'wasm32-unknown-unknown', 'release');

/** The script that makes a module smaller, which is called as wasm-opt is. */
export const wasmOptScript = join(root, 'scripts', 'wasm-opt.mjs');

/** The lock of that folder: cargo gives both modules one name there, and what is built must be taken from it. */
export const moduleLock = () => checkoutLock('wasm');

/** Stops where a module's script does not have this word: the other module was taken for it. */
export function checkModule(script, word, complaint) {
  if (!script.includes(word)) throw new Stop(`${complaint} Another module was compiled meanwhile: start again.`);
}
