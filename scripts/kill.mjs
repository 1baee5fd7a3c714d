// `npm run test:kill`: spends a day's budget, also while the server is killed; then kills a server at every call of one
// run, each time in a new run, and stops at the first run that does not recover. `npm run test:kill -- one-sided` uses
// the other plan; `-- overspend` runs only the first part.
import { join } from 'node:path';
import { buildWorker } from './build.mjs';
import { isEnding } from './processes.mjs';
import { runProgram } from './program.mjs';
import { say, sinceStart, Stop } from './say.mjs';
import { setUp } from './setup.mjs';
import { runBesideServices } from './stand.mjs';

const PLANS = ['both-ends', 'one-sided'];
const OVERSPEND = 'overspend';

async function kill(args) {
  const [plan = PLANS[0], ...more] = args;
  const parts = [...PLANS, OVERSPEND];
  if (more.length > 0 || !parts.includes(plan)) {
    throw new Stop(`npm run test:kill takes nothing, or -- and one of ${parts.join(', ')}.`);
  }
  await setUp();
  await buildWorker();
  const part = (name, ...rest) => runBesideServices([join('tests', 'e2e', name), ...rest]);
  let { ok } = await part('overspend.mjs');
  if (ok && plan !== OVERSPEND && !isEnding()) ({ ok } = await part('everycall.mjs', plan));
  if (isEnding()) return;
  say(`All in ${sinceStart()}.`);
  process.exitCode = ok ? 0 : 1;
}

await runProgram(kill);
