// What passed before is not run again with the same files, and is run again where one differs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { openPassed, unlessPassed } from '../../scripts/passed.mjs';
import { allSteps } from '../../scripts/steps.mjs';

const TITLE = 'Rust tests, all';
const OUTPUT = 'test result: ok. 7 passed; 0 failed; 0 ignored;\n';

let outer = null;
let root = null;

const put = (path, text) => writeFile(join(root, path), text);
const git = (...args) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });

beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'passed-'));
  root = join(outer, 'checkout');
  await mkdir(root);
  git('init');
  await put('.gitignore', 'target\n');
  await put('listed.rs', 'fn one() {}\n');
  git('add', '.');
});
afterEach(() => rm(outer, { recursive: true }));

/** Runs a step that counts how often it is carried out; gives the count and the last result. */
async function run({ env = process.env, output = OUTPUT, ok = true, meanwhile = () => {} } = {}) {
  let count = 0;
  const work = async () => {
    count += 1;
    await meanwhile();
    return { ok, output };
  };
  const step = unlessPassed(await openPassed(root, env), { title: TITLE, uses: ['cargo'], work });
  const told = [];
  const result = await step.work(told, () => {});
  return { count, result, told: Buffer.concat(told).toString() };
}

test('with the same files it is not run again, and says so with the count of its tests', async () => {
  assert.equal((await run()).count, 1);
  const again = await run();
  assert.equal(again.count, 0);
  assert.deepEqual(again.result, { ok: true, output: '', before: 7 });
  assert.match(again.told, /passed before with the same files: npm test -- --all runs it again/);
});

/** What differs, and how. */
const DIFFERENCES = {
  'a listed file': () => put('listed.rs', 'fn two() {}\n'),
  'a new file that git would list': () => put('new.rs', ''),
  'a file that is gone': () => rm(join(root, 'listed.rs')),
  'a name': async () => {
    await rm(join(root, 'listed.rs'));
    await put('other.rs', 'fn one() {}\n');
  },
  "a link's target": async () => {
    await symlink('nowhere', join(root, 'link'));
    await run();
    await rm(join(root, 'link'));
    await symlink('elsewhere', join(root, 'link'));
  },
  'what is beside the checkout': async () => {
    await mkdir(join(outer, 'shared', 'deep'), { recursive: true });
    await writeFile(join(outer, 'shared', 'deep', 'case.json'), '{}');
  },
};

for (const [what, change] of Object.entries(DIFFERENCES)) {
  test(`it is run again where ${what} differs`, async () => {
    await run();
    await change();
    assert.equal((await run()).count, 1);
    assert.equal((await run()).count, 0);
  });
}

test('it is run again where the compiler is told something else', async () => {
  await run();
  assert.equal((await run({ env: { ...process.env, RUSTFLAGS: '-Copt-level=3' } })).count, 1);
});

test('what git ignores decides nothing', async () => {
  await run();
  await put('target/made.txt', 'by a build');
  assert.equal((await run()).count, 0);
});

test('what has failed, and what passed while a file was edited, is run again', async () => {
  await run({ ok: false });
  assert.equal((await run({ meanwhile: () => put('listed.rs', 'fn three() {}\n') })).count, 1);
  assert.equal((await run()).count, 1);
  assert.equal((await run()).count, 0);
});

test('without git, and with a file that no one can read, everything is run', async () => {
  await run();
  await put('target/passed/Rust-tests-all.json', 'not json');
  assert.equal((await run()).count, 1);
  await rm(join(root, '.git'), { recursive: true });
  assert.equal((await run()).count, 1);
  assert.equal((await run()).count, 1);
});

test('in a folder that an outer repository ignores, everything is run', async () => {
  await rm(join(root, '.git'), { recursive: true });
  execFileSync('git', ['init'], { cwd: outer, stdio: 'ignore' });
  await writeFile(join(outer, '.gitignore'), 'checkout\n');
  await run();
  assert.equal((await run()).count, 1);
});

test('what cannot be noted has passed all the same', async () => {
  await put('target', 'a file where a folder should be');
  assert.equal((await run()).result.ok, true);
  assert.equal((await run()).count, 1);
});

test('steps that need a browser, sockets or kills are always run', async () => {
  const steps = await allSteps();
  const decided = steps.filter((step) => step.isDecidedByFiles);
  assert.deepEqual(decided.map(({ title }) => title), [
    'format', 'Rust tests', 'fuzzed readers', 'unit tests', 'clippy, native', 'clippy, Worker',
    'native and WASM agree', 'verifier and core agree',
  ]);
  // Their counts go with them: two of one name would be taken for each other.
  assert.equal(new Set(decided.map(({ title }) => title.replaceAll(/\W+/g, '-'))).size, decided.length);
});
