// A screen reader is told the newest words, and has time to read them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Announcer } from '../../public/announcer.js';

test('the newest words are said, one in five seconds', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const said = [];
  const announcer = new Announcer((words) => said.push([Date.now(), words]), () => Date.now());
  const tell = (...all) => all.forEach((words) => announcer.tell(words));
  tell('Starting', 'Looking', 'Photo 1');
  assert.deepEqual(said, [[0, 'Starting']]);
  t.mock.timers.tick(4_999);
  tell('Photo 2', 'Photo 2');
  assert.equal(said.length, 1);
  t.mock.timers.tick(1);
  assert.deepEqual(said.at(-1), [5_000, 'Photo 2']);
  // The same words again are no news.
  tell('Photo 2');
  t.mock.timers.tick(60_000);
  assert.equal(said.length, 2);
  tell('The search is over.');
  assert.deepEqual(said.at(-1), [65_000, 'The search is over.']);
});
