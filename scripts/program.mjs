// How a program that ends by itself begins and ends: what it has started ends with it.
import { endAll, endAllOnSignals, isEnding } from './processes.mjs';
import { say, sayFailure } from './say.mjs';

/** Runs `work` with the command's arguments; where it throws, that is said, and the code is 1. */
export async function runProgram(work) {
  endAllOnSignals(() => say('\nEnding everything ...'));
  try {
    await work(process.argv.slice(2));
  } catch (error) {
    if (!isEnding()) {
      sayFailure(error);
      process.exitCode = 1;
    }
  }
  if (!isEnding()) await endAll();
}
