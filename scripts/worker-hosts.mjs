// Starts hosts for tests that start Workers of their own. A host is a program with wrangler loaded (worker-host.mjs).
import { join } from 'node:path';
import { node, root } from './places.mjs';
import { launch } from './processes.mjs';
import { serviceOf, wranglerEnvironment } from './services.mjs';

const PROGRAM = join(root, 'scripts', 'worker-host.mjs');
const LOAD_LIMIT_MS = 60_000;

/** Starts a host that listens at this socket, and ends with this process. */
export async function startHost({ socket, output }) {
  const env = wranglerEnvironment(process.env);
  const options = { cwd: root, env, stdout: output, stderr: output, hasMessages: true };
  const child = launch(node, ['--no-warnings', PROGRAM, socket], options);
  const service = serviceOf(child, 'The host of Workers');
  const listening = new Promise((resolve) => child.once('message', resolve));
  await service.before(listening, LOAD_LIMIT_MS, 'does not listen');
  // The host does not keep this process from ending.
  child.unref();
  child.channel?.unref();
  return service;
}
