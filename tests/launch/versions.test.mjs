// Which versions are asked for, and which are good enough.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkNode, checkPlatform } from '../../scripts/checks.mjs';
import { root } from '../../scripts/places.mjs';
import {
  atLeast, lockedVersion, rustVersion, WORKER_BUILD,
} from '../../scripts/versions.mjs';

const LOCK = `version = 4

[[package]]
name = "wasm-bindgen-futures"
version = "0.4.80"
dependencies = [
 "wasm-bindgen",
]

[[package]]
name = "wasm-bindgen"
version = "0.2.130"
`;

test('a locked version is that of the very package', () => {
  assert.equal(lockedVersion(LOCK, 'wasm-bindgen'), '0.2.130');
  assert.equal(lockedVersion(LOCK, 'wasm-bindgen-futures'), '0.4.80');
  assert.equal(lockedVersion(LOCK, 'wasm'), null);
});

test('versions compare by number', () => {
  for (const [have, want] of [['1.95.0', '1.94.1'], ['1.94.1', '1.94.1'], ['20.9.0', '20.0'],
    ['2.0', '1.99.9'], ['1.96.0-nightly', '1.95.0']]) {
    assert.ok(atLeast(have, want), `${have} >= ${want}`);
  }
  for (const [have, want] of [['1.9.0', '1.10.0'], ['18.20.4', '20.0'], ['1.94.0', '1.94.1']]) {
    assert.ok(!atLeast(have, want), `${have} < ${want}`);
  }
});

test('an old Node and a foreign machine are refused in one sentence', () => {
  checkNode('20.0.0');
  checkPlatform('linux', 'x64');
  assert.throws(() => checkNode('18.20.4'), /Node 20 or later is needed to start; here is Node 18/);
  assert.throws(() => checkPlatform('darwin', 'arm64'), /here is darwin arm64/);
});

test('worker-build goes with the worker crate, and Cargo.toml names the oldest Rust', async () => {
  const [lock, manifest] = await Promise.all(
    ['Cargo.lock', 'Cargo.toml'].map((name) => readFile(join(root, name), 'utf8')),
  );
  assert.equal(lockedVersion(lock, 'worker'), WORKER_BUILD);
  assert.match(rustVersion(manifest), /^1\.\d+/);
});

test('the npm packages are pinned, and no registry is named', async () => {
  const [manifest, lock] = await Promise.all(
    ['package.json', 'package-lock.json'].map((name) => readFile(join(root, name), 'utf8')),
  );
  const { devDependencies } = JSON.parse(manifest);
  for (const [name, version] of Object.entries(devDependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
    assert.equal(JSON.parse(lock).packages[`node_modules/${name}`].version, version, name);
  }
  assert.ok(!lock.includes('"resolved"'));
});
