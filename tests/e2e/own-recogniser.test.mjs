// The whole way without a key: the real recogniser with its networks, the Worker and the page, beside a stand-in for
// Wikimedia that serves photos and portraits of two presidents.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { attPhoto, blended, president } from '../recogniser/labelled-faces.mjs';
import { standIn } from '../recogniser/wikimedia-stand-in.mjs';
import { ensureRecogniser, startRecogniser } from '../../scripts/recogniser.mjs';
import { ask, launch, on, outcome } from './page.mjs';
import { asCreator, eventsOf, ownWorker, read, request, startRun } from './support.mjs';

const MODEL = 'face-api 1.7.15, descriptions 1';
const TOKEN = 'a-token-of-the-recogniser';
const OBAMA = { number: 'Q76', names: ['Barack Obama'], title: 'Barack Obama' };
const BIDEN = { number: 'Q6279', names: ['Joe Biden'], title: 'Joe Biden' };
const SITTER = { number: 'Q1001', names: ['Samuel Sitter'], title: 'Samuel Sitter' };
const STRANGER = 7;

let site;
let recogniser;
let worker;
let folder;

before(async () => {
  await ensureRecogniser();
  const [obama, obama2, obama3, biden] =
    await Promise.all(['obama', 'obama2', 'obama3', 'biden'].map((name) => president(name)));
  const [sitter, sitterAgain, stranger] =
    await Promise.all([attPhoto(1, 1, 150), attPhoto(1, 5, 220), attPhoto(STRANGER, 1, 220)]);
  site = await standIn(
    [{ ...OBAMA, portrait: obama }, { ...BIDEN, portrait: biden }, { ...SITTER, portrait: sitter }],
    [
      {
        title: 'File:Two at a table.jpg', bytes: await blended([obama2, sitterAgain]), depicts: [],
        caption: 'Barack Obama and Samuel Sitter at a table',
      },
      // The caption names somebody who is not in the photo.
      {
        title: 'File:Not both.jpg', bytes: await blended([obama3, stranger]), depicts: [],
        caption: 'Barack Obama with Joe Biden',
      },
      {
        title: 'File:Two at a window.jpg', bytes: await blended([biden, sitterAgain]), depicts: [],
        caption: 'Joe Biden and Samuel Sitter at a window',
      },
    ],
  );
  folder = await mkdtemp(join(tmpdir(), 'own-recogniser-'));
  const wikimedia = { WIKIDATA_BASE: site.origin, COMMONS_BASE: site.origin, CONTACT: 'a@b.example' };
  recogniser = await startRecogniser({
    ...wikimedia, HOST: '127.0.0.1', PORT: '0', REFERENCES_FOLDER: folder, REFERENCES_TOKEN: TOKEN,
  });
  const settings = {
    ...wikimedia, PEOPLE: 'wikidata', IMAGE_SEARCH: 'commons', PLANNER: 'none', RECOGNISER: 'references',
    REFERENCES_BASE: recogniser.origin, REFERENCES_TOKEN: TOKEN, RECOGNITIONS_PER_SECOND: '10',
    IMAGE_ORIGIN_ALLOWED: site.origin, PUBLIC: '1',
  };
  worker = await ownWorker({ settings });
});

after(async () => {
  await Promise.all([worker?.stop(), recogniser?.stop(), site?.close()]);
  await rm(folder, { recursive: true, force: true });
});

test('two are connected by faces, whatever captions say', async () => {
  const run = await startRun(worker.base, { a: 'Barack Obama', b: 'Joe Biden' });
  const { events } = await read(eventsOf(worker.base, run));
  const { data } = events.at(-1);
  assert.equal(data.type, 'final', JSON.stringify(data));
  assert.deepEqual(data.path.map(({ name }) => name ?? null), ['Barack Obama', 'Samuel Sitter', 'Joe Biden']);
  assert.equal(data.spent.usd, 0);
  const proofs = events.filter(({ type }) => type === 'evidence').map(({ data: { edge } }) => edge);
  assert.ok(!JSON.stringify(proofs).includes('Not%20both'), 'the photo with a stranger proves nothing');
  for (const { evidence: [photo] } of proofs) {
    assert.deepEqual(photo.recognisedBy, { recogniser: 'references', model: MODEL });
    for (const { id, portrait } of photo.faces) {
      assert.equal(portrait.imageUrl, `${site.origin}/files/${encodeURIComponent(`File:Portrait of ${id}.jpg`)}`);
      const bytes = await (await fetch(portrait.imageUrl, { headers: { 'user-agent': 'Test/1 (a@b.example)' } })).arrayBuffer();
      assert.equal(createHash('sha256').update(Buffer.from(bytes)).digest('hex'), portrait.sha256);
      assert.equal(portrait.license, 'CC BY 4.0');
    }
  }
  assert.ok(data.certificate.proven.every(({ message }) => message.includes(`recognised by references (${MODEL})`)));
  await request(`${worker.base}/runs/${run}`, { method: 'DELETE', headers: asCreator(run) });
});

test('the page shows each face beside the portrait that it was compared with', async () => {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`${worker.base}/`);
    await ask(page, { a: 'Barack Obama', b: 'Joe Biden' });
    await outcome(page, 'final').waitFor();
    const cards = page.locator('vd-evidence .path').locator(on(page, 'evidence-card'));
    assert.equal(await cards.count(), 2);
    for (const card of await cards.all()) {
      const pairs = card.locator('[data-testid="comparison"] li');
      assert.equal(await pairs.count(), 2);
      for (const pair of await pairs.all()) {
        await pair.scrollIntoViewIfNeeded();
        await pair.locator('> vd-portrait img.ready').waitFor();
        const image = pair.locator('.compared img.ready');
        await image.waitFor();
        assert.match(await image.getAttribute('src'), /\/files\/File%3APortrait%20of%20Q/);
      }
      const by = await card.locator('[data-testid="recogniser"]').textContent();
      assert.equal(by, `Recognised by comparing portraits (${MODEL}).`);
    }
  } finally {
    await browser.close();
  }
});

test('the doctor asks the recogniser', async () => {
  const health = await (await fetch(`${worker.base}/health`)).json();
  assert.deepEqual([health.status, health.recogniser ?? health.providers?.recogniser], ['ok', ['references']]);
});
