// Every image search and every planner finds the example's chain in a real Worker; what each costs
// is printed in one table. And the doctor, people's suggestions, and the Worker's own models.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { report } from '../../scripts/doctor.mjs';
import { ownSettings } from '../../scripts/own-settings.mjs';
import { root } from '../../scripts/places.mjs';
import { parseDevVars } from '../../scripts/settings.mjs';
import {
  assertProblem, assertWhole, calls, forgetCalls, investigation, ownSandbox, ownWorker, read,
  request, runOf, STATE,
} from './support.mjs';
import { configIn } from './config.mjs';
import { workerWithModels } from './models.mjs';
import { assertProofsAreShown, launch, on } from './page.mjs';

const TOKEN = 'the-operators-token';
/** What is asked, and what of the sandbox answers then. */
const CHOICES = [
  { IMAGE_SEARCH: 'commons', PLANNER: 'none' },
  { IMAGE_SEARCH: 'brave', PLANNER: 'none' },
  { IMAGE_SEARCH: 'openverse', PLANNER: 'none' },
  { IMAGE_SEARCH: 'serpapi', PLANNER: 'none' },
  { IMAGE_SEARCH: 'serper', PLANNER: 'none' },
  { IMAGE_SEARCH: 'google', PLANNER: 'gemini' },
  { IMAGE_SEARCH: 'commons', PLANNER: 'workers-ai' },
  { IMAGE_SEARCH: 'commons', PLANNER: 'openai' },
];
const table = [];

let sandbox = null;

before(async () => {
  sandbox = await ownSandbox([]);
});
after(async () => {
  await sandbox?.stop();
  console.log('search     planner     hops  searches  photos  plans  dollars');
  for (const row of table) console.log(row);
});

async function withWorker(more, look) {
  const settings = { ...sandbox.settings, PUBLIC: '1', OPERATOR_TOKEN: TOKEN, ...more };
  const worker = await ownWorker({ settings, mayLack: true });
  try {
    return await look(worker);
  } finally {
    await worker.stop();
  }
}

async function findExample(base, { IMAGE_SEARCH: search, PLANNER: planner }) {
  await forgetCalls(sandbox.listening);
  const stream = await read(investigation(base, sandbox.example));
  assertWhole(stream, runOf(stream));
  const { data: last } = stream.events.at(-1);
  assert.equal(last.type, 'final', `${search}, ${planner}: ${last.message}`);
  const { searchCalls, rekognitionCalls, llmCalls, usd } = last.spent;
  const columns = [
    search.padEnd(10), planner.padEnd(11), String(last.edges.length).padStart(4),
    String(searchCalls).padStart(9), String(rekognitionCalls).padStart(7),
    String(llmCalls).padStart(6), usd.toFixed(4).padStart(8),
  ];
  table.push(columns.join(' '));
  return last;
}

for (const choice of CHOICES) {
  const { IMAGE_SEARCH: search, PLANNER: planner } = choice;
  test(`the example has a chain with ${search} and ${planner}`, () =>
    withWorker(choice, async ({ base }) => {
      const last = await findExample(base, choice);
      assert.ok((await calls(sandbox.listening, search)).length > 0);
      const photos = last.edges.flatMap(({ evidence }) => evidence);
      if (search === 'commons') {
        // Not every file of Commons names its author.
        assert.ok(photos.every(({ license }) => license), JSON.stringify(photos));
        assert.ok(photos.some(({ author }) => author), JSON.stringify(photos));
      }
      if (planner !== 'none') assert.ok((await calls(sandbox.listening, planner)).length > 0);
    }));
}

