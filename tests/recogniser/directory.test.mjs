import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { UnreadablePhoto } from '../../recogniser/faces/failures.mjs';
import { PeopleDirectory } from '../../recogniser/people/directory.mjs';
import { folded } from '../../recogniser/people/records.mjs';
import { Wikimedia } from '../../recogniser/people/wikimedia.mjs';
import { clockOf, standIn } from './wikimedia-stand-in.mjs';

const DAY_MS = 24 * 60 * 60 * 1_000;
const ends = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A description is made of the portrait's bytes: `PLACE` or `PLACE AREA PLACE AREA ...`, a face each. */
async function facesOf(bytes) {
  const words = bytes.toString().split(' ').map(Number);
  const faces = [];
  for (let at = 0; at < words.length; at += 2) {
    faces.push({ box: [0, 0, words[at + 1] ?? 0.5, 1], side: 100, description: Float32Array.of(words[at], 0) });
  }
  return faces.filter(({ description: [place] }) => !Number.isNaN(place));
}

const portrait = (text) => Buffer.from(text);

const PEOPLE = [
  { number: 'Q1', names: ['Ann Lee'], title: 'Ann Lee', portrait: portrait('0') },
  { number: 'Q2', names: ['Bob Day', 'Robert Day'], portrait: portrait('1') },
  { number: 'Q3', names: ['Bob Day'], portrait: portrait('2') },
  { number: 'Q4', names: ['Cy Fox'], title: 'Cy Fox' },
  { number: 'Q5000', names: ['Dog Star'], title: 'Dog Star', kind: 'Q144', portrait: portrait('3') },
  { number: 'Q6', names: ['Two Faces'], portrait: portrait('4 0.3 5 0.2') },
  { number: 'Q7', names: ['One of Many'], portrait: portrait('6 0.4 7 0.05') },
  { number: 'Q8', names: ['A Statue'], portrait: portrait('none') },
  { number: 'Q9', names: ['Somebody Élse'], portrait: portrait('9') },
];

async function opened({ people = PEOPLE, folder, now, model = 'm', describe = facesOf } = {}) {
  const site = await standIn(people);
  ends.push(site.close);
  const into = folder ?? (await mkdtemp(join(tmpdir(), 'people-')));
  if (!folder) ends.push(() => rm(into, { recursive: true }));
  const clock = clockOf();
  const wikimedia = new Wikimedia({ contact: 'a@b.example', wikidata: site.origin, commons: site.origin, clock });
  const directory = new PeopleDirectory({ folder: into, wikimedia, describe, model, now });
  await directory.open();
  return { site, directory, folder: into, clock };
}

const numbersOf = ({ people }) => people.map(({ number }) => number);
const ask = async (directory, ...candidates) => numbersOf(await directory.people(candidates, 20_000));

test('people are found by number and by name, and have their portraits with credit', async () => {
  const { directory } = await opened();
  const { people, unready } = await directory.people([{ number: 'Q1' }, { name: 'robert day' }, { name: 'somebody else' }], 20_000);
  assert.deepEqual(numbersOf({ people }), ['Q1', 'Q2', 'Q9']);
  assert.deepEqual(unready, []);
  const [{ name, portraits: [one] }] = people;
  assert.equal(name, 'Ann Lee');
  assert.equal(one.author, 'The & photographer');
  assert.equal(one.license, 'CC BY 4.0');
  assert.match(one.url, /^http:.*Portrait%20of%20Q1/);
  assert.match(one.sha256, /^[0-9a-f]{64}$/);
});

test('only humans with one clear face are candidates; a name may mean several', async () => {
  const { directory } = await opened();
  assert.deepEqual(await ask(directory, { name: 'Bob Day' }), ['Q2', 'Q3']);
  assert.deepEqual(await ask(directory, { name: 'Cy Fox' }, { name: 'Dog Star' }, { name: 'Nobody Known' }), []);
  assert.deepEqual(await ask(directory, { number: 'Q5000' }, { number: 'Q6' }, { number: 'Q8' }, { number: 'Q404' }), []);
  assert.deepEqual(await ask(directory, { number: 'Q7' }), ['Q7']);
});

