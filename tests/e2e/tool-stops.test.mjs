// Runs of tools that are stopped: by their secret, and where nobody waits any more. Searches take seconds here, so that
// no run is over before.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { nobodies, ownPair } from './support.mjs';
import { answered, assertAsPromised, call, nextId, Session, toolsOf } from './tools.mjs';

/** A run for nobody makes three searches and more before it ends by itself. */
const LATENCY = ['--latency', 'google=4000'];

let pair = null;

before(async () => {
  pair = await ownPair(LATENCY, { MCP: 'on' });
});
after(() => pair?.stop());

const structured = ({ result }) => result.structuredContent;

test('whoever waits no longer gets the run, and stops it with its secret alone', async () => {
  const { base } = pair;
  const handed = structured(await call(base, 'find_chain', { ...nobodies(), waitMs: 0 }));
  assert.equal(handed.state, 'going_on');
  const { run, secret } = handed;
  const refused = await call(base, 'stop_run', { run });
  assert.ok(refused.result.isError, JSON.stringify(refused.result));
  const stopped = await call(base, 'stop_run', { run, secret });
  assert.equal(structured(stopped).state, 'stopping');
  const tools = await toolsOf(base);
  assertAsPromised(tools, 'stop_run', stopped.result);
  const end = await call(base, 'get_run', { run }, { told: true });
  assertAsPromised(tools, 'get_run', end.result);
  assert.deepEqual([structured(end).state, structured(end).reason], ['not_found', 'stopped']);
  assert.equal(structured(end).secret, undefined);
  const gone = await call(base, 'get_run', { run: 's1.AAAAAAAAAAAAAAAAAAAAAA' });
  assert.ok(gone.result.isError);
});

test('in a session a call is cancelled, and its run stopped, when nobody waits any more', async () => {
  const session = await Session.open(pair.base);
  const id = nextId();
  const answer = await session.ask('tools/call', { name: 'find_chain', arguments: nobodies() }, id);
  const other = await session.note('notifications/cancelled', { requestId: nextId() });
  assert.equal(other.status, 202, 'nobody knows that request');
  const cancelled = await session.note('notifications/cancelled', { requestId: id });
  assert.equal(cancelled.status, 202);
  assert.equal(structured(await answered(answer)).reason, 'stopped');
});

test('a stranger who asks the same finds the run, and is told no secret', async () => {
  const { base } = pair;
  const args = { ...nobodies(), waitMs: 0 };
  const all = await Promise.all([1, 2, 3].map(() => call(base, 'find_chain', args)));
  all.push(await call(base, 'find_chain', args));
  assert.equal(new Set(all.map((found) => structured(found).run)).size, 1);
  const told = all.filter((found) => structured(found).secret !== undefined);
  assert.equal(told.length, 1, 'whoever began it is told the secret, and nobody else');
  const [found] = all.filter((one) => !told.includes(one));
  assertAsPromised(await toolsOf(base), 'find_chain', found.result);
  assert.match(found.result.content[0].text, /is told no secret/);
  const { run, secret } = structured(told[0]);
  assert.ok((await call(base, 'stop_run', { run })).result.isError);
  // A client's own key is its own: whoever has it is the client again.
  const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
  const own = { ...nobodies(), waitMs: 0 };
  const [first, again] = [await call(base, 'find_chain', own, key), await call(base, 'find_chain', own, key)];
  assert.equal(structured(again).secret, structured(first).secret);
  assert.equal(structured(await call(base, 'stop_run', { run, secret })).state, 'stopping');
});

test('only the session that began a run ends it, and whoever asks anew then gets a new one', async () => {
  const [one, other] = [await Session.open(pair.base), await Session.open(pair.base)];
  const params = { name: 'find_chain', arguments: { ...nobodies(), waitMs: 0 } };
  const asked = async (session, id = nextId()) => structured(await answered(await session.ask('tools/call', params, id)));
  const stop = async (session, run) => {
    const stopping = { name: 'stop_run', arguments: { run } };
    return (await answered(await session.ask('tools/call', stopping))).result;
  };
  const state = async (run, waitMs) => structured(await call(pair.base, 'get_run', { run, waitMs })).state;
  const begun = await asked(one);
  const id = nextId();
  const found = await asked(other, id);
  assert.deepEqual([found.run, found.secret], [begun.run, undefined]);
  assert.equal((await other.note('notifications/cancelled', { requestId: id })).status, 202);
  assert.ok((await stop(other, begun.run)).isError);
  assert.equal(await state(begun.run, 1_000), 'going_on', 'the search of another goes on');
  // The session that began it may have lost the answer with the secret.
  const again = nextId();
  assert.deepEqual(await asked(one, again).then(({ run, secret }) => [run, secret]), [begun.run, undefined]);
  assert.equal((await one.note('notifications/cancelled', { requestId: again })).status, 202);
  assert.equal(await state(begun.run, 30_000), 'not_found');
  const anew = await asked(other);
  assert.notEqual(anew.run, begun.run, 'nobody finds a run that somebody has ended');
  assert.notEqual(anew.secret, undefined);
  assert.equal((await stop(other, anew.run)).structuredContent.state, 'stopping', 'its own session needs no secret');
});
