// What a tab keeps of the runs that it has started.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { keepPublished, keepSecret, publishedOf, secretOf } from '../../public/secrets.js';

const HERE = 'https://vd.example/';
const ELSEWHERE = 'https://other.example/';
let stored = null;

beforeEach(() => {
  stored = new Map();
  globalThis.sessionStorage = {
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => stored.set(name, value),
  };
});

test('a run has the secret that was kept for it, and others have none', () => {
  keepSecret(HERE, 's.one', 'first');
  keepSecret(HERE, 's.two', 'second');
  keepSecret(HERE, 's.one', 'third');
  const of = (run) => secretOf(HERE, run);
  assert.deepEqual(['s.one', 's.two', 's.three'].map(of), ['third', 'second', '']);
  for (const nothing of [undefined, null, '', 7]) keepSecret(HERE, 's.four', nothing);
  assert.equal(of('s.four'), '');
});

test('a secret is of one server, and another one neither learns nor changes it', () => {
  keepSecret(HERE, 's.one', 'mine');
  assert.equal(secretOf(ELSEWHERE, 's.one'), '');
  keepSecret(ELSEWHERE, 's.one', 'theirs');
  assert.equal(secretOf(HERE, 's.one'), 'mine');
});

test('what was published of a run is known until it is taken back', () => {
  const published = { chain: `${HERE}chains/ab`, expires: '2026-12-23T10:00:00Z' };
  keepPublished(HERE, 's.one', published);
  assert.deepEqual(publishedOf(HERE, 's.one'), { chain: '', expires: '' }, 'of a run of somebody else');
  keepSecret(HERE, 's.one', 'mine');
  keepPublished(HERE, 's.one', published);
  assert.deepEqual(publishedOf(HERE, 's.one'), published);
  assert.equal(secretOf(HERE, 's.one'), 'mine');
  keepPublished(HERE, 's.one', { chain: '', expires: '' });
  assert.equal(publishedOf(HERE, 's.one').chain, '');
});

test('the last twenty runs are kept', () => {
  for (let n = 1; n <= 21; n += 1) keepSecret(HERE, `s.${n}`, `secret ${n}`);
  const of = (run) => secretOf(HERE, run);
  assert.deepEqual(['s.1', 's.2', 's.21'].map(of), ['', 'secret 2', 'secret 21']);
});

test('what somebody else has stored there is no secret', () => {
  for (const text of ['no JSON', '{}', 'null', '[1]', '[["s.one"]]', '[{"run":"s.one"}]']) {
    stored.set('visual-degrees-secrets', text);
    assert.equal(secretOf(HERE, 's.one'), '', text);
  }
});