test('what was fetched is asked for once, also by another process', async () => {
  const { site, directory, folder } = await opened();
  const both = await Promise.all([ask(directory, { name: 'Ann Lee' }), ask(directory, { number: 'Q1' }, { name: 'Ann Lee' })]);
  assert.deepEqual(both, [['Q1'], ['Q1']]);
  const asked = site.requests.length;
  assert.ok(asked <= 5, `${asked}`);
  assert.equal(site.requests.filter(({ path }) => path.startsWith('/files/')).length, 1);
  assert.deepEqual(await ask(directory, { name: 'ANN LEE' }), ['Q1']);
  assert.equal(site.requests.length, asked);
  const other = await opened({ folder });
  assert.deepEqual(await ask(other.directory, { name: 'Ann Lee' }), ['Q1']);
  assert.equal(other.site.requests.length, 0);
});

test('what is old, or described by another model, is made anew', async () => {
  let now = DAY_MS;
  const { site, directory, folder } = await opened({ now: () => now });
  await ask(directory, { number: 'Q1' }, { number: 'Q4' });
  const asked = site.requests.length;
  now = 20 * DAY_MS;
  await ask(directory, { number: 'Q1' });
  assert.equal(site.requests.length, asked, 'a portrait is believed longer than that there is none');
  await ask(directory, { number: 'Q4' });
  assert.equal(site.requests.length, asked + 1);
  now = 100 * DAY_MS;
  await ask(directory, { number: 'Q1' });
  assert.ok(site.requests.length > asked + 2);
  const other = await opened({ folder, now: () => now, model: 'other' });
  assert.deepEqual(await ask(other.directory, { number: 'Q1' }), ['Q1']);
  assert.ok(other.site.requests.length > 0);
});

test('whoever cannot be fetched now is unready, and asked for again', async () => {
  const { site, directory, clock } = await opened();
  site.faults.push({ status: 403 });
  const first = await directory.people([{ number: 'Q1' }], 20_000);
  assert.deepEqual([numbersOf(first), first.unready], [[], [0]]);
  assert.match(directory.status().wikimedia, /status 403/);
  assert.ok(first.failure.retryMs > 29_000);
  clock.pass(30_000);
  assert.deepEqual(await ask(directory, { number: 'Q1' }), ['Q1']);
  assert.equal(directory.status().wikimedia, 'ok');
  const late = await directory.people([{ name: 'Somebody Else' }], 0);
  assert.deepEqual(late.unready, [0]);
  assert.deepEqual(await ask(directory, { name: 'Somebody Else' }), ['Q9']);
});

test('what can never be had makes nobody unready, and spoils nobody else', async () => {
  const people = [
    ...PEOPLE, { number: 'Q10', names: ['Drawn Arrow'], portrait: portrait('10'), mime: 'image/svg+xml' },
    { number: 'Q11', names: ['Pipe | Name'], portrait: portrait('11') },
  ];
  const { site, directory } = await opened({ people });
  const beyond = { number: 'Q2147483648' };
  const all = await directory.people([beyond, { number: 'Q10' }, { name: 'Pipe | Name' }, { name: '{{}}' }, { number: 'Q2' }], 20_000);
  assert.deepEqual([numbersOf(all), all.unready], [['Q11', 'Q2'], []]);
  assert.ok(site.requests.every(({ query }) => !query.titles?.includes('Pipe')));
  // Its file is gone, or too long.
  site.faults.push(null, null, { status: 404 });
  const gone = await directory.people([{ number: 'Q1' }], 20_000);
  assert.deepEqual([numbersOf(gone), gone.unready], [[], []]);
  const asked = site.requests.length;
  await ask(directory, { number: 'Q1' }, { number: 'Q10' }, beyond);
  assert.equal(site.requests.length, asked);
});

test('a number that was merged into another one means the same person, also where that one is removed', async () => {
  const people = [...PEOPLE, { number: 'Q70', mergedInto: 'Q1' }, { number: 'Q20', mergedInto: 'Q2' }];
  const { site, directory } = await opened({ people });
  assert.deepEqual(await ask(directory, { number: 'Q70' }, { number: 'Q1' }, { number: 'Q20' }), ['Q1', 'Q2']);
  const asked = site.requests.length;
  assert.deepEqual(await ask(directory, { number: 'Q70' }), ['Q1']);
  assert.equal(site.requests.length, asked);
  await directory.remove('Q1');
  assert.equal(await directory.remove('Q20'), true);
  assert.deepEqual(await ask(directory, { number: 'Q70' }, { number: 'Q20' }, { number: 'Q2' }, { name: 'Robert Day' }), []);
});

