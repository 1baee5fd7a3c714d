#!/usr/bin/env node
// wasm-opt as worker-build calls it, for size: functions are put in the order of their names, so that
// those that are made of one generic function stand together and the Worker compresses better; then
// the names are left out, which worker-build would keep.
import { spawnSync } from 'node:child_process';
import { wasmOpt } from './places.mjs';

/**
 * What judges photos is built to be fast, and stays in functions of its own: the engine makes a
 * function fast when it is called again, and one that holds the whole run is called once.
 */
const APART = ['--no-inline=*visual_degrees_collage*'];
const FOR_SIZE = ['--enable-simd', '-Oz', '--reorder-functions-by-name', '--strip-debug', '--strip-producers'];

const asked = process.argv.slice(2).filter((argument) => argument !== '--debuginfo');
const { status } = spawnSync(wasmOpt, [...APART, ...asked, ...FOR_SIZE], { stdio: 'inherit' });
process.exit(status ?? 1);
