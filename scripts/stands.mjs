// A pool of stands for test files that run concurrently. One file uses a stand alone, and then the next file gets it.
import { node, root } from './places.mjs';
import { run } from './processes.mjs';
import { buildSandbox, SANDBOX_OF_ALL } from './services.mjs';
import { openStand } from './stand.mjs';

/** The most files that run concurrently. There may be more of them than processors, since files mostly wait. */
export const STANDS_MAX = 4;

/**
 * The number of hosts on each stand, for Workers that tests start. The few test files that run more Workers at a time
 * start more hosts themselves.
 */
const HOSTS_A_STAND = 2;

const all = new Set();
const free = [];
let building = null;

/** The sandbox's program, built once. */
export const sandboxProgram = () => (building ??= buildSandbox(SANDBOX_OF_ALL));

/** Runs the pinned Node with these arguments on a stand of its own; its output goes to `told`. */
export async function runOnStand(args, { told, env }) {
  const stand = free.pop() ?? (await started());
  const options = { cwd: root, told, env: { ...process.env, ...env, ...stand.env } };
  const result = await run(node, args, options);
  if (!result.ok) told.push(Buffer.from(`${await stand.lastWords()}\n`));
  free.push(stand);
  return result;
}

/** Ends all stands. Their logs are discarded. */
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
