// A Worker one of whose bindings is another Worker beside it, which stands for a part of the platform.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configIn } from './config.mjs';
import { ownWorker } from './support.mjs';

/**
 * The project's Worker, started from a configuration of its own in `folder`; its `binding` is the
 * class `entrypoint` of the module `source`.
 */
export async function workerBeside({ binding, entrypoint, source, ...options }) {
  const { folder } = options;
  const service = `\n[[services]]\nbinding = "${binding}"\nservice = "other"\nentrypoint = "${entrypoint}"\n`;
  const main = await configIn(folder, service);
  const other = join(folder, 'other.toml');
  await writeFile(join(folder, 'other.js'), source);
  await writeFile(other, 'name = "other"\nmain = "other.js"\ncompatibility_date = "2026-11-01"\n');
  return ownWorker({ ...options, args: ['--config', main, '--config', other] });
}
