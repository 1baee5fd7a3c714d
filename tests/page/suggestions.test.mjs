// Suggestions: what is asked, when, which answers count, and what the keyboard does to the list.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY, listed, press } from '../../public/listbox.js';
import { Lookup } from '../../public/lookup.js';
import { askable, suggestions } from '../../public/suggestions.js';

const person = (number, more = {}) => ({
  number,
  label: 'Elizabeth Bennet',
  description: 'character of a novel',
  alias: null,
  ...more,
});

test('two letters are asked for, a space at the end stays', () => {
  const check = (typed, expected) => assert.equal(askable(typed), expected);
  check('  Jane   Au', 'Jane Au');
  check('Jane ', 'Jane ');
  check('Ja', 'Ja');
  for (const short of ['', ' ', 'J', ' J ', '𝒥']) check(short, '');
  check('x'.repeat(100), 'x'.repeat(100));
  check('x'.repeat(101), '');
});

test('an answer is read with care, and eight of it are shown', () => {
  const alias = suggestions({ people: [person('Q9000042', { alias: 'Lizzy' })] });
  assert.deepEqual(alias, [person('Q9000042', { alias: 'Lizzy' })]);
  const same = suggestions({ people: [person('Q9000042', { alias: 'ELIZABETH BENNET' })] });
  assert.equal(same[0].alias, '');
  const twice = { people: [person('Q1'), person('Q1', { label: 'Another' }), person('Q2')] };
  assert.deepEqual(suggestions(twice).map(({ number }) => number), ['Q1', 'Q2']);
  const odd = [null, 7, {}, person('42'), person('Q4', { label: ' ' }), person('Q5', { label: 5 })];
  assert.deepEqual(suggestions({ people: odd }), []);
  for (const wrong of [null, [], {}, { people: 'x' }]) assert.deepEqual(suggestions(wrong), []);
  const many = Array.from({ length: 12 }, (_, i) => person(`Q${i + 1}`));
  assert.equal(suggestions({ people: many }).length, 8);
  const quiet = suggestions({ people: [person('Q6', { description: null })] });
  assert.equal(quiet[0].description, '');
});

/** A lookup whose answers come when the test says so. */
function lookup(t) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = [];
  const told = [];
  const ask = (text, signal) =>
    new Promise((answer, refuse) => asked.push({ text, signal, answer, refuse }));
  return { it: new Lookup(ask, (people) => told.push(people)), asked, told, timers: t.mock.timers };
}

const settled = () => new Promise((done) => setImmediate(done));

test('a pause in typing is waited for', (t) => {
  const { it, asked, timers } = lookup(t);
  for (const text of ['Ja', 'Jan', 'Jane']) {
    it.type(text);
    timers.tick(249);
  }
  assert.deepEqual(asked, []);
  timers.tick(1);
  assert.deepEqual(asked.map(({ text }) => text), ['Jane']);
});

test('an answer that comes late is dropped', async (t) => {
  const { it, asked, told, timers } = lookup(t);
  it.type('Jane');
  timers.tick(250);
  it.type('Jane A');
  assert.equal(asked[0].signal.aborted, true);
  timers.tick(250);
  asked[1].answer(['new']);
  await settled();
  asked[0].answer(['old']);
  await settled();
  assert.deepEqual(told, [['new']]);
});

test('nothing is told after it was cancelled, nor asked', async (t) => {
  const { it, asked, told, timers } = lookup(t);
  it.type('Jane');
  timers.tick(250);
  it.cancel();
  asked[0].answer(['old']);
  it.type('Emma');
  it.cancel();
  timers.tick(1000);
  await settled();
  assert.deepEqual([asked.length, told], [1, []]);
});

test('a text that is too short is not asked for, and stops the one before', (t) => {
  const { it, asked, timers } = lookup(t);
  it.type('Ja');
  it.type('J');
  timers.tick(1000);
  assert.deepEqual(asked, []);
});

