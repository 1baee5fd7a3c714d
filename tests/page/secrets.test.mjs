// The secrets of the runs that a tab has started.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { keepSecret, secretOf } from '../../public/secrets.js';

let stored = null;

beforeEach(() => {
  stored = new Map();
  globalThis.sessionStorage = {
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => stored.set(name, value),
  };
});

test('a run has the secret that was kept for it, and others have none', () => {
  keepSecret('s.one', 'first');
  keepSecret('s.two', 'second');
  keepSecret('s.one', 'third');
  assert.deepEqual(['s.one', 's.two', 's.three'].map(secretOf), ['third', 'second', '']);
  for (const nothing of [undefined, null, '', 7]) keepSecret('s.four', nothing);
  assert.equal(secretOf('s.four'), '');
});

test('the last twenty runs are kept', () => {
  for (let n = 1; n <= 21; n += 1) keepSecret(`s.${n}`, `secret ${n}`);
  assert.deepEqual(['s.1', 's.2', 's.21'].map(secretOf), ['', 'secret 2', 'secret 21']);
});

test('what somebody else has stored there is no secret', () => {
  for (const text of ['no JSON', '{}', 'null', '[1]', '[["s.one"]]']) {
    stored.set('visual-degrees-secrets', text);
    assert.equal(secretOf('s.one'), '', text);
  }
});