test('the page shows photos of Commons and who took them', () =>
  withWorker({ IMAGE_SEARCH: 'commons', PLANNER: 'none' }, async ({ base }) => {
    const browser = await launch();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const complaints = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(investigation(base, sandbox.example));
      await page.locator('[data-testid="outcome"][data-kind="final"]').waitFor();
      const links = (await on(page, 'chain-person').count()) - 1;
      assert.ok(links > 0, 'no chain is shown');
      await assertProofsAreShown(page, links);
      const credits = page.locator('vd-evidence .path').locator(on(page, 'credit'));
      for (const credit of await credits.allTextContents()) assert.match(credit, /^Photo: \S/);
      assert.equal(await credits.count(), links);
      assert.deepEqual(complaints, []);
    } finally {
      await browser.close();
    }
  }));

test('.dev.vars.example with two AWS keys filled in is enough for npm start', async () => {
  const example = await readFile(join(root, '.dev.vars.example'), 'utf8');
  const text = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].reduce(
    (filled, name) => filled.replace(`${name}=\n`, `${name}=${sandbox.settings[name]}\n`), example,
  );
  const folder = await mkdtemp(join(STATE, 'keys-'));
  await writeFile(join(folder, '.dev.vars'), text);
  const standIns = Object.fromEntries(
    ['REKOGNITION_ENDPOINT', 'COMMONS_BASE', 'IMAGE_ORIGIN_ALLOWED']
      .map((name) => [name, sandbox.settings[name]]),
  );
  const settings = { ...standIns, ...(await ownSettings(parseDevVars(text), {}, () => {})) };
  const args = ['--config', await configIn(folder)];
  const worker = await ownWorker({ settings, folder, devVars: true, args });
  try {
    const expected = { search: ['commons'], recogniser: ['rekognition'], planner: [], people: null };
    assert.deepEqual(worker.health.providers, expected);
    await findExample(worker.base, { IMAGE_SEARCH: 'commons', PLANNER: 'none' });
  } finally {
    await worker.stop();
  }
});

test('all runs of the Worker share the pace of the recogniser', () =>
  withWorker({ PLANNER: 'none', RECOGNITIONS_PER_SECOND: '5' }, async ({ base }) => {
    const began = performance.now();
    const addresses = [1, 2].map(() => investigation(base, sandbox.example));
    const streams = await Promise.all(addresses.map((address) => read(address)));
    const tookMs = performance.now() - began;
    const ends = streams.map(({ events }) => events.at(-1).data);
    const photos = ends.reduce((sum, { spent }) => sum + spent.rekognitionCalls, 0);
    // Five may go at once. Each run at a pace of its own would be over in half of the time.
    const leastMs = (photos - 5) * 200;
    assert.ok(tookMs >= leastMs, `${photos} photos in ${tookMs} ms, not ${leastMs}`);
  }));

test('a search that does not answer hands over, and viewers are told once', () =>
  withWorker(
    { IMAGE_SEARCH: 'brave,google', BRAVE_API_KEY: 'wrong', PLANNER: 'none' },
    async ({ base }) => {
      await forgetCalls(sandbox.listening);
      const stream = await read(investigation(base, sandbox.example));
      assert.equal(stream.events.at(-1).type, 'final');
      const told = stream.events.filter(({ data }) => /Google Custom Search is asked/.test(data.message));
      assert.equal(told.length, 1);
      assert.equal((await calls(sandbox.listening, 'brave')).length, 1);
    },
  ));

test('a wrong setting is named and nothing is started', () =>
  withWorker({ IMAGE_SEARCH: 'bing', PRICE_BRAVE_USD_PER_1000: 'much' }, async (worker) => {
    assert.equal(worker.health.status, 'not_configured');
    const problem = await assertProblem(
      await request(investigation(worker.base, sandbox.example)), 503,
    );
    assert.match(problem.detail, /IMAGE_SEARCH \(knows brave, .*, not "bing"\)/);
  }));

