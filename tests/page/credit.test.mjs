// Who made a photo, and its licence: as text and as an address, whatever the stream says.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blank, reduce } from '../../public/model.js';
import { mergeEdge, photo } from '../../public/wire.js';

const LICENSE = {
  author: 'Dorian Gray',
  license: 'CC BY-SA 4.0',
  licenseUrl: 'https://creativecommons.org/licenses/by-sa/4.0/',
};
const credit = ({ author, license, licenseUrl }) => ({ author, license, licenseUrl });
const read = (more) => credit(photo({ ref: 'ev1', ...more }));
const NONE = { author: '', license: '', licenseUrl: '' };

test('author, licence and its page are kept', () => {
  assert.deepEqual(read(LICENSE), LICENSE);
});

test('what is not known of a photo is empty', () => {
  assert.deepEqual(read({}), NONE);
  assert.deepEqual(read({ author: null, license: 7, licenseUrl: {} }), NONE);
  assert.deepEqual(read({ author: '  ', license: '\n' }), NONE);
});

test('a licence page that is no page of the web is no link', () => {
  for (const licenseUrl of ['javascript:alert(1)', 'data:text/html,x', '//host.example/x', '/x']) {
    assert.equal(read({ ...LICENSE, licenseUrl }).licenseUrl, '', licenseUrl);
  }
  assert.equal(read({ licenseUrl: 'http://host.example/l' }).licenseUrl, 'http://host.example/l');
});

test('markup in an author stays the text that it is', () => {
  const author = '<img src=x onerror=alert(1)>';
  assert.equal(read({ author }).author, author);
});

test('a photo told again without its credit keeps it', () => {
  const edge = (more) => ({ confidence: 90, photos: [photo({ ref: 'ev1', ...more })] });
  const [merged] = mergeEdge(edge(LICENSE), edge({})).photos;
  assert.deepEqual(credit(merged), LICENSE);
});

test('a kept record shows the credit, too', () => {
  const [a, b] = [{ id: 'c1', name: 'Ann' }, { id: 'c2', name: 'Bob' }];
  const evidence = [{ ref: 'ev1', imageUrl: 'https://photos.example/1.jpg', ...LICENSE }];
  const edges = [{ from: 'c1', to: 'c2', edgeConfidence: 90, evidence }];
  const record = { state: 'S6', path: [a, b], edges };
  const [edge] = Object.values(reduce(blank(), { kind: 'kept', record }).edges);
  assert.deepEqual(credit(edge.photos[0]), LICENSE);
});
