// `npm test`: sets up, then runs every step and stops at the first that fails.
// `npm test -- --only rust` (or page, or e2e) runs a part.
import { addStep } from './counts.mjs';
import { ensurePackages } from './packages.mjs';
import { checkMachine } from './checks.mjs';
import { isEnding } from './processes.mjs';
import { runProgram } from './program.mjs';
import { say, sayFailure, seconds, sinceStart, Stop } from './say.mjs';
import { setUpForTests } from './setup.mjs';
import { PARTS, STEPS } from './steps.mjs';

/** The parts that the arguments name; all where they name none. */
function chosenParts(args) {
  const parts = args.length === 2 && args[0] === '--only' ? args[1].split(',') : null;
  if (args.length === 0) return PARTS;
  if (parts?.every((part) => PARTS.includes(part))) return parts;
  throw new Stop(`npm test takes nothing, or -- --only and one of ${PARTS.join(', ')}.`);
}

async function test(args) {
  const parts = chosenParts(args);
  if (parts.join() === 'page') {
    // The page's tests are for quick turns: nothing of Rust is needed for them.
    await checkMachine();
    await ensurePackages();
  } else {
    await setUpForTests();
  }
  const lines = [];
  let sum = { passed: 0, failed: 0 };
  let good = true;
  for (const { title, work } of STEPS.filter((step) => parts.includes(step.part))) {
    say(`\n== ${title}`);
    const from = Date.now();
    const result = await attempt(work);
    if (isEnding()) return;
    sum = addStep(sum, result);
    good = result.ok;
    lines.push(`${good ? 'ok    ' : 'FAILED'}  ${title} (${seconds(Date.now() - from)})`);
    say(`== ${lines.at(-1)}`);
    if (!good) break;
  }
  say(`\n${lines.join('\n')}\nAll in ${sinceStart()}.`);
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
  process.exitCode = good ? 0 : 1;
}

/** A step that cannot be carried out has failed. */
async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (!isEnding()) sayFailure(error);
    return { ok: false, output: '' };
  }
}

await runProgram(test);
