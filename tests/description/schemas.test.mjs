// What the project sends and takes, held against the API's description.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { root } from '../../scripts/places.mjs';
import { validatorOf } from './validator.mjs';

const readJson = async (...path) => JSON.parse(await readFile(join(root, ...path), 'utf8'));

const description = await readJson('public', 'openapi.json');
const wrongWith = validatorOf(description);
const names = Object.keys(description.components.schemas);
const runs = join('tests', 'sealed', 'runs');
const files = (await readdir(join(root, runs))).sort();
const sealedRuns = await Promise.all(files.map((name) => readJson(runs, name)));

/** A copy with the member at a path changed; `undefined` removes it. */
function changed(value, path, to) {
  const copy = structuredClone(value);
  const parent = path.slice(0, -1).reduce((inside, name) => inside[name], copy);
  if (to === undefined) delete parent[path.at(-1)];
  else parent[path.at(-1)] = to;
  return copy;
}

test('every schema is one, and each is used', () => {
  const text = JSON.stringify(description);
  for (const name of names) {
    wrongWith(name, null);
    assert.ok(text.includes(`"#/components/schemas/${name}"`), `${name} is used nowhere`);
  }
});

test('sealed files are as they are described, and may be sent back', () => {
  assert.equal(sealedRuns.length, 32);
  for (const [i, sealed] of sealedRuns.entries()) {
    assert.equal(wrongWith('Sealed', sealed), null, files[i]);
    assert.equal(wrongWith('SealedByAnybody', sealed), null, files[i]);
  }
});

test('every event of every run is of its one kind', () => {
  const kinds = {
    status: 'StatusEvent', evidence: 'EvidenceEvent', path_update: 'PathUpdateEvent',
    final: 'FinalEvent', no_path: 'NoPathEvent', error: 'ErrorEvent',
  };
  const seen = new Set();
  for (const event of sealedRuns.flatMap(({ body }) => body.events)) {
    seen.add(event.type);
    for (const [type, name] of Object.entries(kinds)) {
      assert.equal(wrongWith(name, event) === null, type === event.type, `${name}: ${event.type}`);
    }
    for (const member of ['type', 'runId', 'timestamp']) {
      assert.ok(wrongWith('Event', changed(event, [member], undefined)), `no ${member}`);
    }
  }
  assert.deepEqual([...seen].sort(), Object.keys(kinds).sort());
});

test('what is no sealed file is none by its schema', () => {
  const [sealed] = sealedRuns.filter(({ body }) => body.events.at(-1).type === 'final');
  const answer = sealed.body.journal.findIndex((entry) => entry.answer);
  for (const [path, to] of [
    [['version'], 1],
    [['format'], 'sealed run'],
    [['digest'], sealed.digest.toUpperCase()],
    [['body', 'run'], 'nonsense'],
    [['body', 'order', 'hops'], 7],
    [['body', 'order', 'personA'], ''],
    [['body', 'journal', 0], { closed: {} }],
    [['body', 'journal', 0], {}],
    [['body', 'journal', answer, 'answer', 'outcome'], { searched: [] }],
    [['body', 'journal', answer, 'answer', 'asked'], { search: {} }],
    [['body', 'decisions', 0, 'state'], 'S8'],
    [['body', 'events'], []],
    [['body', 'events', 0, 'message'], 7],
  ]) {
    assert.ok(wrongWith('Sealed', changed(sealed, path, to)), path.join('.'));
  }
});

test('documents of a run are in its record as they are described', async () => {
  const text = await readFile(join(root, 'tests', 'formats', 'documents.txt'), 'utf8');
  const lines = text.trimEnd().split('\n').map((line) => line.split(/ (.*)/s));
  const documents = Object.fromEntries(lines.map(([key, json]) => [key, JSON.parse(json)]));
  const { spent, state, ...meta } = documents.meta;
  const candidates = Object.keys(documents).filter((key) => key.startsWith('candidates:'));
  const record = {
    run: 's1.AAAAAAAAAAAAAAAAAAAAAA', meta, state, spent, edges: [], path: documents.path.path,
    graph: documents.graph.graph, candidates: candidates.map((key) => documents[key]),
    decisions: documents.decisions.decisions, queries: documents['seen:queries'].queries,
    images: documents['seen:images'].images, calls: documents.calls.calls,
  };
  assert.equal(wrongWith('Record', record), null);
  for (const [path, to] of [
    [['meta', 'endedWith'], 'nothing'],
    [['meta', 'budgets', 'llmCalls'], undefined],
    [['calls', 0, 'state'], 'paid'],
    [['candidates', 0, 'candidates'], { Xia: { count: 1 } }],
    [['queries'], 7],
  ]) {
    assert.ok(wrongWith('Record', changed(record, path, to)), path.join('.'));
  }
});

test('questions are allowed exactly where they are not refused as 400', async () => {
  // tests/description/questions.rs asks the server's reader for the same statuses.
  for (const [status, body, beyond] of await readJson('tests', 'description', 'questions.json')) {
    const wrong = wrongWith('Question', body);
    assert.equal(wrong === null, status !== 400 || beyond !== undefined, `${status} ${JSON.stringify(body)}: ${wrong}`);
  }
});

test('the schema of find_chain allows what the server takes, and nothing else', async () => {
  // tests/description/calls.rs asks the server's reader for the same.
  const { inputSchema } = await readJson('crates', 'investigation', 'tools', 'find_chain.json');
  const check = new Ajv({ strict: false }).compile(inputSchema);
  for (const [taken, args] of await readJson('tests', 'description', 'calls.json')) {
    assert.equal(check(args), taken, `${JSON.stringify(args)}: ${JSON.stringify(check.errors)}`);
  }
});

test('orders of sealed files are allowed exactly where they are read', async () => {
  // tests/description/orders.rs asks the server's reader for the same.
  const schemas = { automaton: 'SealedAutomaton', workflow: 'SealedWorkflow' };
  const files = {};
  for (const engine of Object.keys(schemas)) {
    files[engine] = await readJson('tests', 'sealed', `${engine}_runs`, 'strict.json');
    assert.equal(wrongWith(schemas[engine], files[engine]), null, engine);
  }
  for (const [engine, path, to, isRead] of await readJson('tests', 'description', 'orders.json')) {
    const wrong = wrongWith(schemas[engine], changed(files[engine], ['body', 'order', ...path], to));
    assert.equal(wrong === null, isRead, `${engine} ${path.join('.')} ${JSON.stringify(to)}: ${wrong}`);
  }
});

test('automata are allowed exactly where they may be stored', async () => {
  // tests/description/documents.rs asks the server's reader for the same statuses.
  for (const [status, document] of await readJson('tests', 'description', 'documents.json')) {
    if (status === 409) continue;
    const wrong = wrongWith('StoredAutomaton', document);
    assert.equal(wrong === null, status === 200, `${status} ${JSON.stringify(document)}: ${wrong}`);
  }
});
