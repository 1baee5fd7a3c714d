// Installs npm packages exactly as in a package-lock.json, and again only when that file changes.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { withLock } from './lock.mjs';
import { checkoutLock, node, root } from './places.mjs';
import { ask, must } from './processes.mjs';
import { noteMade, step, Stop } from './say.mjs';

/** The name of the project's packages in progress messages. */
export const PACKAGES = 'the npm packages';

const project = { folder: root, title: PACKAGES, size: '530 MB' };

/** Installs the project's packages unless they are installed from the current package-lock.json. */
export async function ensurePackages() {
  if (await arePackagesInstalled()) return;
  await ensurePackagesOf(project);
  if ((await ask(node, ['--version'])) === null) throw new Stop(`${node} does not run here.`);
}

/** Whether the project's packages are installed from the current package-lock.json. */
export async function arePackagesInstalled() {
  return (await areInstalled(root)) && existsSync(node);
}

/**
 * Installs the packages of a folder with a package-lock.json of its own, unless they are. `title` names them in progress
 * messages, and `size` tells how large they are.
 */
export async function ensurePackagesOf({ folder, title, size }) {
  if (await areInstalled(folder)) return;
  await withLock(checkoutLock(folder === root ? 'npm' : `npm-${basename(folder)}`), title, async () => {
    if (!(await areInstalled(folder))) await install({ folder, title, size });
    noteMade(title);
  });
}

async function areInstalled(folder) {
  const [want, have] = await Promise.all([lockHash(folder), readFile(stampOf(folder), 'utf8').catch(() => '')]);
  return have === want;
}

async function install({ folder, title, size }) {
  // Install scripts are disabled, since none is needed and third-party code should not run unasked. Only errors are
  // shown, since the packages warn that they want a newer Node than the system's; they run on the pinned one.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--loglevel=error'];
  const complaint = `${title} could not be installed; npm says above why.`;
  await step(title, `Set-up: installing ${title}, ${size} (10 to 60 seconds)`, () =>
    must('npm', args, complaint, { cwd: folder }),
  );
  await writeFile(stampOf(folder), await lockHash(folder));
}

const stampOf = (folder) => join(folder, 'node_modules', '.visual-degrees-lock');

async function lockHash(folder) {
  const lock = await readFile(join(folder, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex');
}
