// Static files on loopback: what is served, and what is not.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { segmentsOf, serveFiles } from '../../scripts/static-files.mjs';

let folder;
let files;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'static-'));
  const pages = join(folder, 'pages');
  await mkdir(join(pages, 'app'), { recursive: true });
  await mkdir(join(pages, 'empty'));
  await mkdir(join(folder, 'pages-beside'));
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'pages-beside', 'x.txt'), 'secret');
  await writeFile(join(pages, 'app', 'index.html'), '<h1>App</h1>');
  await writeFile(join(pages, 'a b.js'), 'let a;');
  await writeFile(join(pages, '.hidden'), 'secret');
  await writeFile(join(pages, 'nothing.css'), '');
  await writeFile(join(pages, 'huge.bin'), '');
  await truncate(join(pages, 'huge.bin'), 32 * 1024 * 1024 + 1);
  await symlink(join(folder, 'secret.txt'), join(pages, 'link.txt'));
  await symlink(join(folder, 'pages-beside'), join(pages, 'linked'));
  files = await serveFiles({ pages });
});

after(async () => {
  await files.stop();
  await rm(folder, { recursive: true });
});

/** Asks for a path exactly as it is written, which `fetch` would not do. */
function ask(path, { method = 'GET', headers = {} } = {}) {
  const { hostname, port } = new URL(files.origin);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => resolve({
        status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces).toString(),
      }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

test('files and the front pages of folders are served with their types', async () => {
  for (const [path, type, body] of [
    ['/pages/app/', 'text/html; charset=utf-8', '<h1>App</h1>'],
    ['/pages/app/index.html?seed=1#x', 'text/html; charset=utf-8', '<h1>App</h1>'],
    ['/pages/a%20b.js', 'text/javascript; charset=utf-8', 'let a;'],
    ['/pages/nothing.css', 'text/css; charset=utf-8', ''],
  ]) {
    const answer = await ask(path);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers['content-type'], type, path);
    assert.equal(answer.body, body, path);
  }
  const folderItself = await ask('/pages/app');
  assert.equal(folderItself.status, 308);
  assert.equal(folderItself.headers.location, '/pages/app/');
  const twice = await ask('//pages//app');
  assert.equal(twice.headers.location, '/pages/app/', 'no redirect leaves this server');
  const head = await ask('/pages/a%20b.js', { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers['content-length'], head.body], [200, '6', '']);
});

test('nothing outside of the folder is served, however it is asked for', async () => {
  for (const path of [
    '/pages/../secret.txt', '/pages/..%2fsecret.txt', '/pages/%2e%2e/secret.txt', '/../secret.txt',
    '/pages/app/..%5c..%5csecret.txt', '/pages/app%2f..%2f..%2fsecret.txt', '/pages/link.txt',
    '/pages/linked/x.txt', '/pages/.hidden', '/pages-beside/x.txt', '//etc/passwd', '/etc/passwd',
    '/pages/%00', '/pages/%ff', '/pages/x%', '/', '/pages/empty/', '/pages/none', '/__proto__/x',
  ]) {
    const answer = await ask(path);
    assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`);
    assert.ok(!answer.body.includes('secret'), path);
  }
  assert.equal((await ask(`/pages/${'x'.repeat(2_000)}`)).status, 400);
  assert.equal((await ask('/pages/huge.bin')).status, 413);
});

test('only reading is allowed, and only under the names of this machine', async () => {
  const post = await ask('/pages/app/', { method: 'POST' });
  assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
  const stranger = await ask('/pages/app/', { headers: { host: 'rebound.example' } });
  assert.equal(stranger.status, 421);
  assert.equal((await ask('/pages/app/', { headers: { host: 'localhost:1' } })).status, 200);
});

test('a client that goes away does not end the server', async () => {
  await new Promise((resolve) => {
    const gone = get(`${files.origin}/pages/app/index.html`, () => gone.destroy());
    gone.on('error', () => {});
    gone.on('close', resolve);
  });
  assert.equal((await ask('/pages/app/')).status, 200);
});

test('a path is taken apart before any file is looked at', () => {
  assert.deepEqual(segmentsOf('/a//b%20c/'), ['a', 'b c']);
  for (const path of ['a', '/a/../b', '/a/.b', '/a%2fb', '/%', '/a%5cb', '/%00']) {
    assert.equal(segmentsOf(path), null, path);
  }
});
