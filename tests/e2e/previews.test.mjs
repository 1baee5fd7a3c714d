// What the preview of a link says: the page's own head, for a run, a chain and a question; and of a chain whose file
// in the store is not what its address says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { changeDocument } from './kept.mjs';
import { launch, on } from './page.mjs';
import {
  asCreator, BASE, eventsOf, investigation, keptRecord, LIMIT_MS, read, request, startRun, STATE, TOGETHER,
} from './support.mjs';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ROBOT = { accept: '*/*', 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' };
const HOME = '<title>Visual Degrees</title>';
const DIGEST = /[0-9a-f]{64}$/;
const FORGED = 'What stands at this address is not the chain that was published here. Do not believe it.';

let browser = null;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());

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

/** The path of a run's chain. */
async function published(run) {
  const answer = await request(`${BASE}/runs/${run}/publish`, { method: 'POST', headers: asCreator(run) });
  assert.equal(answer.status, 201, await answer.clone().text());
  return (await answer.json()).chain;
}

/** The path of the chain of a new run of these people, and its file. */
async function newChain(people) {
  const run = await startRun(BASE, people);
  await read(eventsOf(BASE, run));
  const path = await published(run);
  return { path, file: await (await request(BASE + path)).text() };
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
  const chain = await published(run);
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

test('a chain whose file was changed in the store is told as forged, in its preview and first on its page', async () => {
  const { example } = await (await request(`${BASE}/health`)).json();
  const [long, short] = [await newChain(example), await newChain(TOGETHER)];
  const told = JSON.parse(long.file);
  told.body.events.at(-1).path[1].name = 'Count Dracula';
  told.body.order.personB = 'Mina Harker';
  const WRONG = {
    'another name in it': JSON.stringify(told),
    'the whole file of another chain': short.file,
    'no sealed file at all': '{"format":"a letter"}',
  };
  for (const [what, text] of Object.entries(WRONG)) {
    await changeDocument(STATE, DIGEST.exec(long.path)[0], () => text);
    // The store answers with it now.
    assert.equal(await (await request(BASE + long.path)).text(), text, what);
    for (const headers of [HTML, ROBOT]) {
      assert.deepEqual(await headOf(BASE + long.path, headers), {
        title: 'Do not believe this · Visual Degrees', ogTitle: 'Do not believe this · Visual Degrees',
        description: FORGED, ogDescription: FORGED, type: 'website', url: BASE + long.path, image: undefined,
        card: 'summary',
      }, what);
    }
  }
  // The page itself, of what can be read as a chain.
  for (const what of ['another name in it', 'the whole file of another chain']) {
    await changeDocument(STATE, DIGEST.exec(long.path)[0], () => WRONG[what]);
    await assertForgedFirst(BASE + long.path, JSON.parse(WRONG[what]).body, example);
  }
});

/** The page says it before anything else, and nothing of what the file claims is seen at any time. */
async function assertForgedFirst(address, { order, events }, example) {
  const page = await browser.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  // Each title, text and field that was seen, from the very first.
  await page.addInitScript(() => {
    window.seen = new Set();
    const look = () => {
      const view = document.querySelector('visual-degrees')?.shadowRoot?.querySelector('.view');
      const texts = [document.body, view].map((one) => one?.innerText ?? '');
      const fields = [...document.querySelectorAll('input')].map((one) => one.value);
      for (const one of [document.title, ...texts, ...fields]) window.seen.add(one);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(address);
  const said = page.locator('[data-testid="verification"][data-result="different"]');
  await said.waitFor();
  const heading = said.getByRole('heading');
  assert.match(await heading.textContent(), /not the chain that was published here: do not believe it/);
  assert.equal(await page.title(), 'Do not believe this · Visual Degrees');
  const [{ y }, form] = await Promise.all([heading.boundingBox(), on(page, 'form').boundingBox()]);
  assert.ok(y < form.y, 'the form stands before the warning');
  const seen = await page.evaluate(() => [...window.seen].join('\n'));
  assert.match(seen, /do not believe it/);
  const claimed = new Set([order.personA, order.personB, ...events.at(-1).path.map(({ name }) => name)]);
  // These two stand in the form in any case.
  for (const name of [example.a, example.b]) claimed.delete(name);
  assert.ok(claimed.size >= 2);
  assert.deepEqual([...claimed].filter((name) => seen.includes(name)), []);
  await page.close();
}
