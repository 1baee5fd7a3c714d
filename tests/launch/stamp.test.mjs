// When the Worker is built again, and when not.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { inputsHash, pageHash } from '../../scripts/stamp.mjs';

async function put(root, path, text) {
  await mkdir(join(root, dirname(path)), { recursive: true });
  await writeFile(join(root, path), text);
}

async function withCheckout(work) {
  const root = await mkdtemp(join(tmpdir(), 'stamp-'));
  try {
    await put(root, 'Cargo.toml', '[package]');
    await put(root, 'src/lib.rs', 'mod a;');
    await put(root, 'src/a/mod.rs', '');
    await put(root, 'crates/b/src/lib.rs', '');
    await put(root, 'devtools/src/lib.rs', '');
    await work(root);
  } finally {
    await rm(root, { recursive: true });
  }
}

const CHANGES = [
  ['a module of the Worker', 'src/a/mod.rs', true],
  ['a crate of the Worker', 'crates/b/src/lib.rs', true],
  ['the settings of its compiler', 'scripts/wasm.mjs', true],
  ['the settings of cargo', '.cargo/config.toml', true],
  ['a new file deep down', 'src/a/b/c.rs', true],
  ['a text that a module includes', 'src/a/openapi.json', true],
  ['Cargo.toml', 'Cargo.toml', true],
  ['Cargo.lock', 'Cargo.lock', true],
  ['the tools', 'devtools/src/lib.rs', false],
  ['a test', 'tests/main.rs', false],
  ['these scripts', 'scripts/start.mjs', false],
  ['the page', 'public/index.html', false],
];
for (const [title, path, builds] of CHANGES) {
  test(`a change of ${title} ${builds ? 'builds again' : 'builds nothing'}`, () =>
    withCheckout(async (root) => {
      const before = await inputsHash(root, ['tool 1']);
      assert.equal(await inputsHash(root, ['tool 1']), before);
      await put(root, path, 'changed');
      assert.equal((await inputsHash(root, ['tool 1'])) !== before, builds);
    }));
}

test('the page is made again when a file of it changes, and when nothing else does', () =>
  withCheckout(async (root) => {
    await put(root, 'public/elements/a.js', '1');
    const before = await pageHash(root, ['packages']);
    await put(root, 'src/a/mod.rs', 'changed');
    assert.equal(await pageHash(root, ['packages']), before);
    for (const [path, text] of [['public/elements/a.js', '2'], ['public/new.svg', ''], ['scripts/page.mjs', 'x']]) {
      const then = await pageHash(root, ['packages']);
      await put(root, path, text);
      assert.notEqual(await pageHash(root, ['packages']), then, path);
    }
    assert.notEqual(await pageHash(root, ['packages']), await pageHash(root, ['others']));
  }));

test('another tool, another name or another cut between two files builds again', () =>
  withCheckout(async (root) => {
    const before = await inputsHash(root, ['tool 1']);
    assert.notEqual(await inputsHash(root, ['tool 2']), before);
    await put(root, 'src/a/x.rs', 'ab');
    await put(root, 'src/a/y.rs', '');
    const whole = await inputsHash(root, []);
    await put(root, 'src/a/x.rs', 'a');
    await put(root, 'src/a/y.rs', 'b');
    assert.notEqual(await inputsHash(root, []), whole);
  }));
