// Every program that we start runs in a process group of its own, so that ending it ends its
// children too: `workerd serve` outlives a wrangler that is killed alone.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Stop } from './say.mjs';

const TERM_WAIT_MS = 5_000;
const KILL_WAIT_MS = 1_000;
const LOOK_EVERY_MS = 25;
/** The patience of a program that gives way to all that is waited for. */
export const PATIENT = 10;
/** The patience of one that gives way to those, too. */
export const MOST_PATIENT = 19;

/** Leaders of the groups that may still have a member. */
const groups = new Set();
let ending = false;

// However we leave, a failure of ours included, nothing of ours stays behind.
process.on('exit', killAll);

/**
 * Starts a program in a group of its own. It gets no standard input: nothing here asks. With `hasMessages`
 * both can send each other messages, as two Nodes do.
 */
export function launch(command, args, options = {}) {
  if (ending) throw new Stop('Stopped.');
  const { stdout = 'inherit', stderr = 'inherit', patience = 0, hasMessages = false, ...rest } = options;
  const stdio = ['ignore', stdout, stderr, ...(hasMessages ? ['ipc'] : [])];
  const child = spawn(command, args, { ...rest, stdio, detached: true });
  if (child.pid !== undefined) {
    groups.add(child.pid);
    if (patience > 0) makePatient(child.pid, patience);
    // The number may be given to a stranger once the group is empty: forget it then.
    child.once('exit', () => groupAlive(child.pid) || groups.delete(child.pid));
  }
  return child;
}

/** It takes the processor's time that others leave. Where that is not to be had it runs as everything does. */
function makePatient(pid, patience) {
  try {
    setPriority(pid, patience);
    // Linux shares its time among sessions first, and this is one of its own.
    writeFileSync(`/proc/${pid}/autogroup`, String(patience));
  } catch {
    // It may have ended, or the system has no such file.
  }
}

/** Waits for a program's end: `{code, signal}`, or a `Stop` where it cannot even be started. */
export function ended(child, name) {
  return new Promise((resolve, reject) => {
    child.once('error', ({ message }) => reject(new Stop(`${name} does not start: ${message}.`)));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Runs a program to its end and gives its standard output. With `tee` that is also shown as it comes; with
 * `told`, a list, all that the program says is put there instead, to be shown when it is over.
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

/** Runs a program that must succeed; `complaint` is the sentence for when it does not. */
export async function must(command, args, complaint, options = {}) {
  const result = await run(command, args, options);
  if (!result.ok) throw new Stop(complaint);
  return result.output;
}

/**
 * Runs a compiler that must succeed: what it says is shown only where it fails, so that several can run at once.
 */
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

/** What a short program prints, or `null` where it fails or is not there. */
export async function ask(command, args, options = {}) {
  try {
    const result = await run(command, args, { stderr: 'ignore', ...options });
    return result.ok ? result.output.trim() : null;
  } catch {
    return null;
  }
}

/** Ends one group: asks, waits, then kills. */
export async function endGroup(leader) {
  signalGroup(leader, 'SIGTERM');
  if (!(await emptied(leader, TERM_WAIT_MS))) {
    signalGroup(leader, 'SIGKILL');
    await emptied(leader, KILL_WAIT_MS);
  }
  groups.delete(leader);
}

/** Ends everything that was started here. */
export async function endAll() {
  ending = true;
  await Promise.all([...groups].map(endGroup));
}

/** Kills everything at once. */
export function killAll() {
  for (const leader of groups) signalGroup(leader, 'SIGKILL');
}

/** On Ctrl-C and its like: ends all and leaves with the usual code. A second does not wait. */
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

/** Whether somebody asked us to end: failures after that are only its echo. */
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
 * Whether a group has a member that runs. Those that have ended do not count: in a container
 * without an init nobody ever collects them.
 */
function groupAlive(leader) {
  return signalGroup(leader, 0) && membersOf(leader).length > 0;
}

/** The programs of a group that run, by number and name. */
export function membersOf(leader) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.map(runningAt).filter((program) => program?.group === leader);
}

function runningAt(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in brackets and may hold anything; after it come state, parent, group.
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
