// What a file is worth: proven, forged, or neither.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { forgedWords, isWithheld, trustOf, uncheckedWords, verificationOf } from '../../public/trust.js';

const DIGEST = 'ab'.repeat(32);
const checked = (isSame, digest = DIGEST) => ({ kind: 'checked', isSame, digest, says: '' });
const of = (verification, chain = '') => trustOf({ isFile: true, verification, chain });

test('a run that its server tells is no file', () => {
  assert.equal(trustOf({ isFile: false, verification: null }), 'told');
});

test('before a check has ended nothing is known', () => {
  assert.equal(of(null), 'checking');
  assert.equal(of({ kind: 'checking' }), 'checking');
});

test('a file is proven where it tells the same, and at an address where its digest makes that', () => {
  assert.equal(of(checked(true)), 'proven');
  assert.equal(of(checked(true), `https://a.example/chains/${DIGEST}`), 'proven');
  assert.equal(of(checked(true), `https://a.example/chains/${'cd'.repeat(32)}`), 'forged');
  assert.equal(of(checked(false)), 'forged');
  assert.equal(of(checked(false), `https://a.example/chains/${DIGEST}`), 'forged');
  assert.equal(of({ kind: 'refused', says: 'x' }), 'forged');
});

test('what cannot be checked is neither, and says why', () => {
  for (const why of ['elsewhere', 'missing', 'unable', 'large']) {
    assert.equal(of({ kind: 'unavailable', why }), 'unchecked');
    assert.match(uncheckedWords({ why }), /^This could not be checked here, because .*neither proven nor refuted\.$/);
  }
  const all = ['elsewhere', 'missing', 'unable', 'large'].map((why) => uncheckedWords({ why }));
  assert.equal(new Set(all).size, all.length);
});

test('a forged chain and a forged file are told in words of their own', () => {
  assert.match(forgedWords({ chain: 'https://a.example/chains/x' }), /not the chain that was published here: do not believe/);
  assert.match(forgedWords({ chain: '' }), /This file .*do not believe/);
});

test('nothing of a file is shown before its check has ended, nor where it is forged', () => {
  const state = (verification) => ({ isFile: true, verification });
  for (const value of [null, { kind: 'checking' }, checked(false)]) assert.equal(isWithheld(state(value)), true);
  for (const value of [checked(true), { kind: 'unavailable', why: 'large' }]) assert.equal(isWithheld(state(value)), false);
  assert.equal(isWithheld({ isFile: false, verification: null }), false);
});

test('a page around is told what a check came to, in words, and why none could be made', () => {
  const told = (verification, chain = '') => verificationOf({ isFile: true, verification, chain });
  const says = 'It tells the same. Whether this server made it can\'t be said.';
  assert.deepEqual(told({ ...checked(true), says }), { trust: 'proven', message: 'It tells the same.' });
  const forged = told({ ...checked(false), says: 'Event 7 is told differently. This server made it.' });
  assert.equal(forged.trust, 'forged');
  assert.match(forged.message, /^This file .*do not believe it\. Event 7 is told differently\.$/);
  const other = told(checked(true), `https://a.example/chains/${'cd'.repeat(32)}`);
  assert.match(other.message, /^This is not the chain .*another one: its digest does not make this address\.$/);
  const { trust, why, message } = told({ kind: 'unavailable', why: 'elsewhere' });
  assert.deepEqual([trust, why], ['unchecked', 'elsewhere']);
  assert.equal(message, uncheckedWords({ why: 'elsewhere' }));
});
