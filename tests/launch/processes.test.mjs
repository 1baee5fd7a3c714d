// Programs are ended with their children, and locks of interrupted starts do not hold.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAlive, withLock } from '../../scripts/lock.mjs';
import { checkFree, freePorts, HOST } from '../../scripts/ports.mjs';
import { ask, compile, endGroup, launch, run } from '../../scripts/processes.mjs';
import { connect, createServer } from 'node:net';

async function withFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'launch-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function eventually(check) {
  for (let i = 0; i < 200; i += 1) {
    const answer = await check();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return assert.fail('it has not come to pass');
}

test('a child that outlives its parent is ended with the group', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'pid');
    const parent = launch('sh', ['-c', `sleep 60 & echo $! > ${file}; wait`]);
    const child = await eventually(async () => Number(await readFile(file, 'utf8').catch(() => 0)));
    process.kill(parent.pid, 'SIGKILL');
    await eventually(() => parent.signalCode !== null);
    assert.ok(isAlive(child), 'it outlives its parent');
    await endGroup(parent.pid);
    await eventually(async () => !isAlive(child) || (await isZombie(child)));
  }));

async function isZombie(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

test('what a program prints and how it ends', async () => {
  const result = await run('sh', ['-c', 'echo out; exit 3']);
  assert.deepEqual(result, { ok: false, code: 3, output: 'out\n' });
  assert.equal(await ask('sh', ['-c', 'echo " 1.2 "']), '1.2');
  assert.equal(await ask('sh', ['-c', 'exit 1']), null);
  assert.equal(await ask('no-such-program-at-all', []), null);
});

test('what a compiler says is shown only where it fails', async (t) => {
  const write = t.mock.method(process.stderr, 'write', () => true);
  const shown = () => write.mock.calls.map(({ arguments: [piece] }) => String(piece)).join('');
  const output = await compile('sh', ['-c', 'echo Compiling >&2; echo path'], 'It fails.');
  assert.deepEqual([output, shown()], ['path\n', '']);
  const failing = compile('sh', ['-c', 'echo "error: here" >&2; exit 1'], 'It fails.');
  await assert.rejects(failing, /^Error: It fails\.$/);
  assert.equal(shown(), 'error: here\n');
  write.mock.restore();
});

test('two who want the same lock work one after the other', () =>
  withFolder(async (folder) => {
    const order = [];
    const turn = (name) =>
      withLock(join(folder, 'locks', 'x.lock'), 'a test', async () => {
        order.push(`${name} in`);
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push(`${name} out`);
      });
    await Promise.all([turn('a'), turn('b')]);
    assert.deepEqual(order.map((entry) => entry.split(' ')[1]), ['in', 'out', 'in', 'out']);
  }));

test('the lock of a start that was killed does not hold', () =>
  withFolder(async (folder) => {
    const file = join(folder, 'x.lock');
    await mkdir(folder, { recursive: true });
    const { output } = await run('sh', ['-c', 'echo $$']);
    await writeFile(file, output);
    assert.equal(await withLock(file, 'a test', async () => 'done'), 'done');
  }));

test('a port in use is said with the setting that changes it', async () => {
  const [port, other] = await freePorts(2);
  assert.notEqual(port, other);
  await checkFree(port, 'PORT');
  const server = createServer();
  await new Promise((resolve) => server.listen(port, HOST, resolve));
  await assert.rejects(checkFree(port, 'PORT'), /is in use: .*PORT=NUMBER/);
  server.close();
});

test('no connection takes a port that was found free', async () => {
  const server = createServer((socket) => socket.unref());
  await new Promise((resolve) => server.listen(0, HOST, resolve));
  const connections = await Promise.all(Array.from({ length: 50 }, () =>
    new Promise((resolve, reject) => {
      const one = connect(server.address().port, HOST, () => resolve(one)).once('error', reject);
    }),
  ));
  const taken = connections.map(({ localPort }) => localPort);
  for (const one of connections) one.destroy();
  server.close();
  const free = await freePorts(50);
  assert.equal(new Set(free).size, 50);
  assert.ok(Math.max(...free) < Math.min(...taken), `${Math.max(...free)} ${Math.min(...taken)}`);
});
