// The recogniser of one's own: installs its packages, which neither the sandbox nor the Worker needs, and starts it.
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { ensurePackagesOf } from './packages.mjs';
import { node, root } from './places.mjs';
import { launch } from './processes.mjs';
import { Stop } from './say.mjs';
import { serviceOf } from './services.mjs';

const LIMIT_MS = 30_000;

/** The folder of the recogniser. */
export const recogniserFolder = join(root, 'recogniser');

/** Installs the packages of the recogniser, with the weights of its networks, unless they are installed. */
export const ensureRecogniser = () =>
  ensurePackagesOf({ folder: recogniserFolder, title: "the recogniser's packages", size: '350 MB' });

/** Starts the recogniser with these settings; resolves with the service and its address once it answers. */
export async function startRecogniser(settings) {
  const env = { ...process.env, ...settings };
  const child = launch(node, [join(recogniserFolder, 'server.mjs')], { cwd: root, env, stdout: 'pipe', stderr: 'inherit' });
  const service = serviceOf(child, 'The recogniser');
  const first = new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const line = await service.before(first, LIMIT_MS, 'has not said where it listens');
  try {
    return { ...service, origin: new URL(JSON.parse(line).listening).origin };
  } catch {
    throw new Stop(`The recogniser's first line is not what was expected: ${line.slice(0, 200)}`);
  }
}
