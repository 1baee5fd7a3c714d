// A lock among starts on one machine. It only saves work: finished work appears by a rename, or is checked before it is
// taken (wasm.mjs), so two processes that both believe they hold it do no harm.
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { say } from './say.mjs';

const LOOK_EVERY_MS = 500;

/** Runs `work` while no other start holds the same lock file. */
export async function withLock(file, title, work) {
  await mkdir(dirname(file), { recursive: true });
  let told = false;
  while (!(await taken(file))) {
    if (!told) say(`  waiting for another start, which is busy with ${title} (its lock: ${file})`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** Tries to take the lock. A lock whose holder has ended is left over from an interrupted start, so it is removed. */
async function taken(file) {
  // The file is written first and then linked, so that a lock always contains the number of its holder.
  const mine = `${file}.${randomUUID()}`;
  await writeFile(mine, String(process.pid));
  try {
    await link(mine, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    await rm(mine, { force: true });
  }
  const holder = await readFile(file, 'utf8').catch(() => null);
  if (holder === null) return taken(file);
  if (isAlive(Number(holder))) return false;
  await rm(file, { force: true });
  return taken(file);
}

/** Whether a process with this number is running. */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
