// What the preview of a link says: the page's own head, for a run, a chain and a question.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asCreator, BASE, eventsOf, investigation, keptRecord, read, request, startRun, TOGETHER,
} from './support.mjs';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ROBOT = { accept: '*/*', 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' };
const HOME = '<title>Visual Degrees</title>';

/** The words of a page's head, as they stand in its text. */
async function headOf(address, headers = HTML) {
  const answer = await request(address, { headers });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
  for (const name of ['etag', 'last-modified']) assert.equal(answer.headers.get(name), null, name);
  const page = await answer.text();
  assert.match(page, /<vd-form>/);
  const [head] = page.split('</head>');
  const one = (pattern) => {
    const found = [...head.matchAll(pattern)].map(([, content]) => content);
    assert.ok(found.length <= 1, `${pattern} ${found.length} times`);
    return found[0];
  };
  const meta = (name) => one(new RegExp(`<meta (?:name|property)="${name}"\\s+content="([^"]*)"`, 'g'));
  return {
    title: one(/<title>([^<]*)<\/title>/g), description: meta('description'),
    ogTitle: meta('og:title'), ogDescription: meta('og:description'), type: meta('og:type'),
    url: meta('og:url'), image: meta('og:image'), card: meta('twitter:card'),
  };
}

test('a run and its chain are told with their people, their links and their first photo', async () => {
  const { example } = await (await request(`${BASE}/health`)).json();
  const run = await startRun(BASE, example);
  const { data } = (await read(eventsOf(BASE, run))).events.at(-1);
  await keptRecord(BASE, run);
  const names = data.path.map(({ name }) => name);
  const photo = data.edges[0].evidence[0].imageUrl;
  const expected = (path) => {
    const title = `${names[0]} to ${names.at(-1)} in ${names.length - 1} links · Visual Degrees`;
    const description = `Each link proven by a photo: ${names.join(' – ')}.`;
    return {
      title, description, ogTitle: title, ogDescription: description, type: 'website',
      url: `${BASE}${path}`, image: photo.startsWith('https:') ? photo : undefined,
      card: photo.startsWith('https:') ? 'summary_large_image' : 'summary',
    };
  };
  assert.deepEqual(await headOf(`${BASE}/runs/${run}`), expected(`/runs/${run}`));
  // A program that shows the preview of a link names no form.
  assert.deepEqual(await headOf(`${BASE}/runs/${run}`, ROBOT), expected(`/runs/${run}`));
  const headers = asCreator(run);
  const published = await request(`${BASE}/runs/${run}/publish`, { method: 'POST', headers });
  const { chain } = await published.json();
  assert.deepEqual(await headOf(`${BASE}${chain}`), expected(chain));
  assert.deepEqual(await headOf(`${BASE}${chain}`, ROBOT), expected(chain));
});

test('a run without a chain says so', async () => {
  const { example: { a, b } } = await (await request(`${BASE}/health`)).json();
  const run = await startRun(BASE, { a, b }, { searches: 1 });
  await read(eventsOf(BASE, run));
  await keptRecord(BASE, run);
  const { title, image, card } = await headOf(`${BASE}/runs/${run}`);
  assert.deepEqual([title, image, card], [
    `${a} to ${b}: no chain found · Visual Degrees`, undefined, 'summary',
  ]);
});

test('a question is told by its names, which stay text', async () => {
  const told = await headOf(investigation(BASE, TOGETHER, { polish: '1' }));
  assert.equal(told.title, `${TOGETHER.a} to ${TOGETHER.b} · Visual Degrees`);
  assert.equal(told.url, `${investigation(BASE, TOGETHER).replaceAll('&', '&amp;')}`);
  const hostile = { a: '"><script>alert(1)</script>', b: '\u202eBob' };
  const { title } = await headOf(investigation(BASE, hostile));
  assert.equal(title, '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; to Bob · Visual Degrees');
});

test('every other page is called as it always is', async () => {
  for (const path of ['/', '/investigate', '/runs/s1.AAAAAAAAAAAAAAAAAAAAAA']) {
    const page = await (await request(`${BASE}${path}`, { headers: HTML })).text();
    assert.ok(page.includes(HOME) && !page.includes('og:title'), path);
  }
});
