// Programs that are waited for.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { launch } from '../../scripts/processes.mjs';
import { serviceOf, wellAt } from '../../scripts/services.mjs';

test('a program that is not ready in time is ended', async () => {
  const child = launch(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const service = serviceOf(child, 'it');
  const never = new Promise(() => {});
  await assert.rejects(service.before(never, 50, 'does not answer'), /it does not answer after 0\.05 s/);
  await assert.rejects(service.gone, /it has ended by itself \(SIGTERM\)/);
});

test('a Worker whose settings are wrong is not started, unless it may lack some', async () => {
  const health = { status: 'ok', wrong: ['MCP_SERVERS (may name 20 servers at most)'] };
  const server = createServer((_, answer) => answer.end(JSON.stringify(health)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const base = `http://127.0.0.1:${server.address().port}`;
    const service = { before: (waited) => waited, isGone: () => false, gone: new Promise(() => {}) };
    let stopped = 0;
    const stop = async () => { stopped += 1; };
    assert.deepEqual(await wellAt(base, { service, stop, mayLack: true }), health);
    await assert.rejects(wellAt(base, { service, stop, mayLack: false }), /MCP_SERVERS/);
    assert.equal(stopped, 1);
  } finally {
    server.close();
  }
});
