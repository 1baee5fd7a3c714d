// What an element of the page is told to show, and what a file says that it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { route } from '../../public/route.js';
import { readSealed, SEALED_BYTES_MAX } from '../../public/sealed-file.js';
import { subjectOf } from '../../public/subject.js';

const HOME = 'https://vd.example/elements/visual-degrees.js';
const HERE = 'https://news.example/story/';
const DIGEST = 'a'.repeat(64);
const of = (attributes) => subjectOf(attributes, { here: HERE, home: HOME });

test('a run is of the module’s own deployment, unless an address says another', () => {
  assert.deepEqual(of({ run: 's.1', src: null }), { server: HOME, run: 's.1' });
  assert.deepEqual(of({ run: null, src: 'https://other.example/runs/s.2?a=x' }), {
    server: 'https://other.example', run: 's.2',
  });
  for (const end of ['/events', '/sealed', '/']) {
    assert.equal(of({ run: null, src: `https://other.example/runs/s.2${end}` }).run, 's.2');
  }
  assert.deepEqual(of({ run: 's.3', src: 'https://other.example' }), {
    server: 'https://other.example', run: 's.3',
  });
});

test('a published chain, and a file beside the document', () => {
  const chain = `https://vd.example/chains/${DIGEST}`;
  assert.deepEqual(of({ run: null, src: chain }), { server: 'https://vd.example', file: chain, chain });
  // Whatever else stands in its address: the digest is what it is compared with.
  assert.deepEqual(of({ run: null, src: `${chain}/?from=mail#top` }), { server: 'https://vd.example', file: chain, chain });
  assert.deepEqual(of({ run: null, src: 'chain.sealed.json' }), {
    server: 'https://news.example', file: `${HERE}chain.sealed.json`, chain: '',
  });
});

test('what is no address of the web names nothing', () => {
  for (const src of ['javascript:alert(1)', 'data:text/plain,x', 'https://[', '']) {
    assert.deepEqual(of({ run: null, src }), { server: HOME, run: null });
  }
});

test('the page knows its own addresses from others', () => {
  const page = (path) => route(`https://vd.example${path}`).page;
  assert.deepEqual(
    ['/', '/index.html', '/investigate?a=x&b=y', '/runs/s.1', `/chains/${DIGEST}`].map(page),
    ['home', 'home', 'investigate', 'run', 'chain'],
  );
  const wrong = ['/chains/abc', `/chains/${DIGEST.toUpperCase()}`, '/runs', '/about'];
  assert.deepEqual(wrong.map(page), wrong.map(() => 'nowhere'));
});

test('a file says why it is no sealed run', () => {
  const sealed = { format: 'visual-degrees sealed run', body: { events: [] } };
  assert.deepEqual(readSealed(JSON.stringify(sealed)).file, sealed);
  const problem = (text) => readSealed(text).problem;
  assert.match(problem('{'), /no JSON/);
  for (const other of ['null', '[]', '7', '{}', '{"format":"x","body":{"events":[]}}']) {
    assert.match(problem(other), /no sealed run/);
  }
  assert.match(problem(JSON.stringify({ ...sealed, body: { events: 'all' } })), /no sealed run/);
  assert.match(problem(' '.repeat(SEALED_BYTES_MAX + 1)), /over 4 MiB/);
});
