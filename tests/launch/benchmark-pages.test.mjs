// The pages of benchmarks: fetched whole, known by their digest, or not at all.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { MINIWOB, portOf, TODOMVC } from '../../scripts/benchmark-pages.mjs';
import { ensureFiles } from '../../scripts/third-party.mjs';

let folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pages-'));
  process.env.VISUAL_DEGREES_CACHE = folder;
});

after(() => rm(folder, { recursive: true }));

/** A source whose file is a text, which unpacks to one page. */
async function source(name, changes = {}) {
  const text = `the pages of ${name}`;
  const wanted = { fetches: 0 };
  return {
    name,
    version: '1',
    file: 'pages.txt',
    sha256: createHash('sha256').update(text).digest('hex'),
    inside: 'html',
    async fetch(into) {
      wanted.fetches += 1;
      await writeFile(join(into, 'pages.txt'), text);
    },
    async unpack(file, into) {
      await mkdir(join(into, 'html'));
      await cp(file, join(into, 'html', 'index.html'));
    },
    wanted,
    ...changes,
  };
}

test('pages are fetched once, by whoever comes first', async () => {
  const good = await source('good');
  const [one, other] = await Promise.all([ensureFiles(good), ensureFiles(good)]);
  assert.equal(one, other);
  assert.equal(await readFile(join(one, 'index.html'), 'utf8'), 'the pages of good');
  assert.equal(good.wanted.fetches, 1);
  assert.deepEqual(await readdir(join(folder, 'tools')), ['good-1'], 'no part is left');
});

test('another file than the known one, none, or one without pages is refused and not kept', async () => {
  for (const [changes, says] of [
    [{ sha256: '0'.repeat(64) }, /another file than the one that is known/],
    [{ async fetch() {} }, /did not come/],
    [{ async unpack() {} }, /has no folder html/],
  ]) {
    const bad = await source('bad', changes);
    await assert.rejects(ensureFiles(bad), says);
  }
  const kept = await readdir(join(folder, 'tools')).catch(() => []);
  assert.deepEqual(kept.filter((name) => name.startsWith('bad')), []);
});

test('what was left half is made anew', async () => {
  const half = await source('half');
  await mkdir(join(folder, 'tools', 'half-1', 'other'), { recursive: true });
  const pages = await ensureFiles(half);
  assert.deepEqual(await readdir(join(pages, '..')), ['html']);
});

test('both sources are known by a whole digest, and the port is a number', () => {
  for (const { sha256, file, version } of [MINIWOB, TODOMVC]) {
    assert.match(sha256, /^[0-9a-f]{64}$/);
    assert.ok(file.includes(version));
  }
  assert.equal(portOf([]), 0);
  assert.equal(portOf(['--port', '8080']), 8080);
  for (const args of [['--port'], ['--port', 'x'], ['--port', '70000'], ['8080'], ['--port', '1', '2']]) {
    assert.throws(() => portOf(args), /--port NUMBER/);
  }
});
