// How the page follows a run: in pieces, over broken and dead connections, to the last event.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

const STREAM = { 'content-type': 'text/event-stream' };
const SILENCE_MS = 20_000;
const FIRST_WORD_MS = 3_000;
const POLL_MS = 2_000;

let requests = [];
let told = [];
let following = null;
let pages = 0;
const native = globalThis.fetch;

/** A server whose answers are ours to write. */
globalThis.location = { href: 'http://page.example/' };
function serve(address, { signal }) {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    requests.push({ address, signal, fail: reject, answer: (...args) => resolve(new Response(...args)) });
  });
}

/** A page that is loaded anew, and remembers no server. */
async function loaded() {
  pages += 1;
  const { follow } = await import(`../../public/stream.js?page=${pages}`);
  return () =>
    follow('/runs/r/events', {
      onEvent: (n, event) => told.push([n, event.type]),
      onConnection: (state) => told.push(state),
      onGone: (status) => told.push(`gone ${status}`),
    });
}

let begin = null;
beforeEach(async () => {
  [requests, told] = [[], []];
  begin = await loaded();
  mock.timers.enable({ apis: ['setTimeout'] });
  globalThis.fetch = serve;
  following = begin();
});
afterEach(() => {
  following.close();
  mock.timers.reset();
  globalThis.fetch = native;
});

/** Lets everything happen that waits for nothing. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Answers the newest request with a stream; gives how to write into it. */
async function stream() {
  const body = new TransformStream();
  const writer = body.writable.getWriter();
  const request = requests.at(-1);
  request.signal.addEventListener('abort', () => writer.abort().catch(() => {}));
  request.answer(body.readable, { headers: STREAM });
  await settled();
  return {
    say: async (text) => {
      await writer.write(new TextEncoder().encode(text));
      await settled();
    },
    end: async () => {
      await writer.close();
      await settled();
    },
  };
}

const event = (n, type) => `id: s.r.${n}\nevent: ${type}\ndata: {"type":"${type}"}\n\n`;

async function pass(ms) {
  mock.timers.tick(ms);
  await settled();
}

test('events come in pieces, and nothing is asked after the last', async () => {
  const { say } = await stream();
  const text = `${event(1, 'status')}: hb\n\n${event(2, 'final')}`;
  for (const letter of text) await say(letter);
  await pass(60_000);
  assert.deepEqual(told, ['open', [1, 'status'], [2, 'final']]);
  assert.equal(requests.length, 1);
  assert.ok(requests[0].signal.aborted);
});

test('a stream that ends or breaks is gone on with after its last id', async () => {
  const first = await stream();
  await first.say('id: s.r.0\nretry: 1000\n\n');
  await first.end();
  await pass(1_000);
  assert.equal(requests[1].address, 'http://page.example/runs/r/events?lastEventId=s.r.0');
  const second = await stream();
  await second.say(event(1, 'status'));
  await second.end();
  await pass(1_000);
  assert.match(requests[2].address, /lastEventId=s\.r\.1$/);
  requests[2].fail(new TypeError('no connection'));
  await settled();
  assert.deepEqual(told, ['open', 'lost', 'open', [1, 'status'], 'lost', 'lost']);
});

test('a connection that is dead without having ended is left', async () => {
  const { say } = await stream();
  await say(event(1, 'status'));
  for (let beat = 0; beat < 5; beat += 1) {
    await pass(SILENCE_MS - 1);
    await say(': hb\n\n');
  }
  assert.equal(requests.length, 1, 'a heartbeat is enough');
  await pass(SILENCE_MS);
  assert.ok(requests[0].signal.aborted);
  assert.match(requests[1].address, /lastEventId=s\.r\.1$/, 'at once');
  assert.deepEqual(told, ['open', [1, 'status']], 'nobody knows whether it is lost');
  requests[1].fail(new TypeError('no connection'));
  await settled();
  assert.equal(told.at(-1), 'lost');
});

/** Two connections of which nothing comes through. */
async function hold() {
  await pass(FIRST_WORD_MS);
  await pass(FIRST_WORD_MS);
}