test('a planner on Workers AI without token and binding is named and nothing is started', () =>
  withWorker({ PLANNER: 'workers-ai', CLOUDFLARE_API_TOKEN: '' }, async (worker) => {
    const problem = await assertProblem(
      await request(investigation(worker.base, sandbox.example)), 503,
    );
    assert.match(problem.missing.join(), /^PLANNER \(workers-ai needs CLOUDFLARE_API_TOKEN, or /);
  }));

test('the doctor asks every provider once and says a line for each', () =>
  withWorker(
    {
      IMAGE_SEARCH: 'brave,commons,google,openverse,serpapi,serper',
      PLANNER: 'gemini,workers-ai,openai',
      SERPER_API_KEY: 'wrong',
    },
    async ({ base }) => {
      await assertProblem(await request(`${base}/health?deep=1`), 401);
      await forgetCalls(sandbox.listening);
      const headers = { authorization: `Bearer ${TOKEN}` };
      const health = await (await request(`${base}/health?deep=1`, { headers })).json();
      assert.equal(health.status, 'failing');
      const { lines, isWell } = report(health);
      assert.equal(isWell, false);
      assert.equal(lines.length, 12);
      const failing = health.checks.filter(({ works }) => !works);
      assert.deepEqual(failing.map(({ provider }) => provider), ['serper'], lines.join('\n'));
      assert.match(failing[0].message, /SERPER_API_KEY/);
      const asked = (await calls(sandbox.listening)).map(({ provider }) => provider);
      assert.deepEqual(asked.length, 12, asked.join(' '));
    },
  ));

test('people are suggested by Wikidata, the same ones without asking twice', () =>
  withWorker({}, async ({ base }) => {
    const { a } = sandbox.example;
    await forgetCalls(sandbox.listening);
    const ask = () => request(`${base}/people?${new URLSearchParams({ q: a })}`);
    const answer = await ask();
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.match(answer.headers.get('cache-control'), /max-age/);
    const { people } = await answer.json();
    assert.equal(people[0].label, a);
    assert.match(people[0].number, /^Q\d+$/);
    const asked = (await calls(sandbox.listening, 'wikidata')).length;
    assert.equal(asked, 2);
    assert.deepEqual((await (await ask()).json()).people, people);
    assert.equal((await calls(sandbox.listening, 'wikidata')).length, asked);
    await assertProblem(await request(`${base}/people?q=x`), 400);
    // Whoever is meant is searched for and bound by the number.
    const run = investigation(base, sandbox.example, { wikidataA: people[0].number });
    const last = (await read(run)).events.at(-1);
    assert.equal(last.type, 'final', last.data.message);
  }));

test('suggestions are off where nobody switched them on', () =>
  withWorker({ PEOPLE: 'none' }, async ({ base }) => {
    await assertProblem(await request(`${base}/people?q=Ann`), 404);
  }));

/** A run whose planner is the binding, to its end; and what it told that fits `words`. */
async function plannedByBinding(more, words) {
  const folder = await mkdtemp(join(STATE, 'models-'));
  const settings = {
    ...sandbox.settings, PUBLIC: '1', PLANNER: 'workers-ai', CLOUDFLARE_API_TOKEN: '', ...more,
  };
  const worker = await workerWithModels({ settings, folder });
  try {
    const stream = await read(investigation(worker.base, sandbox.example));
    const { data: last } = stream.events.at(-1);
    assert.equal(last.type, 'final', last.message);
    assert.ok(last.spent.llmCalls > 0);
    return stream.events.filter(({ data }) => words.test(data.message));
  } finally {
    await worker.stop();
  }
}

test('the binding of the Worker gets its schema as an object', async () => {
  const chosen = await plannedByBinding({}, /chosen by the planner/);
  assert.ok(chosen.length > 0, 'the planner never chose');
});

test('a binding that answers nothing ends no run', async () => {
  const nothing = {
    WORKERS_AI_MODEL: '@cf/says/nothing',
    PRICE_WORKERS_AI_IN_USD_PER_MILLION: '0', PRICE_WORKERS_AI_OUT_USD_PER_MILLION: '0',
  };
  const told = await plannedByBinding(nothing, /the ranking decides/);
  assert.ok(told.length > 0, 'nobody was told');
});
