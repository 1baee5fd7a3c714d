// The real service with its real networks, on photos that packages ship. Who is meant is told by a stand-in for Wikimedia.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Describer } from '../../recogniser/faces/describer.mjs';
import { Busy } from '../../recogniser/faces/failures.mjs';
import { recogniserFolder } from '../../scripts/recogniser.mjs';
import { serve } from '../../recogniser/server.mjs';
import { attFace, attPhoto, montage, president } from './labelled-faces.mjs';
import { standIn } from './wikimedia-stand-in.mjs';

const sharp = createRequire(join(recogniserFolder, 'server.mjs'))('sharp');
const OBAMA = { number: 'Q76' };
const BIDEN = { number: 'Q6279' };
/** How many people of the AT&T database have a portrait; the others are strangers. */
const WITH_PORTRAIT = 20;
const attNumber = (person) => `Q${1_000 + person}`;

let site;
let service;
let folder;

before(async () => {
  const att = Array.from({ length: WITH_PORTRAIT }, (_, place) => place + 1);
  site = await standIn([
    { number: 'Q76', names: ['Barack Obama'], title: 'Barack Obama', portrait: await president('obama') },
    { number: 'Q6279', names: ['Joe Biden'], title: 'Joe Biden', portrait: await president('biden') },
    ...(await Promise.all(att.map(async (person) =>
      ({ number: attNumber(person), names: [`Sitter ${person}`], portrait: await attPhoto(person, 1, 150) })))),
  ]);
  folder = await mkdtemp(join(tmpdir(), 'recogniser-'));
  service = await serve({
    host: '127.0.0.1', port: 0, token: 'secret', folder, contact: 'a@b.example', wikidata: site.origin,
    commons: site.origin,
  });
});

