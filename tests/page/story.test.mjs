// A run's lines read as a story: what repeats is folded, what is new stands by itself.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { rowsOf } from '../../public/story.js';

const line = (state, message, news = false) => ({ state, message, news });
const numbered = (lines) => lines.map((one, place) => ({ n: place + 1, ...one }));
const told = (lines, isOver = true) => rowsOf(numbered(lines), isOver).map(({ message }) => message);

const expansion = (name, news = false) => [
  line('S3', `Trying an expansion via ${name}.`),
  line('S2', `Searching for photos: “${name} event”`),
  line('S2', 'Photo 1 of 2 shows nobody for certain.'),
  line('S2', 'Photo 2 of 2 shows Bo and Cy.', news),
];

test('expansions that found nothing new are counted after the first of them', () => {
  const lines = [...expansion('Bo', true), ...['Cy', 'Di', 'Ed', 'Flo'].flatMap((name) => expansion(name)), ...expansion('Gus', true)];
  assert.deepEqual(told(lines), [
    'Trying an expansion via Bo.', 'Searching for photos: “Bo event”',
    'Photo 1 of 2 shows nobody for certain.', 'Photo 2 of 2 shows Bo and Cy.',
    'Trying an expansion via Cy.', 'Searching for photos: “Cy event”', '2 photos show nothing new.',
    '3 more expansions, each found nothing new.',
    'Trying an expansion via Gus.', 'Searching for photos: “Gus event”',
    'Photo 1 of 2 shows nobody for certain.', 'Photo 2 of 2 shows Bo and Cy.',
  ]);
});

test('one more is told in the singular, and photos that nobody could look at as such', () => {
  const lines = [...expansion('Bo'), ...expansion('Cy')];
  assert.equal(told(lines).at(-1), '1 more expansion found nothing new.');
  const lost = (n) => line('S2', `Photo ${n} could not be fetched: its host answered HTTP 403.`);
  const search = line('S2', 'Searching for photos: “Bo event”');
  assert.deepEqual(told([search, lost(1), lost(2)]).at(-1), '2 photos could not be looked at.');
  const mixed = [search, lost(1), line('S2', 'Photo 2 of 2 shows Bo.')];
  assert.equal(told(mixed).at(-1), '1 photo shows nothing new, 1 could not be looked at.');
});

test('what is under way is told line by line', () => {
  const lines = [...expansion('Bo'), ...expansion('Cy')];
  assert.deepEqual(told(lines, false).slice(-4), expansion('Cy').map(({ message }) => message));
});

test('no line is lost and none is told twice', () => {
  const lines = numbered([line('S0', 'Starting investigation...'), ...expansion('Bo'), ...expansion('Cy'), ...expansion('Di', true)]);
  for (const isOver of [true, false]) {
    assert.deepEqual(rowsOf(lines, isOver).flatMap((row) => row.lines), lines);
  }
  assert.deepEqual(rowsOf([], true), []);
});

test('a run of twenty searches is a story that a person can follow', async () => {
  const file = new URL('../scenarios/twenty_searches.txt', import.meta.url);
  const lines = [];
  for (const text of (await readFile(file, 'utf8')).trim().split('\n')) {
    const [, state, message] = /^(S\d) (.*)$/.exec(text) ?? [];
    if (state) lines.push({ n: lines.length + 1, state, message, news: false });
    else if (text.startsWith('   evidence')) lines.at(-1).news = true;
  }
  const story = rowsOf(lines, true).map(({ message }) => `${message}\n`).join('');
  const golden = new URL('./twenty-searches-folded.txt', import.meta.url);
  if (process.env.UPDATE_TRANSCRIPTS) await (await import('node:fs/promises')).writeFile(golden, story);
  assert.equal(story, await readFile(golden, 'utf8'));
  assert.ok(story.split('\n').length < lines.length / 2, 'it is less than half as long');
  assert.match(story, /more expansions, each found nothing new/);
});
