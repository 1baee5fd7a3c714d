// The picture of a photo's page: read from a link of the chain, kept with its photo, and wanted by an option.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { keptOf } from '../../public/kept-run.js';
import { changed, changedSince, fields } from '../../public/options.js';
import { route } from '../../public/route.js';
import { edge, mergeEdge } from '../../public/wire.js';

const capture = { ref: 'ev2', sha256: 'ab'.repeat(32), at: '2026-11-25T10:00:00.000Z' };
const evidence = ['ev2', 'ev1'].map((ref) => ({ ref, imageUrl: `https://photos.example/${ref}.jpg` }));
const told = (more) => edge({ from: 'c1', to: 'c2', evidence, ...more });
const captures = ({ photos }) => photos.map((photo) => photo.capture?.sha256 ?? '');

test('a picture belongs to the photo that it names', () => {
  assert.deepEqual(captures(told({ capture })), [capture.sha256, '']);
  assert.deepEqual(captures(told({ capture: { ...capture, ref: 'ev1' } })), ['', capture.sha256]);
});

test('what is no picture is left out', () => {
  const wrong = [
    null, 'x', [], {}, { ...capture, sha256: '../../x' }, { ...capture, sha256: 'AB'.repeat(32) },
    { ...capture, at: 'yesterday' }, { ...capture, at: 7 }, { ...capture, ref: 'ev9' },
  ];
  for (const one of wrong) assert.deepEqual(captures(told({ capture: one })), ['', ''], JSON.stringify(one));
});

test('a link that is told again without its picture keeps it', () => {
  assert.deepEqual(captures(mergeEdge(told({ capture }), told({}))), [capture.sha256, '']);
});

test('it is wanted by a link, by the form and by a run that goes on from one', () => {
  const asked = (value) => route(`https://x.example/investigate?a=A&b=B&capture=${value}`).options;
  assert.deepEqual(asked('1'), { capture: true });
  assert.deepEqual(asked('0'), {});
  assert.deepEqual(asked('2'), { capture: '2' }); // the server refuses it, and says why
  assert.deepEqual([fields({ capture: true }).capture, fields().capture], ['1', '0']);
  assert.deepEqual(changed(fields({ capture: true })), { capture: true });
  assert.deepEqual(changedSince({ capture: true }, {}), { capture: false });
  assert.deepEqual(keptOf({ meta: { capture: true } }).options.capture, true);
  assert.equal(keptOf({ meta: {} }).options.capture, undefined);
});
