// `npm run test:kill`: kills a server at every call of one run, each time in a new run, and stops
// at the first that does not survive it. `npm run test:kill -- one-sided` takes the other plan.
import { join } from 'node:path';
import { buildWorker } from './build.mjs';
import { endAll, endAllOnSignals, isEnding } from './processes.mjs';
import { say, sayFailure, sinceStart, Stop } from './say.mjs';
import { setUp } from './setup.mjs';
import { runBesideServices } from './stand.mjs';

const PLANS = ['both-ends', 'one-sided'];

async function kill(args) {
  const [plan = PLANS[0], ...more] = args;
  if (more.length > 0 || !PLANS.includes(plan)) {
    throw new Stop(`npm run test:kill takes nothing, or -- and one of ${PLANS.join(', ')}.`);
  }
  await setUp();
  await buildWorker();
  const { ok } = await runBesideServices([join('tests', 'e2e', 'everycall.mjs'), plan]);
  if (isEnding()) return;
  say(`All in ${sinceStart()}.`);
  process.exitCode = ok ? 0 : 1;
}

endAllOnSignals(() => say('\nEnding everything ...'));
try {
  await kill(process.argv.slice(2));
} catch (error) {
  if (!isEnding()) {
    sayFailure(error);
    process.exitCode = 1;
  }
}
if (!isEnding()) await endAll();
