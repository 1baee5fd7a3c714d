#!/usr/bin/env node
// wasm-opt as worker-build calls it, for size: functions are put in the order of their names, so that
// those that are made of one generic function stand together and the Worker compresses better; then
// the names are left out, which worker-build would keep.
import { spawnSync } from 'node:child_process';
import { wasmOpt } from './places.mjs';

/**
 * No function is put into another one. The compiler has done that where it pays; what binaryen does more
 * makes functions that were alike different, and the Worker 80 kB larger, compressed. What judges photos
 * stays in functions of its own for another reason, too: the engine makes a function fast when it is
 * called again, and one that holds the whole run is called once. So does a value that is computed once
 * and kept: it saves 20 kB and costs 4 kB, compressed.
 */
const APART = [
  '--always-inline-max-function-size=0', '--one-caller-inline-max-function-size=0',
  '--flexible-inline-max-function-size=0',
];
const FOR_SIZE = [
  '--enable-simd', '-Oz', '--skip-pass=local-cse', '--reorder-functions-by-name', '--strip-debug', '--strip-producers',
];

const asked = process.argv.slice(2).filter((argument) => argument !== '--debuginfo');
const { status } = spawnSync(wasmOpt, [...APART, ...asked, ...FOR_SIZE], { stdio: 'inherit' });
process.exit(status ?? 1);
