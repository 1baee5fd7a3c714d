// Why there is no chain, for each reason and each sentence of the server's: said once, as it is pinned here.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { blank, reduce } from '../../public/model.js';
import { noChain } from '../../public/no-chain.js';

const MESSAGE = 'No verified visual connection found within 6 degrees at ≥80% confidence.';
const NAMES = { a: 'Ann', b: 'Bob' };
const TOO_LONG = ' A chain of 7 hops is verified, over the limit.';
const UNREAD = ' 5 of 12 photos could not be looked at.';
const SPELLING = 'Check the spelling; the recogniser knows public figures only, and not all of them.';

/** What is shown of a run that ended so. */
function shown(event, { names = NAMES, isOwn = false } = {}) {
  const begun = reduce(reduce(blank(), { kind: 'starting', ...names }), { kind: 'following', run: 'r', isOwn });
  const last = { type: 'no_path', message: MESSAGE, hopsReached: 2, ...event };
  return noChain(reduce(begun, { kind: 'event', n: 1, event: last }));
}

/** The reason, what the server says of it, the heading, and the paragraph below it. */
const SAID = [
  [
    'hop_limit',
    'Ann and Bob are connected by verified photos, but the shortest chain found has 4 hops; 1 are allowed.',
    'They are connected, but only by a longer chain.',
    'The shortest one that was found has 4 hops; the limit was 1.',
  ],
  [
    'hop_limit',
    'Every way on that was found would need more than 1 hops.',
    'Every way on would need more than 1 hop.',
    '',
  ],
  [
    'search_budget',
    `The budget of searches (20) is used up. A larger one may find a connection.${UNREAD}`,
    'The searches ran out before there was a chain.',
    'The limit was 20 searches; a larger one may find a connection. 5 of 12 photos could not be looked at.',
  ],
  [
    'search_budget',
    `The budget of searches (1) is used up. A larger one may find a connection.${TOO_LONG}`,
    'The searches ran out.',
    'The limit was 1 search; a larger one may find a connection. ' +
      'A verified chain was found, but it is too long: 7 hops.',
  ],
  [
    'recognition_budget',
    'The budget of recognitions (100) is used up. A larger one may find a connection.',
    'The photos to look at ran out before there was a chain.',
    'The limit was 100 photos; a larger one may find a connection.',
  ],
  [
    'usd_budget',
    'The budget of $0.02 is used up. A larger one may find a connection.',
    'The money ran out before there was a chain.',
    'The limit was $0.02; a larger one may find a connection.',
  ],
  [
    'runtime_budget',
    `The run's time (120 s) is over. More time may find a connection.${TOO_LONG}${UNREAD}`,
    'The time ran out.',
    'The limit was 120 s; a larger one may find a connection. ' +
      'A verified chain was found, but it is too long: 7 hops. 5 of 12 photos could not be looked at.',
  ],
  [
    'no_candidates',
    `Everybody who was recognised beside Mrs. Hudson or d'Artagnan has been tried, and nobody is left.${UNREAD}`,
    "Everybody who was recognised beside Mrs. Hudson or d'Artagnan has been tried.",
    '5 of 12 photos could not be looked at.',
  ],
  [
    'no_candidates',
    'The recogniser takes Ann and Bob for one person; no chain joins a person to themselves.',
    'The recogniser takes Ann and Bob for one person.',
    'No chain joins a person to themselves.',
  ],
  ['unknown_person', `Three searches did not show Bob once. ${SPELLING}`, 'Bob was not recognised.', SPELLING, ['b']],
  [
    'unknown_person',
    `The photos that were looked at did not show Bob once. ${SPELLING}`,
    'Bob was not recognised.',
    SPELLING,
    ['b'],
  ],
  [
    'unknown_person',
    `Three searches did not show Ann nor Bob once. ${SPELLING}${UNREAD}`,
    'Neither Ann nor Bob was recognised.',
    `${SPELLING}${UNREAD}`,
    ['a', 'b'],
  ],
  [
    'no_readable_photos',
    'No image search gave an answer that could be read; later it may.',
    'No image search gave an answer that could be read.',
    'The same search may work later.',
  ],
  [
    'no_readable_photos',
    '7 searches found no photo at all. Check how Ann and Bob are spelt.',
    '7 searches found no photo at all.',
    'Check how Ann and Bob are spelt.',
    ['a', 'b'],
  ],
  [
    'no_readable_photos',
    'No search found a photo of Ann or of Bob. Check the spelling. Of other photos, 1 could not be read (it is empty).',
    'No search found a photo of Ann or of Bob.',
    'Check the spelling. Of other photos, 1 could not be read (it is empty).',
    ['a', 'b'],
  ],
  [
    'no_readable_photos',
    'No photo that was found for Bob could be looked at. In all, 3 could not be fetched (its host answered HTTP 403).',
    'No photo that was found for Bob could be looked at.',
    'In all, 3 could not be fetched (its host answered HTTP 403).',
  ],
  [
    'no_readable_photos',
    '7 searches found 3 photos, and none could be looked at: 3 could not be fetched (its host answered HTTP 403). ' +
      'That says nothing about Ann or Bob.',
    'No photo could be looked at.',
    '7 searches found 3 photos; 3 could not be fetched (its host answered HTTP 403). ' +
      'That says nothing about Ann or Bob.',
  ],
  [
    'no_readable_photos',
    '3 searches found 30 photos, and none that was tried could be looked at: 10 could not be fetched (no answer). ' +
      'That says nothing about Ann or Bob.',
    'No photo could be looked at.',
    '3 searches found 30 photos. Of those that were tried, 10 could not be fetched (no answer). ' +
      'That says nothing about Ann or Bob.',
  ],
  ['stopped', 'The run was stopped before a connection was found.', 'The search was stopped.', ''],
  [
    'stopped',
    `The run was stopped before a connection was found.${TOO_LONG}`,
    'The search was stopped.',
    'A verified chain was found, but it is too long: 7 hops.',
  ],
];

