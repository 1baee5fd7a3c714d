// What the launching scripts tell the person who typed the command.
//
// Everything goes to standard error, so that standard output stays for what somebody may want to
// pipe: the address and the links.

/** A failure that the reader can act on: its message is the whole story, a stack trace is not. */
export class Stop extends Error {}

const started = Date.now();

/** A plain sentence. */
export function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

/** Says what is being done and, when it is done, how long it took. */
export async function step(title, work) {
  const from = Date.now();
  say(`> ${title} ...`);
  const result = await work();
  say(`  done in ${seconds(Date.now() - from)}`);
  return result;
}

/** `1.4 s`, `2 min 05 s`. */
export function seconds(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** Time since the command was typed. */
export function sinceStart() {
  return seconds(Date.now() - started);
}

/** Says why the command ends: one sentence for a `Stop`, the whole stack for a mistake of ours. */
export function sayFailure(error) {
  say(error instanceof Stop ? `\n${error.message}` : `\n${error?.stack ?? error}`);
}
