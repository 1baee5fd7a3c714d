// `npm run test:api`: sends the sandbox's servers requests that the API's description allows and forbids, by
// Schemathesis, which must be installed (CONTRIBUTING.md). Arguments after -- are passed to it.
import { join } from 'node:path';
import { buildWorker } from './build.mjs';
import { isEnding } from './processes.mjs';
import { runProgram } from './program.mjs';
import { say, sinceStart } from './say.mjs';
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

await runProgram(testApi);
