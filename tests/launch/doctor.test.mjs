// What the doctor prints, and who Wikimedia is told is asking.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactOf } from '../../src/launch/contact.mjs';
import { report } from '../../src/launch/doctor.mjs';
import { choices } from '../../src/launch/settings.mjs';

test('all is well where every provider works', () => {
  const checks = [{ works: true, message: 'Serper works.' }];
  assert.deepEqual(report({ checks }), { lines: ['ok       Serper works.'], isWell: true });
  assert.equal(report({}).isWell, false, 'nothing was asked');
});

test('what is missing and what fails is said, a line each', () => {
  const checks = [{ works: false, message: 'Serper does not work.' }];
  const { lines, isWell } = report({ missing: ['CONTACT'], checks });
  assert.deepEqual(lines, ['MISSING  CONTACT', 'FAILS    Serper does not work.']);
  assert.equal(isWell, false);
});

test('a contact that is set stays; otherwise somebody is named, and that is said', async () => {
  const said = [];
  const say = (line) => said.push(line);
  assert.deepEqual(await contactOf({ CONTACT: 'a@example.org' }, say), {});
  assert.deepEqual(said, []);
  const { CONTACT } = await contactOf({}, say);
  assert.match(CONTACT, /@/);
  assert.match(said[0], /CONTACT is not set/);
});

test('beside the sandbox the environment may choose who is asked', () => {
  const env = { IMAGE_SEARCH: 'commons', PLANNER: '', HOME: '/' };
  assert.deepEqual(choices(env), { IMAGE_SEARCH: 'commons' });
});
