import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { isContact } from '../../recogniser/settings.mjs';
import { askContact, checkReached, realSettings } from '../../scripts/real.mjs';

/** A terminal at which these lines are typed. */
function terminal(...lines) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  output.on('data', (piece) => {
    if (/address: $/.test(piece) && lines.length > 0) input.write(`${lines.shift()}\n`);
  });
  return { input, output };
}

async function inFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'real-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the own recogniser answers unless Amazon has keys or something else is said', () => {
  assert.deepEqual(realSettings({}), { PEOPLE: 'wikidata', RECOGNISER: 'references' });
  assert.equal(realSettings({ AWS_ACCESS_KEY_ID: 'k' }).RECOGNISER, 'rekognition,references');
  assert.equal(realSettings({ AWS_ACCESS_KEY_ID: 'k', RECOGNISER: 'references' }).RECOGNISER, 'references');
  assert.equal(realSettings({ PEOPLE: 'none' }).PEOPLE, 'none');
});

test('the contact is asked for once, and kept', async () => {
  await inFolder(async (folder) => {
    const file = join(folder, '.dev.vars');
    const asked = await askContact({}, { ...terminal('me', 'me@example.org'), folder });
    assert.deepEqual(asked, { CONTACT: 'me@example.org' });
    assert.equal(await readFile(file, 'utf8'), 'CONTACT=me@example.org\n');
    await writeFile(file, 'PUBLIC=1');
    await askContact({}, { ...terminal('https://example.org/me'), folder });
    assert.equal(await readFile(file, 'utf8'), 'PUBLIC=1\nCONTACT=https://example.org/me\n');
    await assert.rejects(askContact({}, { ...terminal('a', 'b (c)@d.e', ''), folder }), /Set CONTACT/);
  });
});

test('nobody is asked who has said it, or without a terminal', async () => {
  assert.deepEqual(await askContact({ CONTACT: 'a@b.example' }, terminal('x')), {});
  assert.deepEqual(await askContact({}, { input: new PassThrough(), output: new PassThrough() }), {});
});

test('without internet, the sandbox is named', async () => {
  const server = createServer((_, response) => response.writeHead(server.status).end('{}'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site = `http://127.0.0.1:${server.address().port}`;
  try {
    server.status = 200;
    await checkReached({ COMMONS_BASE: site, WIKIDATA_BASE: site }, 'a@b.example');
    server.status = 503;
    const unwell = checkReached({ COMMONS_BASE: site, WIKIDATA_BASE: site }, 'a@b.example');
    await assert.rejects(unwell, /cannot be reached \(status 503\)\. Without internet, `npm start` shows a drawn world\./);
  } finally {
    server.close();
  }
  const nowhere = { COMMONS_BASE: site, WIKIDATA_BASE: site };
  await assert.rejects(checkReached(nowhere, 'a@b.example'), /cannot be reached .*drawn world/);
});

test('a contact is an address in ASCII whose host has a dot, or a user of Wikimedia', () => {
  for (const right of ['a@b.example', 'https://example.org/me', 'User:Somebody', 'me@host.local']) assert.ok(isContact(right), right);
  for (const wrong of ['', 'me', 'a@b', 'User:', 'b (c)@d.e', 'müller@exämple.de', `${'x'.repeat(200)}.y`]) {
    assert.ok(!isContact(wrong), wrong);
  }
});
