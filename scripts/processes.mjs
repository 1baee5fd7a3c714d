// Every program that we start runs in its own process group, so that ending the group ends its children too: `workerd
// serve` outlives a wrangler that is killed alone.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Stop } from './say.mjs';

const TERM_WAIT_MS = 5_000;
const KILL_WAIT_MS = 1_000;
const LOOK_EVERY_MS = 25;
/** The niceness of a program that gives way to all programs whose end is waited for. */
export const PATIENT = 10;
/** The niceness of a program that gives way even to programs with the niceness `PATIENT`. */
export const MOST_PATIENT = 19;

/** Leaders of the groups that may still have a running member. */
const groups = new Set();
let ending = false;

// However this process ends, even by a failure, none of its programs keeps running.
process.on('exit', killAll);

/**
 * Starts a program in its own group, without standard input. With `hasMessages` the two Node processes can exchange
 * messages.
 */
export function launch(command, args, options = {}) {
  if (ending) throw new Stop('Stopped.');
  const { stdout = 'inherit', stderr = 'inherit', patience = 0, hasMessages = false, ...rest } = options;
  const stdio = ['ignore', stdout, stderr, ...(hasMessages ? ['ipc'] : [])];
  const child = spawn(command, args, { ...rest, stdio, detached: true });
  if (child.pid !== undefined) {
    groups.add(child.pid);
    if (patience > 0) makePatient(child.pid, patience);
    // The system may reuse the number of an empty group, so it is forgotten.
    child.once('exit', () => groupAlive(child.pid) || groups.delete(child.pid));
  }
  return child;
}

/** Lowers a program's priority. If the system does not allow that, the program keeps the usual one. */
function makePatient(pid, patience) {
  try {
    setPriority(pid, patience);
    // Linux shares processor time among sessions first, so the priority of the program's own session is lowered too.
    writeFileSync(`/proc/${pid}/autogroup`, String(patience));
  } catch {
    // The program may have ended, or the system may lack this file, which is no failure.
  }
}

/** Waits for a program to end. Resolves to `{code, signal}`; rejects with a `Stop` if the program cannot be started. */
export function ended(child, name) {
  return new Promise((resolve, reject) => {
    child.once('error', ({ message }) => reject(new Stop(`${name} does not start: ${message}.`)));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Runs a program to its end and returns its standard output. With `tee` the standard output is also shown live. With
 * `told`, a list, all output is collected there instead, to be shown afterwards.
 * @returns {Promise<{ok: boolean, code: number, output: string}>}
 */
export async function run(command, args, { tee = false, told = null, onPiece, ...options } = {}) {
  const all = told ? { ...options, stderr: 'pipe' } : options;
  const child = launch(command, args, { ...all, stdout: 'pipe' });
  const pieces = [];
  const tell = (piece) => {
    told?.push(piece);
    onPiece?.(piece);
  };
  child.stdout?.on('data', (piece) => {
    pieces.push(piece);
    tell(piece);
    if (tee) process.stdout.write(piece);
  });
  if (told) child.stderr?.on('data', tell);
  const { code } = await ended(child, command);
  return { ok: code === 0, code: code ?? 1, output: Buffer.concat(pieces).toString() };
}

/** Runs a program that must succeed; `complaint` is the error text if it does not. */
export async function must(command, args, complaint, options = {}) {
  const result = await run(command, args, options);
  if (!result.ok) throw new Stop(complaint);
  return result.output;
}

/** Runs a compiler that must succeed: its output is shown only if it fails, so that several can run at once. */
export async function compile(command, args, complaint, options = {}) {
  const child = launch(command, args, { ...options, stdout: 'pipe', stderr: 'pipe' });
  const [output, words] = [[], []];
  child.stdout?.on('data', (piece) => output.push(piece));
  child.stderr?.on('data', (piece) => words.push(piece));
  const { code } = await ended(child, command);
  if (code !== 0) {
    if (!ending) process.stderr.write(Buffer.concat(words));
    throw new Stop(complaint);
  }
  return Buffer.concat(output).toString();
}

/** The output of a short program; `null` if it fails or is not installed. */
export async function ask(command, args, options = {}) {
  try {
    const result = await run(command, args, { stderr: 'ignore', ...options });
    return result.ok ? result.output.trim() : null;
  } catch {
    return null;
  }
}

/** Ends one group: sends SIGTERM, waits, then kills. */
export async function endGroup(leader) {
  signalGroup(leader, 'SIGTERM');
  if (!(await emptied(leader, TERM_WAIT_MS))) {
    signalGroup(leader, 'SIGKILL');
    await emptied(leader, KILL_WAIT_MS);
  }
  groups.delete(leader);
}

/** Ends all programs that this process has started. */
export async function endAll() {
  ending = true;
  await Promise.all([...groups].map(endGroup));
}

/** Kills all programs that this process has started. */
export function killAll() {
  for (const leader of groups) signalGroup(leader, 'SIGKILL');
}

/** On Ctrl-C and similar signals: ends all and exits with the usual code. A second signal does not wait. */
export function endAllOnSignals(beforeEnding = () => {}) {
  let asked = false;
  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]]) {
    process.on(signal, async () => {
      if (asked) {
        killAll();
        process.exit(code);
      }
      asked = true;
      beforeEnding();
      await endAll();
      process.exit(code);
    });
  }
}

/** Whether a signal is ending this process, so that failures from now on are only consequences. */
export function isEnding() {
  return ending;
}

async function emptied(leader, limitMs) {
  for (const until = Date.now() + limitMs; Date.now() < until; ) {
    if (!groupAlive(leader)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return !groupAlive(leader);
}

/**
 * Whether a group has a running member. A member that has ended does not count, since in a container without an init it
 * stays as a zombie.
 */
function groupAlive(leader) {
  return signalGroup(leader, 0) && membersOf(leader).length > 0;
}

/** The running programs of a group, by number and name. */
export function membersOf(leader) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.map(runningAt).filter((program) => program?.group === leader);
}

function runningAt(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in brackets and may contain anything; after it come state, parent and group.
    const [from, to] = [stat.indexOf('('), stat.lastIndexOf(')')];
    const [state, , group] = stat.slice(to + 2).split(' ');
    const hasEnded = state === 'Z' || state === 'X';
    return hasEnded ? null : { pid, name: stat.slice(from + 1, to), group: Number(group) };
  } catch {
    return null;
  }
}

function signalGroup(leader, signal) {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}
