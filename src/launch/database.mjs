// The tables of what runs have recognised, in the database that `wrangler dev` keeps on this machine.
import * as places from './places.mjs';
import { run } from './processes.mjs';
import { wranglerEnvironment } from './services.mjs';
import { Stop } from './say.mjs';

const COMPLAINT = 'The database for what runs have recognised could not be made; wrangler says:';

/** Makes the tables, and changes older ones into those of this version. */
export async function makeTables(persist) {
  const told = [];
  const args = [
    places.wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', persist,
  ];
  const options = { cwd: places.root, env: wranglerEnvironment(process.env), told };
  const { ok } = await run(places.node, args, options);
  if (!ok) throw new Stop(`${COMPLAINT}\n${Buffer.concat(told.map(Buffer.from))}`);
}
