// What the doctor prints, and who Wikimedia is told is asking.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { contactOf, localAddress } from '../../scripts/contact.mjs';
import { report } from '../../scripts/doctor.mjs';
import { ownSettings } from '../../scripts/own-settings.mjs';
import { root } from '../../scripts/places.mjs';
import { freePorts, HOST } from '../../scripts/ports.mjs';
import { ended, launch } from '../../scripts/processes.mjs';
import { choices } from '../../scripts/settings.mjs';

test('all is well where every provider works', () => {
  const checks = [{ works: true, message: 'Serper works.' }];
  assert.deepEqual(report({ checks }), { lines: ['ok       Serper works.'], isWell: true });
  assert.equal(report({}).isWell, false, 'nothing was asked');
});

test('what is missing and what fails is said, a line each', () => {
  const checks = [{ works: false, message: 'Serper does not work.' }];
  const { lines, isWell } = report({ missing: ['CONTACT'], checks });
  assert.deepEqual(lines, ['MISSING  CONTACT', 'FAILS    Serper does not work.']);
  assert.equal(isWell, false);
});

test('what is wrong and only some runs need is said beside what works', () => {
  const checks = [{ works: true, message: 'Serper works.' }];
  const { lines, isWell } = report({ wrong: ['MCP_SERVERS (may name 20 servers at most)'], checks });
  assert.deepEqual(lines, [
    'WRONG    MCP_SERVERS (may name 20 servers at most): runs that need it are refused', 'ok       Serper works.',
  ]);
  assert.equal(isWell, false);
});

test('a contact that is set stays; otherwise somebody is named, and that is said', async () => {
  const said = [];
  const say = (line) => said.push(line);
  assert.deepEqual(await contactOf({ CONTACT: 'a@example.org' }, say), {});
  assert.deepEqual(said, []);
  const { CONTACT } = await contactOf({}, say);
  assert.match(CONTACT, /@/);
  assert.match(said[0], /CONTACT is not set/);
});

test('a user of a machine has an address whose host has a dot', () => {
  assert.equal(localAddress('ann', 'laptop'), 'ann@laptop.local');
  assert.equal(localAddress('ann', 'laptop.example.org'), 'ann@laptop.example.org');
});

test('beside the sandbox the environment may choose who is asked', () => {
  const env = { IMAGE_SEARCH: 'commons', PLANNER: '', HOME: '/' };
  assert.deepEqual(choices(env), { IMAGE_SEARCH: 'commons' });
});

test('with real keys whoever uses this machine may start runs, unless somebody else is named', async () => {
  const vars = { CONTACT: 'a@example.org' };
  const own = (more, env = {}) => ownSettings({ ...vars, ...more }, env, assert.fail);
  const off = await own({});
  assert.equal(off.PUBLIC, '1');
  assert.equal(off.DAILY_USD, 'none', 'no limit of strangers holds for them');
  assert.equal(Object.values(off).filter((value) => value === 'none').length, 6);
  assert.deepEqual(await own({ OPERATOR_TOKEN: '', PUBLIC: '' }), off);
  const { DAILY_USD, ...rest } = off;
  assert.deepEqual(await own({ DAILY_USD: '3' }), rest, 'but those that they set');
  assert.deepEqual(await own({ OPERATOR_TOKEN: 't' }), {});
  assert.deepEqual(await own({ PUBLIC: '0' }, { PUBLIC: '1' }), {});
  assert.deepEqual(await own({}, { OPERATOR_TOKEN: 't', HOME: '/' }), { OPERATOR_TOKEN: 't' });
});

/** What the doctor says of an address, from a checkout whose path has a space, and its exit code. */
async function saidOf(address) {
  const folder = await mkdtemp(join(tmpdir(), 'a checkout '));
  try {
    for (const part of ['scripts', 'Cargo.toml']) {
      await cp(join(root, part), join(folder, part), { recursive: true });
    }
    const program = join(folder, 'scripts/doctor.mjs');
    const doctor = launch(process.execPath, [program, address], { cwd: folder, stderr: 'pipe' });
    const said = [];
    doctor.stderr.on('data', (piece) => said.push(piece));
    const { code } = await ended(doctor, 'the doctor');
    return [code, Buffer.concat(said).toString().trim()];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('an address that cannot be reached is said in a sentence', async () => {
  const [port] = await freePorts(1);
  const address = `http://${HOST}:${port}`;
  assert.deepEqual(await saidOf(address), [1, `${address} cannot be reached (ECONNREFUSED).`]);
});

test('an address where something else answers is said, too', async () => {
  const page = createServer((_, answer) => answer.end('<p>Welcome</p>'));
  await new Promise((resolve) => page.listen(0, HOST, resolve));
  const address = `http://${HOST}:${page.address().port}`;
  try {
    const sentence = `${address} answers, but not as this Worker does.`;
    assert.deepEqual(await saidOf(address), [1, sentence]);
  } finally {
    page.close();
  }
});