test('somebody without an English name has the name of another language', async () => {
  const people = [
    { number: 'Q1', names: ['Анна Ли'], language: 'ru', portrait: portrait('0') },
    { number: 'Q2', names: ['Anaïs'], language: 'br', portrait: portrait('1') },
  ];
  const { directory } = await opened({ people });
  const { people: found } = await directory.people([{ name: 'Анна Ли' }, { number: 'Q2' }], 20_000);
  assert.deepEqual(found.map(({ name }) => name), ['Анна Ли', 'Q2']);
});

test('an older record serves while Wikimedia cannot be asked, and no longer than is told', async () => {
  let now = DAY_MS;
  const { site, directory, clock } = await opened({ now: () => now });
  await directory.addToGallery(['Q1']);
  await ask(directory, { number: 'Q1' });
  for (const [day, expected] of [[100, ['Q1']], [122, []]]) {
    now = day * DAY_MS;
    site.faults.push({ status: 403 });
    const { unready, ...found } = await directory.people([{ number: 'Q1' }], 20_000);
    assert.deepEqual([numbersOf(found), unready.length], [expected, 1 - expected.length]);
    assert.equal(directory.gallery().length, expected.length);
    clock.pass(30_000);
  }
});

test('the gallery is kept up, and what is too old is deleted', async () => {
  let now = DAY_MS;
  const { site, directory, folder } = await opened({ now: () => now });
  await directory.addToGallery(['Q1']);
  await ask(directory, { number: 'Q1' }, { number: 'Q2' }, { name: 'Cy Fox' });
  now = 100 * DAY_MS;
  const asked = site.requests.length;
  await directory.keepUp();
  assert.ok(site.requests.length > asked);
  assert.deepEqual((await readdir(join(folder, 'people'))).sort(), ['Q1.json', 'Q2.json', 'Q4.json']);
  assert.deepEqual(await readdir(join(folder, 'names')), []);
  now = 125 * DAY_MS;
  for (const file of await readdir(join(folder, 'portraits'))) await utimes(join(folder, 'portraits', file), 0, 0);
  await directory.keepUp();
  assert.deepEqual(await readdir(join(folder, 'people')), ['Q1.json']);
  assert.equal((await readdir(join(folder, 'portraits'))).length, 1);
  assert.deepEqual(directory.gallery().map(({ number }) => number), ['Q1']);
});

test('a portrait that cannot be described now is described later, one that cannot be read is none', async () => {
  const failures = [new Error('the thread ended'), new UnreadablePhoto('it is broken')];
  const describe = async (bytes) => {
    const failure = failures.shift();
    if (failure) throw failure;
    return facesOf(bytes);
  };
  const { directory } = await opened({ describe });
  const first = await directory.people([{ number: 'Q1' }], 20_000);
  assert.deepEqual([numbersOf(first), first.unready], [[], [0]]);
  const second = await directory.people([{ number: 'Q1' }], 20_000);
  assert.deepEqual([numbersOf(second), second.unready], [[], []]);
  assert.deepEqual(await ask(directory, { number: 'Q2' }), ['Q2']);
});

test('portraits are described one after the other', async () => {
  let [running, most] = [0, 0];
  const describe = async (bytes) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    return facesOf(bytes);
  };
  const { directory } = await opened({ describe });
  assert.equal((await ask(directory, ...['Q1', 'Q2', 'Q3', 'Q7', 'Q9'].map((number) => ({ number })))).length, 5);
  assert.equal(most, 1);
});

test('a second portrait depicts the person alone, and is like the first', async () => {
  const others = [
    { bytes: portrait('0.1'), depicts: ['Q1', 'Q2'] }, { bytes: portrait('5'), depicts: ['Q1'] },
    // The photo in doubt itself, which would prove itself.
    { bytes: portrait('0.35'), depicts: ['Q1'] }, { bytes: portrait('0.15'), depicts: ['Q1'] },
  ];
  const { site, directory } = await opened({ people: [{ ...PEOPLE[0], others }] });
  const { people: [person] } = await directory.people([{ number: 'Q1' }], 20_000);
  await directory.addSecondPortrait(person, [Float32Array.of(0.35, 0)], 20_000);
  const { people: [again] } = await directory.people([{ number: 'Q1' }], 0);
  assert.deepEqual(again.portraits.map(({ title }) => title), ['File:Portrait of Q1.jpg', 'File:Other 3 of Q1.jpg']);
  const asked = site.requests.length;
  await directory.addSecondPortrait(again, [], 20_000);
  assert.equal(site.requests.length, asked);
});