for (const [reason, explanation, heading, body, unknown = []] of SAID) {
  test(`${reason} is said once: ${heading} ${body}`, () => {
    const told = shown({ reason, explanation, unknown });
    assert.deepEqual([told.kicker, told.heading, told.body], ['No chain', heading, body]);
  });
}

/** The words for each reason of the API's description, where only the reason is left. */
const PLAIN = {
  hop_limit: 'No way that was found is short enough.',
  search_budget: 'The searches ran out before there was a chain.',
  recognition_budget: 'The photos to look at ran out before there was a chain.',
  runtime_budget: 'The time ran out before there was a chain.',
  usd_budget: 'The money ran out before there was a chain.',
  no_candidates: 'Nobody was left to try.',
  unknown_person: 'A name was not recognised.',
  no_readable_photos: 'There was no photo to recognise them in.',
  stopped: 'The search was stopped.',
};

test('every reason of the API is known, and is told of a record that was kept of it', () => {
  const api = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const listed = /with the reason: ([^(]+)\(below\)/.exec(api)[1].match(/\w+/g);
  assert.deepEqual(listed.toSorted(), Object.keys(PLAIN).toSorted());
  for (const reason of listed) {
    const meta = { endedWith: 'no_path', endedBecause: reason };
    const state = reduce(blank(NAMES), { kind: 'kept', record: { meta, state: 'S7', path: [] } });
    const { kicker, heading, body } = noChain(state);
    assert.deepEqual([kicker, heading, body], ['No chain', PLAIN[reason], '']);
    assert.ok(SAID.some(([one]) => one === reason), `${reason} stands in no row above`);
  }
});

test('a record without a reason, and one of a run that broke off', () => {
  const kept = (record) => {
    const { kicker, heading, body } = noChain(reduce(blank(NAMES), { kind: 'kept', record }));
    return [kicker, heading, body];
  };
  assert.deepEqual(kept({ state: 'S7' }), ['No chain', 'No verified visual connection was found.', '']);
  const gone = 'This run’s events are gone; this is what was kept of it.';
  const broken = { meta: { endedWith: 'error', endedBecause: 'stopped' }, state: 'S4' };
  assert.deepEqual(kept(broken), ['Kept record', gone, '']);
  assert.deepEqual(kept({}), ['Kept record', gone, '']);
});

test('who has stopped it is told so', () => {
  const explanation = 'The run was stopped before a connection was found.';
  assert.equal(shown({ reason: 'stopped', explanation }, { isOwn: true }).heading, 'You stopped the search.');
});

test('who was meant by a number is told with it', () => {
  const explanation =
    'Three searches did not show Ann (Q1) once. Somebody of that name was recognised; a run without the number ' +
    'goes by the name.';
  const names = { ...NAMES, wikidataA: 'Q1' };
  const { heading, body } = shown({ reason: 'unknown_person', explanation, unknown: ['a'] }, { names });
  assert.equal(heading, 'Ann (Q1) was not recognised.');
  assert.equal(body, 'Somebody of that name was recognised; a run without the number goes by the name.');
});

test('what is not known here is said as the server says it, once', () => {
  const said = (event, more) => {
    const { heading, body, option } = shown(event, more);
    return [heading, body, option];
  };
  assert.deepEqual(said({ reason: 'new_one', explanation: 'Why.' }), [MESSAGE, 'Why.', undefined]);
  assert.deepEqual(said({ reason: 'new_one', explanation: MESSAGE }), [MESSAGE, '', undefined]);
  for (const reason of ['new_one', 'constructor', '']) assert.deepEqual(said({ reason }), [MESSAGE, '', undefined]);
  assert.deepEqual(said({ reason: 'search_budget', explanation: 'Why.' }), [MESSAGE, 'Why.', 'searches']);
  assert.deepEqual(said({ reason: 'new_one', message: '', explanation: 'Why.' }), ['Why.', '', undefined]);
  // Nobody knows yet whose name it is.
  const explanation = `Three searches did not show Bob once. ${SPELLING}`;
  const unnamed = said({ reason: 'unknown_person', explanation, unknown: ['b'] }, { names: {} });
  assert.deepEqual(unnamed, [MESSAGE, explanation, undefined]);
});

test('how far it got is told where nothing else tells it', () => {
  const hops = (reason, explanation) => shown({ reason, explanation }).hops;
  for (const [reason, explanation] of SAID) {
    const isTold = /shortest chain|A chain of/.test(explanation);
    assert.equal(hops(reason, explanation), isTold ? 0 : 2, explanation);
  }
});

test('an option is offered where it would help', () => {
  const options = Object.keys(PLAIN).map((reason) => [reason, shown({ reason }).option]);
  assert.deepEqual(Object.fromEntries(options), {
    hop_limit: 'hops', search_budget: 'searches', recognition_budget: 'recognitions', runtime_budget: 'runtimeMs',
    usd_budget: 'budgetUsd', no_candidates: 'threshold', unknown_person: undefined, no_readable_photos: undefined,
    stopped: undefined,
  });
  const explanation = 'The recogniser takes Ann and Bob for one person; no chain joins a person to themselves.';
  assert.equal(shown({ reason: 'no_candidates', explanation }).option, undefined);
});

test('every last word of the transcripts is known here, so that none of them is said twice', () => {
  const folder = new URL('../engine/transcripts/', import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.txt'));
  const line = /^no_path (\w+) after \d+ hops, unknown \[([AB, ]*)\], suggestions \[.*?\]: (No .*?% confidence\.) (.*)$/gmu;
  let lines = 0;
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    lines += text.match(/^no_path /gm)?.length ?? 0;
    for (const [, reason, sides, message, explanation] of text.matchAll(line)) {
      lines -= 1;
      const unknown = sides.toLowerCase().split(', ').filter(Boolean);
      const { heading } = shown({ reason, unknown, message, explanation });
      assert.notEqual(heading, message, `${file}: ${explanation}`);
    }
  }
  assert.equal(lines, 0, 'a line of another form');
});
