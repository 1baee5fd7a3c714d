// Finds a browser for the page's tests, or installs one, or says how to: it is never skipped.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { ask, must } from './processes.mjs';
import { step, Stop } from './say.mjs';

const NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];

/** The path of a Chrome or Chromium that runs. */
export async function ensureChromium(env = process.env) {
  if (env.CHROMIUM) {
    const named = await working(onPath(env.CHROMIUM, env.PATH));
    if (named) return named;
    throw new Stop(`CHROMIUM names "${env.CHROMIUM}", which is not there or does not run.`);
  }
  const found = await find(env);
  if (found) return found;
  const line = installLine(await readFile('/etc/os-release', 'utf8').catch(() => ''));
  const lack = `The browser tests need Chrome or Chromium; type this and start again:\n\n  ${line}`;
  if (process.getuid() !== 0 || !line.includes('apt-get')) throw new Stop(lack);
  await step('Chromium', "Set-up: installing Debian's chromium (about a minute)", async () => {
    const apt = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, stderr: 'inherit' };
    await must('apt-get', ['update', '-q'], lack, apt);
    await must('apt-get', ['install', '-y', '-q', 'chromium'], lack, apt);
  });
  const installed = await find(env);
  if (installed) return installed;
  throw new Stop(lack);
}

/** The path of a Chrome or Chromium that runs, or `null` where there is none; nothing is installed. */
export async function findChromium(env = process.env) {
  return env.CHROMIUM ? working(onPath(env.CHROMIUM, env.PATH)) : find(env);
}

/** The one line to type. On Ubuntu the apt package is a shell around the snap, or is not there. */
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

/** Where a program's name leads. */
export function onPath(name, path = '') {
  if (isAbsolute(name)) return existsSync(name) ? name : null;
  return path.split(delimiter).map((folder) => join(folder, name)).find(existsSync) ?? null;
}

/** A file of that name may be no more than a hint at a snap: only one that runs counts. */
async function working(path) {
  return path && (await ask(path, ['--version'])) !== null ? path : null;
}
