// For `npm run test:kill`: 500 creations from 50 clients at once against a day of 100 small runs,
// first undisturbed, then with the server killed at ten moments. What the sandbox was asked is held
// against what the budget's object says, and against the budget.
import assert from 'node:assert/strict';
import { isEnding } from '../../scripts/processes.mjs';
import { evenlySlow, Server } from './kills.mjs';
import { bought, closedBooks, dayOf, startSmall, storm } from './spending.mjs';
import { forgetCalls, pause } from './support.mjs';

const CREATIONS = { creations: 500, clients: 50 };
const RUNS = 100;
const KILLS = 10;
/** A call takes so long: at every kill some are under way. */
const LATENCY_MS = 100;
/** Between two kills, in milliseconds from when the server answers again: each another moment. */
const AFTER_MS = [150, 40, 300, 90, 10, 220, 500, 60, 130, 400];
/** A reservation whose run was never begun is given back after two minutes. */
const SETTLED_LIMIT_MS = 200_000;

const sandbox = await evenlySlow(LATENCY_MS);
const servers = [];
try {
  for (const kills of [0, KILLS]) await spendADay(kills);
} catch (error) {
  // After Ctrl-C every failure is only its echo.
  if (!isEnding()) console.log(`FAILED: ${error.stack}`);
  process.exitCode = 1;
} finally {
  await Promise.all([sandbox, ...servers].map((one) => one.stop()));
}

async function spendADay(kills) {
  await forgetCalls(sandbox.listening);
  const server = await Server.start(dayOf(sandbox, RUNS, { LIVE_RUNS_MAX: '10' }));
  servers.push(server);
  const begun = Date.now();
  const storming = storm(server, CREATIONS);
  for (let kill = 0; kill < kills; kill += 1) {
    await pause(AFTER_MS[kill % AFTER_MS.length]);
    await server.killAndRestart();
  }
  const { runs, refusals, told } = await storming;
  const { spent, reserved } = await closedBooks(server.base, SETTLED_LIMIT_MS);
  const made = await bought(sandbox);
  const seconds = ((Date.now() - begun) / 1000).toFixed(0);
  console.log(`${CREATIONS.creations} creations from ${CREATIONS.clients} clients, ${kills} kills: `
    + `${runs.length} runs of ${RUNS} begun, ${refusals.length} refused; searches ${spent.searches} `
    + `in the books and ${made.searches} bought, recognitions ${spent.recognitions} and `
    + `${made.recognitions}, budget ${RUNS}; ${told.found} runs found their chain (${seconds} s)`);
  if (told.others.length > 0) console.log(`the others: ${told.others.join(', ')}`);
  assert.deepEqual(reserved, { searches: 0, recognitions: 0, nanoUsd: 0 });
  assert.equal(runs.length + refusals.length, CREATIONS.creations);
  assert.equal(new Set(runs).size, RUNS, 'exactly what fits begins');
  for (const name of ['searches', 'recognitions']) {
    assert.ok(spent[name] <= RUNS, `${spent[name]} ${name} are over the budget`);
    // What a kill came before the sending of is in the books and was never bought.
    assert.ok(made[name] <= spent[name], `${made[name]} ${name} bought, ${spent[name]} in the books`);
    assert.equal(spent[name], told[name], `${name} in the books, and as the runs tell`);
    if (told.found === RUNS) assert.equal(made[name], spent[name], name);
  }
  assert.equal(spent.searches, RUNS);
  assert.equal((await startSmall(server.base, {})).status, 429);
}
