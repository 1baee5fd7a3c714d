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
