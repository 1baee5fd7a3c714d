// Which browser the page's tests take, and what is installed for them.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { ensureChromium, installLine, onPath } from '../../scripts/chromium.mjs';

const NOTHING_INSTALLED = { line: 'install one', mayInstall: false };
const INSTALLED = { line: 'install one', mayInstall: true };

let folder = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browser-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(name, text) {
  await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
  await chmod(join(folder, name), 0o755);
}

/** An `apt-get` with these packages: it installs one as a program of its name, and writes down what it is asked. */
async function putApt(packages) {
  const script = `#!${process.execPath}
const { appendFileSync, writeFileSync } = require('node:fs');
const [what] = process.argv.slice(2).filter((word) => ['update', 'install'].includes(word));
const name = process.argv.at(-1);
appendFileSync(${JSON.stringify(join(folder, 'asked'))}, what + ' ' + name + '\\n');
if (what === 'install') {
  if (!${JSON.stringify(packages)}.includes(name)) process.exit(100);
  writeFileSync(${JSON.stringify(folder)} + '/' + name, '#!/bin/sh\\necho Chromium 1\\n', { mode: 0o755 });
}
`;
  await writeFile(join(folder, 'apt-get'), script);
  await chmod(join(folder, 'apt-get'), 0o755);
}

const asked = () => readFile(join(folder, 'asked'), 'utf8');

test('the one line to type fits the system', () => {
  assert.equal(installLine('NAME="Debian"\nID=debian\n'), 'sudo apt-get install -y chromium');
  assert.equal(installLine('ID_LIKE=debian\nID=ubuntu\n'), 'sudo snap install chromium');
  assert.equal(installLine(''), 'sudo apt-get install -y chromium');
});

test('a browser is one that runs: a hint of that name at another package is not', async () => {
  await put('chromium-browser', 'echo "install the snap" >&2; exit 1');
  await put('chrome-of-mine', 'echo Chromium 1');
  const PATH = folder;
  const mine = join(folder, 'chrome-of-mine');
  assert.equal(onPath('chrome-of-mine', PATH), mine);
  assert.equal(await ensureChromium({ PATH, CHROMIUM: 'chrome-of-mine' }), mine);
  await assert.rejects(ensureChromium({ PATH, CHROMIUM: 'chromium-browser' }), /does not run/);
  await assert.rejects(ensureChromium({ PATH }, NOTHING_INSTALLED), /start again:\n\n {2}install one$/);
});

test('a headless one is taken before those with windows, which do as well', async () => {
  await put('google-chrome', 'echo Chrome 1');
  assert.equal(await ensureChromium({ PATH: folder }, NOTHING_INSTALLED), join(folder, 'google-chrome'));
  await put('chromium-headless-shell', 'echo Chromium 1');
  assert.equal(await ensureChromium({ PATH: folder }, INSTALLED), join(folder, 'chromium-headless-shell'));
});

test('where it can be, a headless one is installed, although there is one with windows', async () => {
  await put('google-chrome', 'echo Chrome 1');
  await putApt(['chromium-headless-shell', 'chromium']);
  assert.equal(await ensureChromium({ PATH: folder }, INSTALLED), join(folder, 'chromium-headless-shell'));
  assert.equal(await asked(), 'install chromium-headless-shell\n');
});

test('where it cannot be installed, the one that is there is taken, and else all of Chromium', async () => {
  await putApt(['chromium']);
  assert.equal(await ensureChromium({ PATH: folder }, INSTALLED), join(folder, 'chromium'));
  await rm(join(folder, 'asked'));
  assert.equal(await ensureChromium({ PATH: folder }, INSTALLED), join(folder, 'chromium'));
  const tried = 'install chromium-headless-shell\n';
  assert.equal(await asked(), `${tried}update update\n${tried}`);
});

test('where there is no apt-get, nothing is tried', async () => {
  await put('google-chrome', 'echo Chrome 1');
  assert.equal(await ensureChromium({ PATH: folder }, INSTALLED), join(folder, 'google-chrome'));
});

test('where nothing can be installed at all, the line to type is said', async () => {
  await putApt([]);
  await assert.rejects(ensureChromium({ PATH: folder }, INSTALLED), /type this and start again/);
});
