// What the launching scripts tell the person who typed the command.
//
// Everything goes to standard error, so that standard output stays for what somebody may want to
// pipe: the address and the links.

/** A failure that the reader can act on: its message is the whole story, a stack trace is not. */
export class Stop extends Error {}

const started = Date.now();
/** For a terminal: back to the beginning of the line, and nothing on it. */
const CLEAR_LINE = '\r\x1b[K';

/** A plain sentence. */
export function say(sentence) {
  process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${sentence}\n`);
}

/** What is being made or will be, by name. */
const left = new Set();

/** Names what a start will make, so that whoever waits can be told what is left. */
export function announce(names) {
  if (names.length === 0) return;
  for (const name of names) left.add(name);
  say(`To be made, once: ${names.join(', ')} (about 5 minutes for everything on two cores).`);
}

/** It is there, whoever has made it. */
export function noteMade(name) {
  left.delete(name);
}

/** Says what is being made and, when it is, how long that took and what is left. */
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

/** Where somebody watches, the last line says how long it has been and what is left. */
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
