// For `npm run test:kill`: for every call of a run one run that is killed while that call is under
// way, and one that is killed right after its answer. A line for each; the first failure ends it.
import { isEnding } from '../../scripts/processes.mjs';
import {
  evenlySlow, killedRun, pairOf, Server, uninterrupted, UNDER_WAY_MAX,
} from './kills.mjs';
import { BASE, SANDBOX } from './support.mjs';

/** A call is found and its server killed well within this time. */
const LATENCY_MS = 60;
/** What the kill comes after, in milliseconds from when the sandbox has seen the call. */
const MOMENTS = { 'under way': 0, answered: LATENCY_MS + 5 };

const [plan] = process.argv.slice(2);
const sandbox = await evenlySlow(LATENCY_MS);
const server = await Server.start({ ...sandbox.settings, PUBLIC: '1' });
try {
  await killEverywhere();
} catch (error) {
  // After Ctrl-C every failure is only its echo.
  if (!isEnding()) console.log(`FAILED: ${error.stack}`);
  process.exitCode = 1;
} finally {
  await Promise.all([server.stop(), sandbox.stop()]);
}

async function killEverywhere() {
  const expected = await uninterrupted(BASE, SANDBOX, pairOf(plan), plan);
  // The last ones may not be needed any more.
  const calls = expected.calls.slice(0, 1 - UNDER_WAY_MAX);
  const { story } = expected;
  console.log(`The ${plan} run makes ${calls.length} calls and tells ${story.length} events.`);
  const sum = { places: 0, again: 0, unseen: 0 };
  for (const [position, { provider }] of calls.entries()) {
    for (const [moment, afterMs] of Object.entries(MOMENTS)) {
      const n = position + 1;
      process.stdout.write(`call ${n} of ${calls.length}, ${provider}, ${moment}: `);
      const { again, unseen } = await killedRun(server, sandbox, expected, [{ n, afterMs }]);
      console.log(`goes on${again ? ', paid again' : ''}${unseen ? ', counted but not sent' : ''}`);
      sum.places += 1;
      sum.again += again;
      sum.unseen += unseen;
    }
  }
  console.log(`${sum.places} kills, ${sum.places} runs went on and told the same story; `
    + `${sum.again} paid calls were sent again, ${sum.unseen} were counted and never sent.`);
}
