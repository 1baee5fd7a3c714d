#!/usr/bin/env node
// Calls wasm-opt as worker-build and verifier.mjs expect, without optimising: the compiler has done that. All passes
// together would take a minute to make the module one percent smaller.
import { spawnSync } from 'node:child_process';
import { wasmOpt } from './places.mjs';

/** Names go, and what nothing refers to; functions that are called often come first, so that their numbers are short. */
const PASSES = ['--strip-debug', '--strip-producers', '--vacuum', '--reorder-functions'];

const isOptimisation = (argument) => /^-O/.test(argument) || argument === '--debuginfo';
const given = process.argv.slice(2).filter((argument) => !isOptimisation(argument));
const { status } = spawnSync(process.execPath, [wasmOpt, ...PASSES, ...given, '--enable-simd'], { stdio: 'inherit' });
process.exit(status ?? 1);
