// An automaton drives a real browser through the sandbox's shop: its server is killed while it acts, its
// secret stays where it belongs, and its sealed file is executed again.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { startBrowser } from '../../scripts/browser.mjs';
import { Server } from './kills.mjs';
import {
  deeds, forgetDeeds, keptPassword, OPERATOR, PASSWORD, shopper as shopperOf, startAutomaton, TOKEN,
} from './shopping.mjs';
import { created, endStarted, eventsOfRun, ownSandbox, post, request, startedOne } from './support.mjs';

let sandbox = null;
let server = null;

before(async () => {
  sandbox = await startedOne(ownSandbox([]));
  const browser = await startedOne(startBrowser());
  const settings = {
    ...sandbox.settings, PUBLIC: '1', OPERATOR_TOKEN: TOKEN, BROWSER_CDP: browser.address,
    AUTOMATON_SECRETS: keptPassword(sandbox.listening), PUBLIC_AUTOMATA: 'stored',
  };
  server = await startedOne(Server.start(settings));
});
beforeEach(() => forgetDeeds(sandbox.listening));
after(endStarted);

const shopper = () => shopperOf(sandbox.listening);
const start = (body) => startAutomaton(server.base, body);
const shopping = () => start({ automaton: shopper(), parameters: { USER: 'visitor' } });
const actions = () => deeds(sandbox.listening);
const events = (run, enough) => eventsOfRun(server.base, run, enough);

test('it does each thing once, keeps its secret, and is executed again without a browser', async () => {
  const run = await shopping();
  const told = await events(run);
  const { type, payload } = told.at(-1);
  assert.deepEqual([type, payload.message], ['completed', 'The cup is in the basket.'], JSON.stringify(payload));
  const rows = await actions();
  assert.deepEqual(rows.map(({ action }) => action), ['consent', 'log-in', 'add'], JSON.stringify(rows));
  assert.equal(rows[1].is_password_right, true);
  assert.equal(rows.some((row) => row.has_password_elsewhere), false);

  const typed = told.findIndex(({ payload: { call } }) => call?.includes("parameters['PASSWORD']"));
  const pictured = told.filter((event) => event.type === 'looked' && event.payload.picture);
  assert.ok(typed > 0 && pictured.length >= 3, `${pictured.length} pictures`);
  assert.ok(pictured.every((event) => told.indexOf(event) < typed), 'no picture once the password was typed');
  assert.equal(told.filter(({ payload }) => payload.message?.includes('no picture is kept')).length, 1);
  const picture = await request(`${server.base}/runs/${run}/artifacts/${pictured[0].payload.picture}`);
  assert.equal(picture.headers.get('content-type'), 'image/jpeg');
  const bytes = new Uint8Array(await picture.arrayBuffer());
  assert.deepEqual([...bytes.slice(0, 2)], [0xff, 0xd8]);

  const sealed = await (await request(`${server.base}/runs/${run}/sealed`)).text();
  assert.equal(sealed.includes(PASSWORD), false);
  const replayed = await request(`${server.base}/replay`, { method: 'POST', headers: OPERATOR, body: sealed });
  assert.equal((await replayed.json()).result, 'identical');
  const kept = await (await request(`${server.base}/runs/${run}/automaton`)).json();
  assert.deepEqual(kept, shopper());
});

test('killed at each of its actions it does nothing twice, and says where nobody knows', async () => {
  for (const name of ['Log in', 'In', 'Product']) {
    await forgetDeeds(sandbox.listening);
    const run = await shopping();
    const isEntered = ({ data }) => data.type === 'state_entered' && data.payload.name === name;
    await events(run, isEntered);
    await server.killAndRestart();
    const { type, payload } = (await events(run)).at(-1);
    const added = (await actions()).filter(({ action }) => action === 'add').length;
    if (type === 'completed') assert.equal(added, 1, name);
    else {
      assert.deepEqual([type, payload.reason], ['failed', 'unknown_outcome'], `${name}: ${JSON.stringify(payload)}`);
      assert.match(payload.message, /nobody knows whether it was carried out/);
      assert.ok(added <= 1, name);
    }
  }
});

