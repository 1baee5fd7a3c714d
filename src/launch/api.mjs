// `npm run test:api`: asks servers of the sandbox whatever the API's description allows and forbids,
// by Schemathesis, which has to be installed (CONTRIBUTING.md). Arguments after -- go on to it.
import { join } from 'node:path';
import { buildWorker } from './build.mjs';
import { endAll, endAllOnSignals, isEnding } from './processes.mjs';
import { say, sayFailure, sinceStart } from './say.mjs';
import { setUp } from './setup.mjs';
import { runBesideServices } from './stand.mjs';

async function testApi(args) {
  await setUp();
  await buildWorker();
  const { ok } = await runBesideServices([join('tests', 'e2e', 'schemathesis.mjs'), ...args]);
  if (isEnding()) return;
  say(`All in ${sinceStart()}.`);
  process.exitCode = ok ? 0 : 1;
}

endAllOnSignals(() => say('\nEnding everything ...'));
try {
  await testApi(process.argv.slice(2));
} catch (error) {
  if (!isEnding()) {
    sayFailure(error);
    process.exitCode = 1;
  }
}
if (!isEnding()) await endAll();
