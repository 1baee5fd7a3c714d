#!/usr/bin/env node
// Calls wasm-opt as worker-build and verifier.mjs expect, with the options that both need.
import { spawnSync } from 'node:child_process';
import { wasmOpt } from './places.mjs';

/**
 * No inlining: the compiler has inlined where it pays. V8 optimises a function only when it is called again, so the hot
 * loops that judge a photo must stay separate functions: a function with the whole run in it is called only once.
 */
const NO_INLINING = [
  '--always-inline-max-function-size=0', '--one-caller-inline-max-function-size=0',
  '--flexible-inline-max-function-size=0',
];

const given = process.argv.slice(2).filter((argument) => argument !== '--debuginfo');
const passes = [...NO_INLINING, ...given, '--enable-simd', '--strip-debug', '--strip-producers'];
const { status } = spawnSync(process.execPath, [wasmOpt, ...passes], { stdio: 'inherit' });
process.exit(status ?? 1);
