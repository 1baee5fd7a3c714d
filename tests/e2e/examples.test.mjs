// The automata that `npm start` stores run to their ends when anybody starts them by their names.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browserSettings, startBrowser } from '../../scripts/browser.mjs';
import { examples, exampleSecrets, storeExamples } from '../../scripts/examples.mjs';
import { created, endStarted, eventsOfRun, ownSandbox, ownWorker, post, startedOne } from './support.mjs';
import { TOKEN } from './shopping.mjs';

let sandbox = null;
let worker = null;

before(async () => {
  sandbox = await startedOne(ownSandbox([]));
  const browser = await startedOne(startBrowser());
  const settings = {
    ...sandbox.settings, ...exampleSecrets(sandbox.listening), ...browserSettings(browser, TOKEN), PUBLIC: '1',
  };
  worker = await startedOne(ownWorker({ settings }));
  await storeExamples(worker.base, TOKEN, sandbox.listening);
});
after(endStarted);

const ends = {
  'buy-a-cup': 'The tea cup is in the basket.',
  'buy-a-cup-in-german': 'The tea cup is in the basket.',
  'send-a-letter': 'The letter is sent.',
};

test('each example has an end that is known here', async () => {
  assert.deepEqual(Object.keys(await examples(sandbox.listening)), Object.keys(ends));
});

for (const [name, end] of Object.entries(ends)) {
  test(`${name} comes to its end`, async () => {
    const run = await created(await post(`${worker.base}/runs`, { automaton: name }));
    const last = (await eventsOfRun(worker.base, run)).at(-1);
    assert.deepEqual([last.type, last.payload.message], ['completed', end], JSON.stringify(last.payload));
    const { drift, extracted } = last.payload;
    if (name === 'buy-a-cup-in-german') assert.ok(drift.regenerated.length > 0, JSON.stringify(drift));
    if (name === 'send-a-letter') assert.deepEqual(extracted, { SAID: 'The letter to Ada is sent.' });
  });
}
