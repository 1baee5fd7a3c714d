// `npm test`: sets up, then runs every step, several at a time, and stops at the first failure. `npm test -- --only
// rust` (or page, mcp, recogniser, e2e) runs one part; `--all` also repeats steps that have passed with the same files.
import { addStep } from './counts.mjs';
import { inShort, runSteps, withNeeds } from './graph.mjs';
import { ensurePackages } from './packages.mjs';
import { checkMachine } from './checks.mjs';
import { openPassed, unlessPassed } from './passed.mjs';
import { endAll, isEnding } from './processes.mjs';
import { runProgram } from './program.mjs';
import { say, sayFailure, seconds, sinceStart, Stop } from './say.mjs';
import { setUpForTests } from './setup.mjs';
import { slowestFiles } from './slowest.mjs';
import { closeStands } from './stands.mjs';
import { allSteps, PARTS, ROOM } from './steps.mjs';

const SLOWEST_SHOWN = 10;

/** The parts that the arguments name, or all parts; and whether `--all` is set. */
function chosen(args) {
  const others = args.filter((word) => word !== '--all');
  const isEvery = others.length < args.length;
  const parts = others.length === 2 && others[0] === '--only' ? others[1].split(',') : null;
  if (others.length === 0) return { parts: PARTS, isEvery };
  if (parts?.every((part) => PARTS.includes(part))) return { parts, isEvery };
  throw new Stop(`npm test takes nothing, or -- and --only with one of ${PARTS.join(', ')}, and --all.`);
}

async function test(args) {
  const { parts, isEvery } = chosen(args);
  if (parts.join() === 'page') {
    // The page's tests are for quick iterations, so Rust is not set up for them.
    await checkMachine();
    await ensurePackages();
  } else {
    await setUpForTests();
  }
  const wanted = withNeeds(await allSteps(), ({ part }) => parts.includes(part));
  const steps = isEvery ? wanted : await withoutPassed(wanted);
  const ends = [];
  let sum = { passed: 0, failed: 0 };
  let before = 0;
  const left = await runSteps(steps, {
    room: ROOM,
    onBegin: ({ title }) => say(`> ${title} ...`),
    onEnd: (end, others) => {
      if (isEnding()) return;
      sum = addStep(sum, { output: '', ...end.result });
      before += end.result.before ?? 0;
      ends.push(end);
      show(end, others);
    },
  });
  if (isEnding()) return;
  const isGood = ends.every(({ result }) => result.ok);
  if (isGood) await closeStands();
  else await endAll();
  tellAll(ends, left);
  const more = before > 0 ? `; ${before} passed before with the same files` : '';
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${more}\n`);
  process.exitCode = isGood ? 0 : 1;
}

/** The steps, of which those that depend only on files do nothing if they have passed before. */
async function withoutPassed(steps) {
  if (!steps.some((step) => step.isDecidedByFiles)) return steps;
  const passed = await openPassed();
  return steps.map((step) => (step.isDecidedByFiles ? unlessPassed(passed, step) : step));
}

/** Prints the whole output of a step at once, and which steps are left to run. */
function show({ step, result, told, ms }, { running, waiting }) {
  process.stdout.write(`\n== ${step.title}\n`);
  for (const piece of told) process.stdout.write(piece);
  if (result.error) sayFailure(result.error);
  say(`== ${lineOf({ step, result, ms })}, ${sinceStart()} since the start`);
  if (running.length > 0) say(`   under way: ${inShort(running)}`);
  if (waiting.length > 0) say(`   left: ${inShort(waiting)}`);
}

const lineOf = ({ step, result, ms }) =>
  `${result.ok ? 'ok    ' : 'FAILED'}  ${step.title} (${result.before === undefined ? seconds(ms) : 'before'})`;

const wordsOf = ({ told }) => Buffer.concat(told).toString();

function tellAll(ends, { running, waiting }) {
  say(`\n${ends.map(lineOf).join('\n')}`);
  const unfinished = [...running, ...waiting];
  if (unfinished.length > 0) say(`not run to their end: ${inShort(unfinished)}`);
  const slowest = slowestFiles(ends.map(wordsOf).join('')).slice(0, SLOWEST_SHOWN);
  say(`\nThe slowest files:\n${slowest.map(({ file, ms }) => `${seconds(ms).padStart(12)}  ${file}`).join('\n')}`);
  say(`All in ${sinceStart()}.`);
}

await runProgram(test);
