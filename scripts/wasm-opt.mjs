#!/usr/bin/env node
// wasm-opt as worker-build calls it and verifier.mjs does, with what both need beside.
import { spawnSync } from 'node:child_process';
import { wasmOpt } from './places.mjs';

/**
 * No inlining: the compiler has done it where it pays. V8 optimises a function when it is called again, so the loops
 * that judge a photo must stay functions of their own; one that holds the whole run is called once.
 */
const NO_INLINING = [
  '--always-inline-max-function-size=0', '--one-caller-inline-max-function-size=0',
  '--flexible-inline-max-function-size=0',
];

const given = process.argv.slice(2).filter((argument) => argument !== '--debuginfo');
const passes = [...NO_INLINING, ...given, '--enable-simd', '--strip-debug', '--strip-producers'];
const { status } = spawnSync(process.execPath, [wasmOpt, ...passes], { stdio: 'inherit' });
process.exit(status ?? 1);
