// One run as a viewer knows it: what comes late is not taken for another run's.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Problem } from '../../public/api.js';
import { RunFollower } from '../../public/run-follower.js';

const RUN = `s1.${'A'.repeat(22)}`;
const OTHER = `s1.${'B'.repeat(22)}`;
const settled = () => new Promise((resolve) => { setTimeout(resolve, 5); });

function follower() {
  const [told, problems] = [[], []];
  let draws = 0;
  const one = new RunFollower({
    onChange: () => { draws += 1; },
    onEvent: (event) => told.push(event.type),
    onProblem: ({ status }) => problems.push(status),
    onVerification: ({ trust }) => told.push(trust),
  });
  one.resume();
  return { one, told, problems, draws: () => draws };
}

/** A server whose runs have these records; the streams are silent for ever. */
const server = (records) => ({
  isOwn: () => false,
  publishedOf: () => ({ chain: '', expires: '' }),
  keptRun: async (run) => records[run] ?? Promise.reject(new Problem(404)),
  streamStatus: async () => 404,
  eventsOf: () => 'data:text/plain,',
});

test('what is no token, what never was and what is over are told apart', async () => {
  const { one, problems } = follower();
  const why = async (run, status) => {
    await one.open({ ...server({}), keptRun: async () => { throw new Problem(status); } }, run, {});
    return one.state.outcome?.why;
  };
  assert.equal(await why('nothing', 404), 'address');
  assert.equal(await why(RUN, 404), 'unknown');
  assert.equal(await why(RUN, 410), 'expired');
  // Who embeds a run waits for a last word.
  assert.deepEqual(problems, [404, 404, 410]);
});

test('a server that cannot answer now has not said that a run is over', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => new Response(null, { status: 204 }));
  globalThis.location = { href: 'https://vd.example/' };
  let status = 200;
  const { one, problems } = follower();
  const keptRun = async () => {
    if (status !== 200) throw new Problem(status);
    return {};
  };
  const here = { ...server({}), keptRun, eventsOf: () => 'https://vd.example/runs/x/events' };
  const opened = one.open(here, RUN, {});
  status = 503;
  await opened;
  await settled();
  assert.equal(one.state.outcome.why, 'unreachable');
  assert.deepEqual(problems, [503]);
});

test('whoever stops while the record is still being read stops the run', async () => {
  const { one } = follower();
  const stopped = [];
  let answer;
  const slow = {
    ...server({}),
    keptRun: () => new Promise((resolve) => { answer = resolve; }),
    stopRun: async (run) => stopped.push(run),
  };
  const opened = one.open(slow, RUN, {});
  await one.stop();
  assert.deepEqual(stopped, [RUN]);
  one.close();
  answer({});
  await opened;
  await assert.rejects(one.stop(), { status: 404 });
});

test('a record that comes after another run was opened changes nothing', async () => {
  const { one } = follower();
  let answer;
  const slow = { ...server({}), keptRun: () => new Promise((resolve) => { answer = resolve; }) };
  const opened = one.open(slow, RUN, {});
  await one.open(server({}), OTHER, {});
  answer({ meta: { personA: 'Ann', personB: 'Bob' } });
  await opened;
  assert.deepEqual([one.state.run, one.state.a], [OTHER, '']);
  one.close();
});

const PATH = [{ id: 'A', name: 'Ann' }, { id: 'B', name: 'Bob' }];
const EVENTS = [{ type: 'status', state: 'S0', message: 'Starting' }, { type: 'final', path: PATH }];
const FILE = { body: { run: RUN, order: { personA: 'Ann', personB: 'Bob' }, events: EVENTS } };
const checked = (isSame) => Promise.resolve({ kind: 'checked', isSame, digest: '', says: '' });

test('a sealed file is read like its run, and drawn once', async () => {
  const { one, draws } = follower();
  one.show(FILE);
  const { a, b, isFile, isOwn, outcome } = one.state;
  assert.deepEqual([a, b, isFile, isOwn, outcome.kind], ['Ann', 'Bob', true, false, 'final']);
  await settled();
  assert.equal(draws(), 1);
  one.show({ body: { events: EVENTS.slice(0, 1) } });
  assert.equal(one.state.outcome.why, 'unfinished');
});

test('what a file tells is told after its check, and only then', async () => {
  const { one, told, problems } = follower();
  one.show(FILE);
  await settled();
  assert.deepEqual(told, []);
  await one.check(checked(true));
  assert.deepEqual(told, ['proven', 'status', 'final']);
  // Checked once more it is said once more; its events are told once.
  await one.check(Promise.resolve({ kind: 'unavailable', why: 'missing' }));
  assert.deepEqual(told, ['proven', 'status', 'final', 'unchecked']);
  one.show({ body: { events: EVENTS.slice(0, 1) } });
  await one.check(Promise.resolve({ kind: 'unavailable', why: 'large' }));
  assert.deepEqual([told.slice(4), problems], [['unchecked', 'status'], [0]]);
});

test('of a forged file nothing is told but that it is one', async () => {
  const { one, told, problems } = follower();
  one.show(FILE);
  await one.check(checked(false));
  one.show({ body: { events: EVENTS.slice(0, 1) } });
  await one.check(Promise.resolve({ kind: 'refused', says: '' }));
  assert.deepEqual([told, problems], [['forged', 'forged'], []]);
});

test('a file that gives way to another one before its check tells nothing', async () => {
  const { one, told } = follower();
  one.show(FILE);
  const early = one.check(checked(false));
  one.show(FILE);
  await Promise.all([early, one.check(checked(true))]);
  assert.deepEqual(told, ['proven', 'status', 'final']);
});

test('whoever leaves and comes back goes on after what was told', async (t) => {
  const asked = [];
  globalThis.location = { href: 'https://vd.example/' };
  const blocks = (n) => `id: ${RUN}.${n}\nevent: status\ndata: {"type":"status","message":"${n}"}\n\n`;
  t.mock.method(globalThis, 'fetch', async (address, { signal }) => {
    asked.push(new URL(address).searchParams.get('lastEventId'));
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(blocks(asked.length)));
        signal.addEventListener('abort', () => controller.error(new Error('aborted')));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  const { one, told } = follower();
  const here = { ...server({ [RUN]: {} }), eventsOf: (run) => `https://vd.example/runs/${run}/events` };
  await one.open(here, RUN, {});
  await settled();
  one.pause();
  one.resume();
  await settled();
  one.close();
  assert.deepEqual(asked, [null, `${RUN}.1`]);
  assert.deepEqual(told, ['status', 'status']);
});
