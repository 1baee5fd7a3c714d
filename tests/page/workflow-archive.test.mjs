// The archive of a trace: its files, its pictures, and what is none.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Server } from '../../public/api.js';
import { filesOf, pictureIn } from '../../public/workflow/archive.js';
import { Pictures } from '../../public/workflow/pictures.js';
import { tarOf } from './tar.mjs';

const [one, other, third] = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
const folder = `a_workflow_with_quite_a_long_name/2026-11-23_10-00-00_AAAAAAAAAAAA/look`;
const files = [
  ['workflow.json', '{}'],
  [`${folder}/artifacts/${one}.png`, 'P'.repeat(700)],
  [`${folder}/artifacts/${other}.bin`, '<svg onload="x()">'],
  ['empty', ''],
  ['last', 'l'],
];
const texts = (found) => found.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]);

test('all files are found, with long names, of any length', () => {
  assert.deepEqual(texts(filesOf(tarOf(files))), files);
});

test('what is cut off or none is read as far as it goes', () => {
  const archive = tarOf(files);
  for (let end = 0; end < archive.length; end += 37) {
    const read = texts(filesOf(archive.subarray(0, end)));
    assert.deepEqual(read, files.slice(0, read.length));
  }
  assert.deepEqual(filesOf(Buffer.alloc(5_000, 'x')), []);
  assert.deepEqual(filesOf(Buffer.alloc(5_000, 255)), []);
});

test('a picture is one by its digest, and only of a kind that a browser shows', () => {
  const read = filesOf(tarOf(files));
  const { type, bytes } = pictureIn(read, one);
  assert.deepEqual([type, bytes.length], ['image/png', 700]);
  assert.deepEqual([pictureIn(read, other), pictureIn(read, third), pictureIn(read, '')], [null, null, null]);
});

test('the archive is fetched when a picture is wanted, and again only for a newer one', async (t) => {
  let asked = 0;
  let status = 500;
  t.mock.method(globalThis, 'fetch', async () => {
    asked += 1;
    return new Response(tarOf(files), { status });
  });
  const pictures = new Pictures(new Server('https://vd.example/workflow'));
  await assert.rejects(pictures.fetch('r1', one), /status 500/);
  status = 200;
  assert.equal(pictures.here('r1', one), '');
  const address = await pictures.fetch('r1', one);
  assert.match(address, /^blob:/);
  assert.equal(pictures.here('r1', one), address);
  assert.equal(await pictures.fetch('r1', one), address);
  assert.equal(asked, 2);
  assert.equal(await pictures.fetch('r1', third), '');
  assert.equal(asked, 3, 'it may have come since');
  assert.equal(pictures.here('r2', one), '', 'of another run it says nothing');
});

test('an archive of any length is not taken', async (t) => {
  let given = 0;
  const piece = new Uint8Array(1024 * 1024);
  const endless = new ReadableStream({
    pull(stream) {
      given += 1;
      stream.enqueue(piece);
    },
  });
  t.mock.method(globalThis, 'fetch', async () => new Response(endless));
  await assert.rejects(new Server('https://vd.example/workflow').trace('r1'), /more than 64 MiB/);
  assert.ok(given < 70, `${given} pieces were taken`);
});
