// Finds a browser for the page's tests, or installs one, or says how to; the tests are never skipped.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { ask, run } from './processes.mjs';
import { step, Stop } from './say.mjs';

/** Chromium without windows, with which tests take half as much processor time. */
const HEADLESS = ['chrome-headless-shell', 'chromium-headless-shell'];
const NAMES = [...HEADLESS, 'google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];
/** The options with which apt soon gives up if no mirror answers, so that an installed browser is used. */
const APT_LIMITS = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20'];

/** The path of a working Chrome or Chromium, preferably a headless one, installed if possible. */
export async function ensureChromium(env = process.env, system = systemHere()) {
  if (env.CHROMIUM) {
    const named = await working(onPath(env.CHROMIUM, env.PATH));
    if (named) return named;
    throw new Stop(`CHROMIUM names "${env.CHROMIUM}", which is not there or does not run.`);
  }
  const found = await find(env);
  if (found && HEADLESS.includes(basename(found))) return found;
  const { line, mayInstall } = await system;
  if (mayInstall && onPath('apt-get', env.PATH)) await install(env, found);
  const installed = await find(env);
  if (installed) return installed;
  throw new Stop(`The browser tests need Chrome or Chromium; type this and start again:\n\n  ${line}`);
}

async function systemHere() {
  const line = installLine(await readFile('/etc/os-release', 'utf8').catch(() => ''));
  return { line, mayInstall: process.getuid() === 0 && line.includes('apt-get') };
}

/** Installs Debian's headless shell. If that fails and no other browser is found, installs all of Chromium. */
async function install(env, found) {
  await step('Chromium', "Set-up: installing Debian's chromium-headless-shell (half a minute)", async () => {
    const apt = (...args) =>
      run('apt-get', ['-q', ...APT_LIMITS, ...args], {
        env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      }).then(({ ok }) => ok, () => false);
    const shell = () => apt('install', '-y', 'chromium-headless-shell');
    if ((await shell()) || ((await apt('update')) && (await shell()))) return;
    if (!found) await apt('install', '-y', 'chromium');
  });
}

/** The path of a working Chrome or Chromium, or `null`; installs nothing. */
export async function findChromium(env = process.env) {
  return env.CHROMIUM ? working(onPath(env.CHROMIUM, env.PATH)) : find(env);
}

/**
 * The command with which the user can install a browser. On Ubuntu the apt package is absent, or only installs the
 * snap.
 */
export function installLine(osRelease) {
  const ubuntu = /^ID=["']?ubuntu/m.test(osRelease);
  return ubuntu ? 'sudo snap install chromium' : 'sudo apt-get install -y chromium';
}

async function find(env) {
  for (const name of NAMES) {
    const path = await working(onPath(name, env.PATH));
    if (path) return path;
  }
  return null;
}

/** The path of a program, found by its name in the folders of PATH. */
export function onPath(name, path = '') {
  if (isAbsolute(name)) return existsSync(name) ? name : null;
  return path.split(delimiter).map((folder) => join(folder, name)).find(existsSync) ?? null;
}

/**
 * The path of a browser if it runs, otherwise `null`. A file with its name may be a mere pointer to a snap that is not
 * installed.
 */
async function working(path) {
  return path && (await ask(path, ['--version'])) !== null ? path : null;
}
