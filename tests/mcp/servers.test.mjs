// Servers that others wrote, unmodified, on real sockets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort, packages, runClient, serve } from './support.mjs';
import { join } from 'node:path';

const EVERYTHING = '@modelcontextprotocol/server-everything/dist/index.js';
const MEMORY = '@modelcontextprotocol/server-memory/dist/index.js';

/** The reference server, which speaks the handshake's era. */
async function everything(context) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/mcp`;
  await serve(context, EVERYTHING, { args: ['streamableHttp'], env: { PORT: String(port) }, address });
  return address;
}

/** A proxy that speaks both eras, around a server that keeps what it is told. */
async function memory(context) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/mcp`;
  const inner = ['--', process.execPath, join(packages, MEMORY)];
  const args = ['--port', String(port), '--host', '127.0.0.1', ...inner];
  await serve(context, 'mcp-proxy/dist/bin/mcp-proxy.mjs', { args, address });
  return address;
}

test('a server of the handshake is found out and called', async (context) => {
  const address = await everything(context);
  const sum = await runClient([address, 'get-sum', '{"a":2,"b":3}']);
  assert.match(sum.stdout, /The sum of 2 and 3 is 5/, sum.stderr);
  const image = await runClient([address, 'get-tiny-image', '{}']);
  assert.match(image.stdout, /image\/png of \d+ bytes/, image.stderr);
  const structured = await runClient([address, 'get-structured-content', '{"location":"Chicago"}']);
  assert.match(structured.stdout, /^structured: \{/m, structured.stderr);
  const wrong = await runClient([address, 'get-sum', '{"a":"two"}']);
  assert.match(wrong.stdout, /the tool failed:/, wrong.stderr);
  const unknown = await runClient([address, 'no-such-tool', '{}']);
  assert.match(unknown.stdout, /refused: |the tool failed:/, unknown.stderr);
});

test('a long call tells how far it has come', async (context) => {
  const address = await everything(context);
  const long = await runClient([address, 'trigger-long-running-operation', '{"duration":1,"steps":2}']);
  assert.match(long.stdout, /progress: 1 of Some\(2\.0\)/, `${long.stdout}${long.stderr}`);
  assert.match(long.stdout, /Long running operation completed/);
});

for (const version of ['2026-07-28', '2025-11-25']) {
  test(`a proxy of both eras is called in ${version}`, async (context) => {
    const address = await memory(context);
    const env = { MCP_CONFORMANCE_PROTOCOL_VERSION: version };
    const entity = { name: `Ann ${version}`, entityType: 'person', observations: ['tested'] };
    const made = await runClient([address, 'create_entities', JSON.stringify({ entities: [entity] })], env);
    assert.match(made.stdout, /Ann/, made.stderr);
    const graph = await runClient([address, 'read_graph', '{}'], env);
    assert.match(graph.stdout, new RegExp(`Ann ${version}`), graph.stderr);
  });
}
