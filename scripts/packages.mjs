// Installs npm packages exactly as in package-lock.json, and again only when that file changes.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { checkoutLock, node, root } from './places.mjs';
import { ask, must } from './processes.mjs';
import { noteMade, step, Stop } from './say.mjs';

const stamp = join(root, 'node_modules', '.visual-degrees-lock');

/** The name of the packages in progress messages. */
export const PACKAGES = 'the npm packages';

/** Installs the packages unless they are installed from the current package-lock.json. */
export async function ensurePackages() {
  if (await arePackagesInstalled()) return;
  await withLock(checkoutLock('npm'), PACKAGES, async () => {
    if (!(await arePackagesInstalled())) await install();
    noteMade(PACKAGES);
  });
}

/** Whether the packages are installed from the current package-lock.json. */
export async function arePackagesInstalled() {
  const [want, have] = await Promise.all([lockHash(), readFile(stamp, 'utf8').catch(() => '')]);
  return have === want && existsSync(node);
}

async function install() {
  // Install scripts are disabled, since none is needed and third-party code should not run unasked. Only errors are
  // shown, since the packages warn that they want a newer Node than the system's; they run on the pinned one.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--loglevel=error'];
  const complaint = 'The npm packages could not be installed; npm says above why.';
  await step(PACKAGES, 'Set-up: installing the npm packages, 530 MB (10 to 60 seconds)', () =>
    must('npm', args, complaint, { cwd: root }),
  );
  if ((await ask(node, ['--version'])) === null) throw new Stop(`${node} does not run here.`);
  await writeFile(stamp, await lockHash());
}

async function lockHash() {
  const lock = await readFile(join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex');
}