test('a refusal is no suggestions, and the next text is asked for again', async (t) => {
  const { it, asked, told, timers } = lookup(t);
  it.type('Jane');
  timers.tick(250);
  asked[0].refuse(new Error('429'));
  await settled();
  it.type('Jane A');
  timers.tick(250);
  asked[1].answer(['one']);
  await settled();
  assert.deepEqual(told, [[], ['one']]);
});

const busy = (retryAfter) => Object.assign(new Error('429'), { retryAfter });

test('who is sent away for some seconds is asked for once more after them', async (t) => {
  const { it, asked, told, timers } = lookup(t);
  it.type('Jane');
  timers.tick(250);
  asked[0].refuse(busy(5));
  await settled();
  assert.deepEqual(told, [[]]);
  timers.tick(4999);
  assert.equal(asked.length, 1);
  timers.tick(1);
  assert.equal(asked[1].text, 'Jane');
  asked[1].refuse(busy(5));
  await settled();
  timers.tick(60_000);
  assert.deepEqual([asked.length, told], [2, [[], []]]);
  // The next text may come back again.
  it.type('Jane A');
  timers.tick(250);
  asked[2].refuse(busy(10));
  await settled();
  timers.tick(10_000);
  asked[3].answer(['one']);
  await settled();
  assert.deepEqual(told, [[], [], [], ['one']]);
});

test('nobody comes back after too long, nor after something else was typed', async (t) => {
  const { it, asked, timers } = lookup(t);
  const refused = async (refusal) => {
    it.type('Jane');
    timers.tick(250);
    asked.at(-1).refuse(refusal);
    await settled();
  };
  for (const refusal of [busy(11), busy(null), new Error('500')]) {
    await refused(refusal);
    timers.tick(60_000);
  }
  assert.equal(asked.length, 3);
  await refused(busy(5));
  it.type('Emma');
  timers.tick(60_000);
  await refused(busy(5));
  it.cancel();
  timers.tick(60_000);
  assert.deepEqual(asked.slice(3).map(({ text }) => text), ['Jane', 'Emma', 'Jane']);
});

/** After these keys: the option that the keyboard is at, "closed", or who was chosen. */
function pressed(keys, list = listed(['one', 'two', 'three'])) {
  let answer = { list, chosen: null, taken: false };
  for (const key of keys) answer = press(answer.list, key);
  const { at, open } = answer.list;
  return [answer.chosen ?? (open ? at : 'closed'), answer.taken];
}

test('arrows walk through the list and round its ends', () => {
  const [down, up] = ['ArrowDown', 'ArrowUp'];
  assert.deepEqual(pressed([down]), [0, true]);
  assert.deepEqual(pressed([down, down, down]), [2, true]);
  assert.deepEqual(pressed([down, down, down, down]), [0, true]);
  assert.deepEqual(pressed([up]), [2, true]);
  assert.deepEqual(pressed([down, up]), [2, true]);
});

test('Enter chooses what the arrows went to, and sends the form where they went nowhere', () => {
  assert.deepEqual(pressed(['ArrowDown', 'ArrowDown', 'Enter']), ['two', true]);
  assert.deepEqual(pressed(['Enter']), ['closed', false]);
  assert.deepEqual(pressed(['ArrowDown', 'Home', 'Enter']), ['closed', false]);
  assert.deepEqual(pressed(['ArrowDown', 'Escape', 'Enter']), ['closed', false]);
  assert.deepEqual(pressed(['ArrowDown', 'Enter', 'Enter']), ['closed', false]);
});

test('Escape closes the list and an arrow opens it again; Tab chooses nothing', () => {
  assert.deepEqual(pressed(['ArrowDown', 'Escape']), ['closed', true]);
  assert.deepEqual(pressed(['Escape', 'Escape']), ['closed', false]);
  assert.deepEqual(pressed(['Escape', 'ArrowDown']), [0, true]);
  assert.deepEqual(pressed(['ArrowDown', 'Tab']), ['closed', false]);
});

test('without suggestions every key is left to the text field', () => {
  for (const key of ['ArrowDown', 'ArrowUp', 'Enter', 'Escape', 'Tab', 'Home', 'x']) {
    assert.deepEqual(pressed([key], EMPTY), ['closed', false], key);
  }
});