test('a page of another origin gets neither a request nor the secret', async () => {
  const elsewhere = sandbox.listening.replace('127.0.0.1', 'localhost');
  const [begin, wall, logIn] = shopper();
  const foreign = [
    { ...begin, actions: [`navigate_to('${elsewhere}/site/v0/login')`] }, wall, logIn,
  ];
  const run = await start({ automaton: foreign, parameters: { USER: 'visitor' }, origins: [elsewhere] });
  const { type, payload } = (await events(run)).at(-1);
  assert.deepEqual([type, payload.reason], ['failed', 'refused'], JSON.stringify(payload));
  assert.equal((await actions()).some((row) => row.is_password_right), false);
});

test('strangers start what is stored, and nothing of their own', async () => {
  const sent = await post(`${server.base}/runs`, { automaton: shopper() });
  assert.equal(sent.status, 403);
  const body = { automaton: shopper(), parameters: { USER: 'visitor' }, options: { allowMultipleStates: true } };
  const stored = await request(`${server.base}/automata/cup`, {
    method: 'PUT', headers: { ...OPERATOR, 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  assert.equal(stored.status, 204, await stored.text());
  const { automata } = await (await request(`${server.base}/automata`)).json();
  assert.deepEqual(automata.map(({ name, states }) => [name, states]), [['cup', 6]]);
  const run = await created(await post(`${server.base}/runs`, { automaton: 'cup' }));
  assert.equal((await events(run)).at(-1).type, 'completed');
});

test('a file of the request reaches the page, and one of the page is kept with the run', async (t) => {
  const taken = [];
  const page = createServer(async (req, res) => {
    if (req.method === 'POST') {
      for await (const piece of req) taken.push(piece);
      res.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Disposition': 'attachment; filename="receipt.csv"' });
      return res.end('file,bytes\n');
    }
    res.writeHead(200, { 'Content-Type': 'text/html' });
    return res.end('<form method="post" enctype="multipart/form-data"><label>Your letter <input type="file" name="f">' +
      '</label><button>Send</button></form>');
  });
  await new Promise((resolve) => page.listen(0, '127.0.0.1', resolve));
  t.after(() => page.close());
  const url = `http://127.0.0.1:${page.address().port}/`;
  const state = (name, is, actions, end = '') => ({
    name, checks: [{ type: 'url', value: is }], actions, end_state: end,
  });
  const body = {
    automaton: [
      state('Begin', 'about:blank', [`navigate_to('${url}')`]),
      state('Send', url, [
        "upload('text', 'Your letter', 'LETTER')", "download('role', 'button[name=\"Send\"]')",
      ], 'Sent.'),
    ],
    files: { LETTER: { name: 'letter.txt', mediaType: 'text/plain', base64: btoa('Dear reader') } },
    browser: { downloads: true },
  };
  const run = await start(body);
  const told = await events(run);
  assert.equal(told.at(-1).type, 'completed', JSON.stringify(told.at(-1).payload));
  const sent = Buffer.concat(taken).toString();
  assert.match(sent, /filename="letter.txt"\r\nContent-Type: text\/plain\r\n\r\nDear reader\r\n/);
  const { file } = told.find(({ payload }) => payload.file).payload;
  assert.deepEqual([file.name, file.mediaType, file.bytes], ['receipt.csv', 'text/csv', 11]);
  const kept = await request(`${server.base}/runs/${run}/artifacts/${file.digest}`);
  assert.equal(kept.headers.get('content-type'), 'application/octet-stream');
  assert.equal(await kept.text(), 'file,bytes\n');

  const sealed = await (await request(`${server.base}/runs/${run}/sealed`)).text();
  assert.equal(sealed.includes(body.files.LETTER.base64), false);
  assert.ok(sealed.includes('letter.txt'));
  const replayed = await request(`${server.base}/replay`, { method: 'POST', headers: OPERATOR, body: sealed });
  assert.equal((await replayed.json()).result, 'identical');

  for (const [wrong, says] of [
    [{ files: {} }, /files.LETTER/],
    [{ files: { LETTER: { name: 'a', base64: '***' } } }, /base64/],
    [{ files: { LETTER: { name: 'a', base64: btoa('x'.repeat(600_001)) } } }, /too large/],
    [{ browser: {} }, /browser.downloads/],
  ]) {
    const answer = await post(`${server.base}/runs`, { ...body, ...wrong }, OPERATOR);
    assert.equal(answer.status, 400, JSON.stringify(wrong).slice(0, 80));
    assert.match(await answer.text(), says);
  }
});
