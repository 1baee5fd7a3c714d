// Options, the two people and their numbers: between the form, addresses and requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blank, reduce } from '../../public/model.js';
import { changed, changedSince, fields } from '../../public/options.js';
import { numbersOf, pair, renamed } from '../../public/pair.js';
import { route, shareLink } from '../../public/route.js';
import { numberOf, pageOf } from '../../public/wikidata.js';

const at = (path) => route(`https://host.example${path}`);
const NAMES = { a: 'Jean Valjean', b: 'Marius' };

test('only changed options are sent', () => {
  assert.deepEqual(changed(fields()), {});
  assert.deepEqual(
    changed({ ...fields(), hops: '3', runtimeMs: '60', avoid: ' Javert, ,Fantine ' }),
    { hops: 3, runtimeMs: 60000, avoid: ['Javert', 'Fantine'] },
  );
  assert.deepEqual(changed({ hops: '', threshold: 'high' }), { threshold: 'high' });
  const options = { plan: 'one-sided', hops: 2, runtimeMs: 5500, avoid: ['Javert'] };
  assert.deepEqual(changed(fields(options)), options);
});

test('a budget of dollars is an option like the others, and none where it is empty', () => {
  assert.equal(fields().budgetUsd, '');
  assert.deepEqual(changed({ budgetUsd: ' 0.25 ' }), { budgetUsd: 0.25 });
  assert.deepEqual(changed(fields({ budgetUsd: 0.25 })), { budgetUsd: 0.25 });
  // Refused by the server, with a reason.
  assert.deepEqual(changed({ budgetUsd: '0' }), { budgetUsd: 0 });
  assert.deepEqual(changed({ budgetUsd: 'much' }), { budgetUsd: 'much' });
  assert.deepEqual(at('/?budgetUsd=1.5').options, { budgetUsd: 1.5 });
});

test('a run that goes on is told what was changed back, too', () => {
  const before = { hops: 3, budgetUsd: 0.1, avoid: ['Javert'], wikidataA: 'Q42' };
  assert.deepEqual(changedSince({}, { budgetUsd: 2 }), { budgetUsd: 2 });
  assert.deepEqual(changedSince(before, before), before);
  const back = { hops: 6, avoid: [], wikidataA: '' };
  assert.deepEqual(changedSince(before, { budgetUsd: 2 }), { ...back, budgetUsd: 2 });
  // What has no default is taken away, and stays away.
  assert.deepEqual(changedSince({ budgetUsd: 0.1 }, {}), { budgetUsd: '' });
  assert.deepEqual(changedSince({ budgetUsd: '' }, {}), { budgetUsd: '' });
});

test('what the form sends without script is read as it was typed', () => {
  const { options } = route(
    'https://vd.example/investigate?a=A&b=B&plan=both-ends&pace=frugal&hops=6&seconds=60&budgetUsd=&avoid=',
  );
  assert.deepEqual(options, { pace: 'frugal', runtimeMs: 60000 });
  const empty = route('https://vd.example/investigate?a=A&b=B&seconds=&budgetUsd=0.5').options;
  assert.deepEqual(empty, { budgetUsd: 0.5 });
});

test('addresses are read and shared', () => {
  assert.equal(at('/').page, 'home');
  assert.deepEqual(at('/runs/s1.k3?a=Jean+Valjean&b=Marius'), {
    page: 'run',
    run: 's1.k3',
    ...NAMES,
    wikidataA: '',
    wikidataB: '',
    options: {},
  });
  const asked = at('/investigate?a=A&b=B&hops=3&runtimeMs=5000&avoid=Javert&avoid=Fantine');
  assert.equal(asked.page, 'investigate');
  assert.deepEqual(asked.options, { hops: 3, runtimeMs: 5000, avoid: ['Javert', 'Fantine'] });
  assert.equal(shareLink('s1.k3', NAMES), '/runs/s1.k3?a=Jean+Valjean&b=Marius');
  assert.equal(shareLink('s1.k3', { a: '', b: '' }), '/runs/s1.k3');
});

test('what a link gives wrongly is kept for the server to refuse', () => {
  const check = (query, options) => assert.deepEqual(at(`/investigate?a=A&b=B&${query}`).options, options);
  check('hop=3', { hop: '3' });
  check('hops=', { hops: '' });
  check('hops=many', { hops: 'many' });
  check('hops=2&hops=3', { hops: ['2', '3'] });
  check('runtimeMs=soon', { runtimeMs: 'soon' });
  check('runtimeMs=60000', { runtimeMs: 60000 });
  check('runtimeMs=1e9&searches=-1', { runtimeMs: 1e9, searches: -1 });
  check('session=s1', {});
  assert.equal(at('/investigate?a=A&b=B&session=s1').session, 's1');
  assert.equal(at('/investigate?a=A&b=B').session, '');
});

test('who is meant stays in the address', () => {
  const people = { ...NAMES, wikidataA: '', wikidataB: 'Q42' };
  const link = shareLink('s1.k3', people);
  assert.equal(link, '/runs/s1.k3?a=Jean+Valjean&b=Marius&wikidataB=Q42');
  assert.deepEqual(pair(at(link)), people);
  assert.equal(at('/investigate?a=A&b=B&wikidataA=q42').wikidataA, 'Q42');
  // Refused by the server, with a reason.
  assert.equal(at('/investigate?a=A&b=B&wikidataA=forty').wikidataA, 'forty');
});

test('a number is Q and digits, and leads to its page only', () => {
  assert.equal(numberOf(' q42 '), 'Q42');
  assert.equal(pageOf('Q42'), 'https://www.wikidata.org/wiki/Q42');
  const wrong = ['', 'Q', '42', 'Q042', 'Q4x', 'P31', 'Q1234567890123', 'Q1/../x', null, 42, {}];
  for (const value of wrong) {
    assert.equal(numberOf(value), '', String(value));
    assert.equal(pageOf(value), '', String(value));
  }
});

test('numbers are sent where there are some', () => {
  assert.deepEqual(numbersOf({ wikidataA: 'Q42', wikidataB: '' }), { wikidataA: 'Q42' });
  assert.deepEqual(numbersOf({ ...NAMES, options: {} }), {});
});

test('another name drops the number of the old one, and that one alone', () => {
  const people = { ...NAMES, wikidataA: 'Q1', wikidataB: 'Q2' };
  const other = { ...people, b: 'Cosette', wikidataB: '' };
  assert.deepEqual(renamed(people, { b: 'Cosette' }), other);
  assert.deepEqual(renamed(people, {}), people);
  assert.deepEqual(renamed(people, { b: 'Marius' }), people);
});

test('a run keeps who is meant, and a bare link learns it from the record', () => {
  const people = { ...NAMES, wikidataA: 'Q1', wikidataB: '' };
  assert.deepEqual(pair(reduce(blank(), { kind: 'starting', ...people })), people);
  const meta = { personA: NAMES.a, personB: NAMES.b, wikidataA: 'Q1', wikidataB: 'Q2' };
  const named = (names) => pair(reduce(blank(names), { kind: 'names', record: { meta } }));
  assert.deepEqual(named({}), { ...NAMES, wikidataA: 'Q1', wikidataB: 'Q2' });
  const other = { a: 'Javert', b: NAMES.b, wikidataA: '', wikidataB: 'Q2' };
  assert.deepEqual(named({ a: 'Javert' }), other);
});
