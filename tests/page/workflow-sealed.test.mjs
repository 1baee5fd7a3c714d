// A sealed run of a workflow that somebody drops: read, shown without a server, and what its check comes to.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { verificationWords } from '../../public/run-page/sealed-run.js';
import { engineOf } from '../../public/sealed-file.js';
import { WorkflowRun } from '../../public/workflow/run.js';
import { sealedRunOf } from '../../public/workflow/sealed-run.js';

const recorded = JSON.parse(await readFile(new URL('orders-run.json', import.meta.url), 'utf8'));
const run = `s1.${'A'.repeat(22)}`;
const order = { engine: 'workflow', dialect: 'strict', servers: ['desk'], workflow: recorded.workflow };
const sealed = (body) => JSON.stringify({ version: 2, format: 'visual-degrees sealed run', body });

test('a sealed run is told from a workflow, and one of a search from one of a workflow', () => {
  assert.equal(sealedRunOf(JSON.stringify(recorded.workflow)), null);
  assert.equal(sealedRunOf('{"name": "\\"format\\": \\"visual-degrees sealed run\\""}'), null);
  assert.equal(sealedRunOf('not JSON'), null);
  assert.match(sealedRunOf(sealed({ order: { personA: 'A' }, events: [] })).problem, /of a search/);
  assert.match(sealedRunOf(sealed({ order })).problem, /no sealed run/);
  assert.match(sealedRunOf(sealed({ order: { engine: 'workflow' }, events: [] })).problem, /nodes/);
  assert.match(sealedRunOf(sealed({ order: { engine: 'automaton' }, events: [] })).problem, /of an automaton/);
  assert.equal(engineOf({ body: { order } }), 'workflow');
  for (const odd of [{}, { body: null }, { body: { order: 7 } }]) assert.equal(engineOf(odd), '');
});

test('it is shown with its graph, its end and what it was given, and nobody is asked', async (t) => {
  t.mock.method(globalThis, 'fetch', () => assert.fail('a server was asked'));
  const shown = new WorkflowRun(() => {});
  const file = sealedRunOf(sealed({ run, order, events: recorded.completed }));
  const checked = shown.show(file, Promise.resolve({ kind: 'checked', isSame: true, says: '' }));
  assert.equal(shown.graph.nodes.length, 10);
  assert.equal(shown.state.outcome.kind, 'completed');
  assert.deepEqual(shown.state.kept, { dialect: 'strict', servers: ['desk'], status: '' });
  assert.deepEqual([shown.state.isFile, shown.state.isOwn], [true, false]);
  assert.deepEqual(shown.state.verification, { kind: 'checking' });
  await checked;
  assert.equal(shown.state.verification.kind, 'checked');
});

test('a file that is cut off says so, and a late check of an earlier file changes nothing', async () => {
  const shown = new WorkflowRun(() => {});
  const file = sealedRunOf(sealed({ run, order, events: recorded.completed.slice(0, 5) }));
  const checked = shown.show(file, Promise.resolve({ kind: 'refused', says: 'no' }));
  assert.deepEqual([shown.state.outcome.kind, shown.state.outcome.why], ['gone', 'unfinished']);
  shown.clear();
  await checked;
  assert.equal(shown.state.verification, null);
});

test('what a check comes to is said in words, first of all what is not to be believed', () => {
  const said = (value) => verificationWords(value);
  assert.match(said({ kind: 'checking' }), /being checked/);
  assert.match(said({ kind: 'checked', isSame: true, says: '', digest: 'x' }), /tells the same/);
  assert.match(said({ kind: 'checked', isSame: false, says: 'Event 7 differs.' }), /do not believe it.*Event 7 differs/);
  assert.match(said({ kind: 'refused', says: 'No question.' }), /do not believe it.*No question/);
  assert.match(said({ kind: 'unavailable', why: 'missing' }), /could not be checked here, because/);
});
