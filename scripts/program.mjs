// The start and end of a program that ends by itself. All programs that it has started end with it.
import { endAll, endAllOnSignals, isEnding } from './processes.mjs';
import { say, sayFailure } from './say.mjs';

/** Runs `work` with the command's arguments; if it throws, reports that and exits with 1. */
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