test('whoever is removed is gone, and not fetched again', async () => {
  const { site, directory, folder } = await opened();
  await directory.addToGallery(['Q1', 'Q2']);
  await ask(directory, { number: 'Q1' }, { number: 'Q2' });
  assert.deepEqual(directory.gallery().map(({ number }) => number), ['Q1', 'Q2']);
  await directory.remove('Q1');
  assert.deepEqual(directory.gallery().map(({ number }) => number), ['Q2']);
  const { people, unready } = await directory.people([{ number: 'Q1' }, { name: 'Ann Lee' }], 20_000);
  assert.deepEqual([people, unready], [[], []]);
  const asked = site.requests.length;
  await ask(directory, { number: 'Q1' });
  assert.equal(site.requests.length, asked);
  assert.deepEqual(await readdir(join(folder, 'people')), ['Q2.json']);
  assert.equal((await readdir(join(folder, 'portraits'))).length, 1);
  const other = await opened({ folder });
  assert.deepEqual(await ask(other.directory, { number: 'Q1' }, { number: 'Q2' }), ['Q2']);
  assert.deepEqual(other.directory.gallery().map(({ number }) => number), ['Q2']);
});

test('whoever another process removes is gone at once, and not kept again', async () => {
  const { site, directory, folder } = await opened();
  await ask(directory, { number: 'Q1' }, { number: 'Q2' });
  const other = await opened({ folder });
  await other.directory.addToGallery(['Q9']);
  await directory.addToGallery(['Q2']);
  await other.directory.remove('Q1');
  assert.deepEqual(await ask(directory, { number: 'Q1' }, { number: 'Q2' }), ['Q2']);
  const { people: [person] } = await directory.people([{ number: 'Q2' }], 20_000);
  await other.directory.remove('Q2');
  await directory.addSecondPortrait(person, [], 20_000);
  assert.deepEqual(await readdir(join(folder, 'people')), []);
  assert.ok(site.requests.length > 0);
  const third = await opened({ folder });
  assert.deepEqual(await ask(third.directory, { number: 'Q9' }), ['Q9']);
  assert.deepEqual(third.directory.gallery().map(({ number }) => number), ['Q9']);
});

test('a broken record is made anew, and a broken list of those who were removed is not taken for none', async () => {
  const { directory, folder } = await opened();
  await ask(directory, { number: 'Q1' });
  await writeFile(join(folder, 'people', 'Q1.json'), '{');
  const other = await opened({ folder });
  assert.deepEqual(await ask(other.directory, { number: 'Q1' }), ['Q1']);
  await writeFile(join(folder, 'removed.json'), '[');
  await assert.rejects(opened({ folder }), SyntaxError);
});

test('a portrait that is not believed is not kept', async () => {
  const others = [{ bytes: portrait('5'), depicts: ['Q1'] }];
  const { directory, folder } = await opened({ people: [{ ...PEOPLE[0], others }] });
  const { people: [person] } = await directory.people([{ number: 'Q1' }], 20_000);
  await directory.addSecondPortrait(person, [], 20_000);
  assert.equal((await readdir(join(folder, 'portraits'))).length, 1);
});

test('a record is kept in one form', async () => {
  const { directory, folder } = await opened({ now: () => DAY_MS });
  await ask(directory, { number: 'Q2' }, { name: 'Ann Lee' });
  const record = JSON.parse(await readFile(join(folder, 'people', 'Q2.json'), 'utf8'));
  const [{ url, page, sha256, ...kept }] = record.portraits;
  assert.deepEqual({ ...record, portraits: [kept] }, {
    version: 1, model: 'm', at: DAY_MS, number: 'Q2', name: 'Bob Day', hasSecond: false,
    portraits: [{
      title: 'File:Portrait of Q2.jpg', author: 'The & photographer', license: 'CC BY 4.0',
      licenseUrl: 'https://creativecommons.org/licenses/by/4.0', box: [0, 0, 0.5, 1], description: [1, 0],
    }],
  });
  const [name] = await readdir(join(folder, 'names'));
  assert.deepEqual(JSON.parse(await readFile(join(folder, 'names', name), 'utf8')), { name: 'ann lee', at: DAY_MS, numbers: ['Q1'] });
});

test('names are compared without accents, marks and case', () => {
  assert.equal(folded('  Zoë  SALDAÑA-Perego '), 'zoe saldana perego');
  assert.equal(folded("Conan O'Brien"), folded('conan o’brien'));
});
