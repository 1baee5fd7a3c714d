// Stands for several test files at a time: each file has one for itself, and the next file gets it then.
import { node, root } from './places.mjs';
import { run } from './processes.mjs';
import { buildSandbox, SANDBOX_OF_ALL } from './services.mjs';
import { openStand } from './stand.mjs';

/** So many files at once: most of a file's time goes into waiting for what takes its time in earnest. */
export const STANDS_MAX = 4;

/** Few files have more Workers of their own at a time, and those start more hosts. */
const HOSTS_A_STAND = 2;

const all = new Set();
const free = [];
let building = null;

/** The sandbox's program, which is built once. */
export const sandboxProgram = () => (building ??= buildSandbox(SANDBOX_OF_ALL));

/** Runs the pinned Node with these arguments beside a stand of its own; what it says goes to `told`. */
export async function runOnStand(args, { told, env }) {
  const stand = free.pop() ?? (await started());
  const options = { cwd: root, told, env: { ...process.env, ...env, ...stand.env } };
  const result = await run(node, args, options);
  if (!result.ok) told.push(Buffer.from(`${await stand.lastWords()}\n`));
  free.push(stand);
  return result;
}

/** Ends them; what was said there is gone. */
export async function closeStands() {
  await Promise.all([...all].map((stand) => stand.close()));
  all.clear();
  free.length = 0;
}

async function started() {
  const stand = await openStand(await sandboxProgram(), { hosts: HOSTS_A_STAND });
  all.add(stand);
  return stand;
}
