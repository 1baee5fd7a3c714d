// The client of src/mcp as a program, and servers that others wrote, on real sockets.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '..', '..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const program = (name) => join(target, 'debug', 'examples', name);
export const client = program('mcp_client');
export const packages = join(folder, 'node_modules');

const EVERYTHING = '@modelcontextprotocol/server-everything/dist/index.js';
const MEMORY = '@modelcontextprotocol/server-memory/dist/index.js';

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

/** The reference server, which speaks the handshake's era; promises its address. */
export async function everything(context) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/mcp`;
  await serve(context, EVERYTHING, { args: ['streamableHttp'], env: { PORT: String(port) }, address });
  return address;
}

/** A proxy that speaks both eras, around a server that keeps what it is told; promises its address. */
export async function memory(context) {
  const [port, place] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), 'visual-degrees-'))]);
  context.after(() => rm(place, { recursive: true, force: true }));
  const address = `http://127.0.0.1:${port}/mcp`;
  const inner = ['--', process.execPath, join(packages, MEMORY)];
  const args = ['--port', String(port), '--host', '127.0.0.1', ...inner];
  const env = { MEMORY_FILE_PATH: join(place, 'memory.jsonl') };
  await serve(context, 'mcp-proxy/dist/bin/mcp-proxy.mjs', { args, env, address });
  return address;
}

/** Runs the client; gives what it prints, and its exit code. */
export const runClient = (args, env) => runProgram('mcp_client', args, { env });

/** Runs one of this folder's programs; gives what it prints, and its exit code. */
export function runProgram(name, args, { env = {}, timeoutMs = 60_000 } = {}) {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: timeoutMs };
    execFile(program(name), args, options, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr });
    });
  });
}
