#!/usr/bin/env node
// wasm-opt for size, as worker-build calls it and verifier.mjs does: then the functions are put in the order in which
// they compress best, and their names are left out, which worker-build would keep.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { orderByLikeness } from './likeness.mjs';
import { wasmOpt } from './places.mjs';
import { functionsOf, withFunctionNames } from './wasm-functions.mjs';

/**
 * No function is put into another one. The compiler has done that where it pays; what binaryen does more
 * makes functions that were alike different, and the Worker 90 kB larger, compressed. What judges photos
 * stays in functions of its own for another reason, too: the engine makes a function fast when it is
 * called again, and one that holds the whole run is called once.
 */
const APART = [
  '--always-inline-max-function-size=0', '--one-caller-inline-max-function-size=0',
  '--flexible-inline-max-function-size=0',
];
const FEATURES = ['--enable-simd'];
const BY_NAME = ['--reorder-functions-by-name', '--strip-debug', '--strip-producers'];
/**
 * What makes the code smaller may make what is compressed of it larger. To compute a value once and keep it saves 28 kB
 * and costs 5 kB; to compute it where it is needed saves 12 kB and costs 3 kB; `-Oz` in place of `-Os`, which is asked
 * for, costs 3 kB, and leaving the zeros between the data out 1 kB. Nothing lies below 1,024: the end of the stack is
 * there, and a program that comes so far has overflowed it.
 */
const SMALL = [
  ...['local-cse', 'simplify-locals', 'memory-packing'].map((pass) => `--skip-pass=${pass}`), '--low-memory-unused',
];

const asked = process.argv.slice(2).filter((argument) => argument !== '--debuginfo');
run([...APART, ...asked, ...FEATURES, ...SMALL, ...BY_NAME]);

// The tool orders functions by their names alone: here a function's name is its place.
const output = asked[asked.indexOf('-o') + 1];
const module = readFileSync(output);
const { imported, bodies } = functionsOf(module);
const names = [];
for (const [place, body] of orderByLikeness(bodies).entries()) names[body] = String(place).padStart(8, '0');
writeFileSync(output, withFunctionNames(module, imported, names));
const features = asked.filter((argument) => argument.startsWith('--enable-'));
run([output, '-o', output, ...features, ...FEATURES, ...BY_NAME]);

function run(options) {
  const { status } = spawnSync(process.execPath, [wasmOpt, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
