// Installs what src/mcp is tested against: the protocol's conformance suite, and third-party servers. `npm start` needs
// none of these, so they have a package-lock.json of their own.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { checkoutLock, root } from './places.mjs';
import { must } from './processes.mjs';
import { noteMade, step } from './say.mjs';

const PACKAGES = 'the packages of the MCP tests';
const folder = join(root, 'tests', 'mcp');
const stamp = join(folder, 'node_modules', '.visual-degrees-lock');

/** Installs these packages unless they are installed from the current package-lock.json. */
export async function ensureMcpPackages() {
  if (await areInstalled()) return;
  await withLock(checkoutLock('npm-mcp'), PACKAGES, async () => {
    if (!(await areInstalled())) await install();
    noteMade(PACKAGES);
  });
}

async function areInstalled() {
  const have = await readFile(stamp, 'utf8').catch(() => '');
  return existsSync(stamp) && have === (await lockHash());
}

async function install() {
  const args = ['ci', '--ignore-scripts', '--include=dev', '--loglevel=error'];
  const complaint = `${PACKAGES} could not be installed; npm says above why.`;
  await step(PACKAGES, `Set-up: installing ${PACKAGES}, 80 MB (10 to 60 seconds)`, () =>
    must('npm', args, complaint, { cwd: folder }),
  );
  await writeFile(stamp, await lockHash());
}

async function lockHash() {
  const lock = await readFile(join(folder, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex');
}
