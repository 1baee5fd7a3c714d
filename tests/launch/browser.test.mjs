// The browser that `npm start` starts for automata, on machines with one and without.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { aboutBrowser, browserSettings, startBrowser } from '../../scripts/browser.mjs';

const NONE = 'No Chrome or Chromium was found, so automata cannot run; CHROMIUM can name one.';
/** Says its version, or where it listens as Chromium does, and stays until it is ended. */
const PLAYED = `#!${process.execPath}
const { writeFileSync } = require('node:fs');
const [profile] = process.argv.filter((arg) => arg.startsWith('--user-data-dir='));
if (process.argv[2] === '--version') console.log('Chromium 1');
else {
  writeFileSync(profile.slice(profile.indexOf('=') + 1) + '/DevToolsActivePort', '9333\\n/devtools/browser/x');
  setInterval(() => {}, 1000);
}
`;

let folder = null;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'visual-degrees-test-'));
});
after(() => rm(folder, { recursive: true }));

test('without a Chromium the start says so, and goes on without automata', async () => {
  for (const env of [{ PATH: folder }, { PATH: folder, CHROMIUM: join(folder, 'gone') }]) {
    const browser = await startBrowser(env);
    assert.equal(browser, null);
    assert.equal(aboutBrowser(browser), NONE);
    assert.deepEqual(browserSettings(browser, 'token'), {});
  }
});

test('with a Chromium automata are offered, to the operator and those who start what is stored', async () => {
  const path = join(folder, 'chromium');
  await writeFile(path, PLAYED);
  await chmod(path, 0o755);
  for (const env of [{ PATH: folder }, { PATH: '', CHROMIUM: path }]) {
    const browser = await startBrowser(env);
    const address = 'http://127.0.0.1:9333';
    assert.equal(aboutBrowser(browser), `Automata drive a browser of this machine at ${address}.`);
    const expected = { BROWSER_CDP: address, OPERATOR_TOKEN: 'token', PUBLIC_AUTOMATA: 'stored' };
    assert.deepEqual(browserSettings(browser, 'token'), expected);
    await browser.stop();
    await assert.rejects(browser.gone, /The browser has ended by itself \(SIGTERM\)/);
  }
});
