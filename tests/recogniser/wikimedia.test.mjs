import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Wikimedia, WikimediaDown } from '../../recogniser/people/wikimedia.mjs';
import { standIn } from './wikimedia-stand-in.mjs';

let site;
afterEach(() => site.close());

async function client() {
  site = await standIn([{ number: 'Q1', names: ['Ann Lee'], portrait: Buffer.from('p') }]);
  return new Wikimedia({ contact: 'a@b.example', wikidata: site.origin, commons: site.origin });
}

test('a request tells who asks, and that it may wait', async () => {
  const wikimedia = await client();
  assert.equal((await wikimedia.items(['Q1'])).Q1.id, 'Q1');
  const [{ agent, query }] = site.requests;
  assert.match(agent, /^VisualDegrees-Recogniser\/1 \(a@b\.example\) node\//);
  assert.equal(query.maxlag, '5');
});

test('a request is repeated after the time that the answer names, and not for ever', async () => {
  const wikimedia = await client();
  const passing = { status: 429, headers: { 'retry-after': '0.05' } };
  site.faults.push(passing, { headers: { 'retry-after': '0.05' }, body: { error: { code: 'maxlag', info: 'lag' } } });
  assert.equal((await wikimedia.items(['Q1'])).Q1.id, 'Q1');
  assert.equal(site.requests.length, 3);
  site.faults.push(passing, passing, passing);
  await assert.rejects(wikimedia.items(['Q1']), new WikimediaDown(`${new URL(site.origin).host}: status 429`));
  assert.equal(site.requests.length, 6);
});

test('what is refused is not repeated', async () => {
  const wikimedia = await client();
  site.faults.push({ status: 403 });
  await assert.rejects(wikimedia.items(['Q1']), WikimediaDown);
  site.faults.push({ body: { error: { code: 'no-such-entity', info: 'none' } } });
  await assert.rejects(wikimedia.items(['Q1']), /answers "no-such-entity": none/);
  assert.equal(site.requests.length, 2);
  site.faults.push({ body: 'x'.repeat(9_000_000) });
  await assert.rejects(wikimedia.items(['Q1']), /more than 8000000 bytes/);
  assert.equal(site.requests.length, 3);
});

test('people with the most links come page by page', async () => {
  const wikimedia = await client();
  assert.deepEqual(await wikimedia.mostLinked(50, 0), ['Q1']);
  assert.deepEqual(await wikimedia.mostLinked(50, 1), []);
  assert.equal(site.requests[0].query.srsort, 'incoming_links_desc');
});
