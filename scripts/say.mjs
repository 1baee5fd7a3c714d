// Prints the launching scripts' messages to the user.
//
// Everything is printed to standard error, so that standard output has only what can be piped: the address and the
// links.

/** A failure that the user can act on: its message is complete, no stack trace is needed. */
export class Stop extends Error {}

const started = Date.now();
/** The characters that return to the beginning of a terminal's line and clear the line. */
const CLEAR_LINE = '\r\x1b[K';

/** Prints a sentence. */
export function say(sentence) {
  process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${sentence}\n`);
}

/** The names of what is still to be built, or being built. */
const left = new Set();

/** Registers what a start will build, so that messages can say what is left. */
export function announce(names) {
  if (names.length === 0) return;
  for (const name of names) left.add(name);
  say(`To be made, once: ${names.join(', ')} (about 5 minutes for everything on two cores).`);
}

/** Marks something as built, by this process or another. */
export function noteMade(name) {
  left.delete(name);
}

/** Reports what is being built and, when done, how long that took and what is left. */
export async function step(name, title, work) {
  const from = Date.now();
  left.add(name);
  say(`> ${title} ...`);
  const stopTicking = tick();
  try {
    const result = await work();
    noteMade(name);
    say(`  ${name}: done in ${seconds(Date.now() - from)}${whatIsLeft()}`);
    return result;
  } finally {
    stopTicking();
  }
}

/** On a terminal, the last line shows the elapsed time and what is left. */
function tick() {
  if (!process.stderr.isTTY) return () => {};
  const from = Date.now();
  const show = () => process.stderr.write(`${CLEAR_LINE}  ${sinceStart()}${whatIsLeft()}\r`);
  const timer = setInterval(() => Date.now() - from > 1_000 && show(), 1_000);
  return () => clearInterval(timer);
}

function whatIsLeft() {
  return left.size === 0 ? '' : `; left: ${[...left].join(', ')}`;
}

/** A duration in words, like `1.4 s` or `2 min 05 s`. */
export function seconds(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** The time since the command was typed, in words. */
export function sinceStart() {
  return seconds(Date.now() - started);
}

/** Reports why the command fails: one sentence for a `Stop`, the whole stack for a bug. */
export function sayFailure(error) {
  say(error instanceof Stop ? `\n${error.message}` : `\n${error?.stack ?? error}`);
}