after(async () => {
  await service?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

async function post(body, headers = { authorization: 'Bearer secret' }) {
  const response = await fetch(`${service.origin}/recognise`, { method: 'POST', headers, body });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Returns the answer for a photo once all candidates are fetched, which may take longer than a photo waits. */
async function recognised(photo, candidates) {
  const question = JSON.stringify({ photo: photo.toString('base64'), candidates });
  for (let attempt = 1; ; attempt += 1) {
    const { status, body } = await post(question);
    if (status === 200 && body.unready === 0) return body;
    assert.ok(attempt < 40 && (status === 200 || body.error.code === 'unready'), JSON.stringify(body));
  }
}

const named = ({ faces }) => faces.map(({ match }) => match?.number ?? null);
const sureOf = ({ faces }) => faces.flatMap(({ match }) => (match && match.confidence >= 80 ? match.number : []));

test('the same person is recognised, and another one is not', async () => {
  for (const name of ['obama2', 'obama3', 'obama_partial_face', 'obama_partial_face2']) {
    const answer = await recognised(await president(name), [BIDEN, { name: 'Barack Obama' }]);
    assert.deepEqual(sureOf(answer), ['Q76'], name);
    assert.equal(answer.compared, 2);
    assert.equal(answer.unready, 0);
  }
  assert.deepEqual(named(await recognised(await president('obama2'), [BIDEN])), [null]);
  assert.deepEqual(named(await recognised(await president('obama2'), [])), [null]);
});

test('a match tells the person, the portrait and the model', async () => {
  const answer = await recognised(await president('obama3'), [OBAMA]);
  const { faces: [{ box, match: { confidence, portrait, ...match } }], ...other } = answer;
  assert.deepEqual(other, { model: 'face-api 1.7.15, descriptions 1', compared: 1, unready: 0 });
  assert.deepEqual(match, { number: 'Q76', name: 'Barack Obama' });
  assert.ok(confidence >= 90 && confidence <= 100);
  assert.equal(portrait.license, 'CC BY 4.0');
  assert.match(portrait.page, /^http:.*File:Portrait of Q76\.jpg$/);
  assert.ok(box.left > 0 && box.top > 0 && box.left + box.width < 1 && box.top + box.height < 1);
});

test('a small, a turned and a dark face are recognised', async () => {
  const photo = await president('obama2');
  const small = await sharp(photo).resize({ height: 300 }).toBuffer();
  const turned = await sharp(photo).rotate(20, { background: '#888888' }).jpeg().toBuffer();
  const dark = await sharp(photo).modulate({ brightness: 0.35 }).toBuffer();
  const onItsSide = await sharp(photo).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
  for (const [name, bytes] of Object.entries({ small, turned, dark, onItsSide })) {
    assert.deepEqual(sureOf(await recognised(bytes, [OBAMA, BIDEN])), ['Q76'], name);
  }
});

test('a photo without a face, and a face that is too small, show nobody', async () => {
  assert.deepEqual(named(await recognised(await montage({ width: 640, height: 480 }, []), [OBAMA])), []);
  const tiny = await sharp(await president('obama2')).resize({ height: 120 }).toBuffer();
  assert.deepEqual(sureOf(await recognised(tiny, [OBAMA])), []);
});

test('of twenty faces, those who have a portrait are told, each in the own place', async () => {
  const people = Array.from({ length: 20 }, (_, place) => WITH_PORTRAIT - 9 + place);
  const pictures = await Promise.all(people.map(async (person, place) => ({
    bytes: await attFace(person, 5, 110), left: 60 + (place % 5) * 230, top: 40 + Math.floor(place / 5) * 190,
  })));
  const photo = await montage({ width: 1_240, height: 800 }, pictures);
  const candidates = Array.from({ length: WITH_PORTRAIT }, (_, place) => ({ number: attNumber(place + 1) }));
  const answer = await recognised(photo, candidates);
  assert.ok(answer.faces.length >= 18, `${answer.faces.length} faces`);
  let right = 0;
  for (const { box, match } of answer.faces) {
    if (!match || match.confidence < 80) continue;
    const column = Math.round((1_240 * (box.left + box.width / 2) - 115) / 230);
    const row = Math.round((800 * (box.top + box.height / 2) - 107) / 190);
    assert.equal(match.number, attNumber(people[5 * row + column]));
    right += 1;
  }
  assert.ok(right >= 7, `${right} of the 10 with a portrait`);
});

test('strangers are nobody, and nothing is kept of them', async () => {
  const candidates = Array.from({ length: WITH_PORTRAIT }, (_, place) => ({ number: attNumber(place + 1) }));
  for (let person = WITH_PORTRAIT + 1; person <= 40; person += 1) {
    assert.deepEqual(sureOf(await recognised(await attPhoto(person, 3, 120), candidates)), [], `person ${person}`);
  }
  const kept = await readdir(join(folder, 'people'));
  assert.ok(kept.every((file) => /^Q(76|6279|10[0-2]\d)\.json$/.test(file)), `${kept}`);
});

test('what is wrong with a request is told', async () => {
  const photo = (await attPhoto(1, 1, 60)).toString('base64');
  const asked = (body) => JSON.stringify({ photo, ...body });
  const secret = { authorization: 'Bearer secret' };
  for (const [body, status, code, headers = secret] of [
    ['{', 400, 'bad_request'],
    [asked({ photo: '' }), 400, 'bad_request'],
    [asked({ photo: 'a b' }), 400, 'bad_request'],
    [asked({ candidates: {} }), 400, 'bad_request'],
    [asked({ candidates: [{}] }), 400, 'bad_request'],
    [asked({ candidates: [{ number: 'P18' }] }), 400, 'bad_request'],
    [asked({ candidates: [{ name: 'x'.repeat(101) }] }), 400, 'bad_request'],
    [asked({ candidates: Array(201).fill(OBAMA) }), 400, 'bad_request'],
    [asked({ photo: Buffer.alloc(5_242_881).toString('base64') }), 413, 'too_large'],
    [asked({ photo: Buffer.from('no photo').toString('base64') }), 422, 'unreadable_photo'],
    [asked({}), 401, 'unauthorized', {}],
    [asked({}), 401, 'unauthorized', { authorization: 'Bearer other' }],
  ]) {
    const answer = await post(body, headers);
    assert.deepEqual([answer.status, answer.body.error?.code], [status, code], body.slice(0, 100));
    assert.ok(answer.body.error.message.length > 10);
  }
  const statusOf = async (path, method) => (await fetch(`${service.origin}${path}`, { method })).status;
  assert.equal(await statusOf('/recognise', 'GET'), 405);
  assert.equal(await statusOf('/other', 'GET'), 404);
});

test('more photos than may wait are refused, with when to come again', async () => {
  const photo = JSON.stringify({ photo: (await attPhoto(1, 1, 60)).toString('base64'), candidates: [] });
  const answers = await Promise.all(Array.from({ length: 24 }, () => post(photo)));
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0 && refused.length < 24, `${refused.length}`);
  assert.ok(refused.every(({ headers, body }) => headers.get('retry-after') === '2' && body.error.code === 'busy'));
  assert.ok(answers.every(({ status }) => status === 200 || status === 429));
});

test('a photo that nobody waits for any more makes room for others', async () => {
  const describer = new Describer();
  const photo = await attPhoto(1, 1, 60);
  const gone = new AbortController();
  const dropped = Array.from({ length: 8 }, () => describer.describe(photo, gone.signal));
  assert.throws(() => describer.describe(photo), /8 photos are waiting/);
  gone.abort();
  const settled = await Promise.allSettled(dropped);
  assert.ok(settled.every(({ reason }) => reason instanceof Busy));
  assert.equal((await describer.describe(photo)).length, 1);
  await Promise.all([describer.close(), describer.close()]);
  assert.throws(() => describer.describe(photo), /the recogniser ends/);
});

test('its health tells what it is and has', async () => {
  const { people, ...health } = await (await fetch(`${service.origin}/health`)).json();
  assert.deepEqual(health, { status: 'ok', model: 'face-api 1.7.15, descriptions 1', photosAtOnce: 1, gallery: 0, wikimedia: 'ok' });
  assert.ok(people >= 2);
});
