// The functions of a module: they are read, named, and put where they compress best.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { orderByLikeness } from '../../src/launch/likeness.mjs';
import { functionsOf, withFunctionNames } from '../../src/launch/wasm-functions.mjs';

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const TYPES = [1, 4, 1, 0x60, 0, 0];
/** From a module "m": a function, a table, a memory with a maximum, a global, a tag, and a function again. */
const IMPORTS = [
  2, 39, 6,
  1, 0x6d, 1, 0x61, 0, 0,
  1, 0x6d, 1, 0x62, 1, 0x70, 0, 1,
  1, 0x6d, 1, 0x63, 2, 1, 1, 2,
  1, 0x6d, 1, 0x64, 3, 0x7f, 0,
  1, 0x6d, 1, 0x65, 4, 0, 0,
  1, 0x6d, 1, 0x66, 0,
  0,
];
IMPORTS[1] = IMPORTS.length - 2;
const FUNCTIONS = [3, 3, 2, 0, 0];
const CODE = [10, 8, 2, 2, 0, 0x0b, 3, 0, 1, 0x0b];
const NOTE = [0, 3, 1, 0x78, 9];
const MODULE = Uint8Array.from([...HEADER, ...TYPES, ...IMPORTS, ...FUNCTIONS, ...NOTE, ...CODE]);

test('the functions of a module are counted and read', () => {
  const { imported, bodies } = functionsOf(MODULE);
  assert.equal(imported, 2);
  assert.deepEqual(bodies.map((body) => [...body]), [[0, 0x0b], [0, 1, 0x0b]]);
});

test('functions are named in a section that takes the place of all that is no code', () => {
  const named = withFunctionNames(MODULE, 2, ['b', 'a']);
  const section = [0, 14, 4, 0x6e, 0x61, 0x6d, 0x65, 1, 7, 2, 2, 1, 0x62, 3, 1, 0x61];
  assert.deepEqual([...named], [...HEADER, ...TYPES, ...IMPORTS, ...FUNCTIONS, ...CODE, ...section]);
});

test('a number of several bytes is read and written', () => {
  const names = Array.from({ length: 200 }, (_, i) => `a longer name ${i}`);
  const named = withFunctionNames(MODULE, 2, names);
  assert.equal(functionsOf(named).bodies.length, 2);
  assert.ok(Buffer.from(named).includes('a longer name 199'));
});

/** Bytes without a pattern, by the rule of a linear congruential generator. */
function noise(seed, length) {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

test('what is alike comes together, and compresses better', () => {
  const kinds = Array.from({ length: 30 }, (_, kind) => noise(kind, 2_000));
  const bodies = Array.from({ length: 90 }, (_, i) => {
    const body = kinds[i % 30].slice();
    body[i] = i;
    return body;
  });
  const order = orderByLikeness(bodies);
  assert.deepEqual([...order].sort((one, other) => one - other), [...bodies.keys()]);
  assert.deepEqual(order, orderByLikeness(bodies));
  for (const [place, one] of order.entries()) {
    if (place % 3 !== 0) assert.equal(one % 30, order[place - 1] % 30);
  }
  const size = (bodies) => gzipSync(Buffer.concat(bodies), { level: 9 }).length;
  assert.ok(size(order.map((one) => bodies[one])) < size(bodies) / 2);
});

test('functions without anything in common stay in their order', () => {
  assert.deepEqual(orderByLikeness([]), []);
  assert.deepEqual(orderByLikeness([noise(1, 50), new Uint8Array(), noise(2, 50)]), [0, 1, 2]);
});
