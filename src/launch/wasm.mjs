// What is compiled for WASM, the Worker and the verifier: small, and with the same settings, so that each crate that
// both are made of is compiled once.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkoutLock, root } from './places.mjs';

/**
 * Every visitor's first request waits for the Worker's bytes; natively the same profile is fast. The functions' names
 * are kept until wasm-opt has ordered them. Crates that were optimised together are as large, compressed.
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

/** The environment of cargo that compiles a module. */
export const forWasm = { ...SMALLEST, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: flags.join(' ') };

/** Makes a module smaller, and is called as wasm-opt is. */
export const smaller = join(root, 'src', 'launch', 'wasm-opt.mjs');

/** Cargo gives both modules one name: who builds one of them keeps the other from being built meanwhile. */
export const moduleLock = () => checkoutLock('wasm');