/** Answers the newest request whole. */
async function answer(text) {
  requests.at(-1).answer(text, { headers: STREAM });
  await settled();
}

test('of a stream that is held back the page asks for what there is, and tells of no lost connection', async () => {
  assert.equal(requests[0].address, 'http://page.example/runs/r/events');
  await hold();
  assert.deepEqual(told, []);
  assert.equal(requests.length, 3, 'one silent reconnection');
  assert.ok(requests[0].signal.aborted && requests[1].signal.aborted);
  assert.equal(requests[2].address, 'http://page.example/runs/r/events?wait=0');
  await answer(`id: s.r.0\nretry: 1000\n\n${event(1, 'status')}${event(2, 'status')}`);
  await pass(POLL_MS - 1);
  assert.equal(requests.length, 3);
  await pass(1);
  assert.equal(requests[3].address, 'http://page.example/runs/r/events?lastEventId=s.r.2&wait=0');
  await answer('id: s.r.2\nretry: 1000\n\n');
  await pass(POLL_MS);
  await answer(event(3, 'final'));
  await pass(60_000);
  assert.equal(requests.length, 5, 'nothing is asked after the last');
  assert.deepEqual(told, ['open', [1, 'status'], [2, 'status'], 'open', 'open', [3, 'final']]);
});

test('a stream of which a part comes through and the rest is held back is asked for, too', async () => {
  const { say } = await stream();
  await say(event(1, 'status'));
  await pass(SILENCE_MS);
  await pass(FIRST_WORD_MS);
  assert.equal(requests.length, 3);
  assert.match(requests[2].address, /\?lastEventId=s\.r\.1&wait=0$/);
  await answer(event(2, 'no_path'));
  assert.deepEqual(told, ['open', [1, 'status'], 'open', [2, 'no_path']]);
});

test('a heartbeat shows that nothing is held back', async () => {
  for (let dead = 0; dead < 3; dead += 1) {
    const { say } = await stream();
    await say('id: s.r.0\nretry: 1000\n\n');
    await say(': hb\n\n');
    await pass(SILENCE_MS);
    assert.doesNotMatch(requests.at(-1).address, /wait/);
  }
});

test('what is held back of one run is of the next one, too', async () => {
  await hold();
  following.close();
  following = begin();
  assert.equal(requests.at(-1).address, 'http://page.example/runs/r/events?wait=0');
  requests.at(-1).answer(null, { status: 204 });
  await settled();
  await pass(60_000);
  assert.deepEqual(told, ['gone 204']);
  assert.equal(requests.length, 4);
});

test('where the server does not answer at all the connection is lost, and a stream is tried again', async () => {
  await hold();
  await pass(SILENCE_MS);
  assert.deepEqual(told, ['lost']);
  await pass(1_000);
  assert.equal(requests.length, 4);
  assert.equal(requests[3].address, 'http://page.example/runs/r/events');
  await stream();
  assert.deepEqual(told, ['lost', 'open']);
});

test('what is no stream is asked for again, ever more seldom', async () => {
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
    requests.at(-1).answer('bad gateway', { status: 502 });
    await settled();
    await pass(pauseMs - 1);
    const before = requests.length;
    await pass(1);
    assert.equal(requests.length, before + 1);
  }
  requests.at(-1).answer('<p>', { headers: { 'content-type': 'text/html' } });
  await settled();
  assert.deepEqual(told, Array(7).fill('lost'));
});

for (const status of [204, 404, 410]) {
  test(`HTTP ${status} says that there is no more`, async () => {
    requests[0].answer(null, { status });
    await settled();
    await pass(60_000);
    assert.deepEqual(told, [`gone ${status}`]);
    assert.equal(requests.length, 1);
  });
}

test('who closes is told nothing more', async () => {
  const { say } = await stream();
  await say(event(1, 'status'));
  following.close();
  await settled();
  await pass(60_000);
  assert.deepEqual(told, ['open', [1, 'status']]);
  assert.equal(requests.length, 1);
});
