// The client of src/mcp as a program, and servers that others wrote, on real sockets.
import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '..', '..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
export const client = join(target, 'debug', 'examples', 'mcp_client');
export const packages = join(folder, 'node_modules');

/** A port on which nobody listens. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts a server; ends it when the test is over. Waits until it answers anything at all. */
export async function serve(context, script, { args = [], env = {}, address }) {
  const child = spawn(process.execPath, [join(packages, script), ...args], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  context.after(() => child.kill('SIGKILL'));
  for (let tries = 0; tries < 200; tries += 1) {
    const isThere = await fetch(address, { method: 'OPTIONS' }).then(() => true, () => false);
    if (isThere) return;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${script} does not start`);
}

/** Runs the client; gives what it prints, and its exit code. */
export function runClient(args, env = {}) {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: 60_000 };
    execFile(client, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr });
    });
  });
}
