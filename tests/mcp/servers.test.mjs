// Servers that others wrote, unmodified, on real sockets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything, memory, runClient } from './support.mjs';

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
    const entity = { name: `Order of ${version}`, entityType: 'order', observations: ['tested'] };
    const made = await runClient([address, 'create_entities', JSON.stringify({ entities: [entity] })], env);
    assert.match(made.stdout, /Order of/, made.stderr);
    const graph = await runClient([address, 'read_graph', '{}'], env);
    assert.match(graph.stdout, new RegExp(`Order of ${version}`), graph.stderr);
  });
}
