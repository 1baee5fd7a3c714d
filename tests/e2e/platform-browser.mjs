// The platform's browsers as `wrangler dev` has them, by a Chromium of this machine.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { onPath } from '../../scripts/chromium.mjs';
import { setting } from './support.mjs';

/** Where the pinned wrangler looks for its Chrome before it fetches one; it looks at the file's name alone. */
const PLACE = ['.wrangler', 'chrome', 'linux-126.0.6478.182', 'chrome-linux64'];

/** The lines of a configuration that bind them. */
export const BINDING = '\n[browser]\nbinding = "BROWSER"\n';

/** Makes a cache in this folder that has the tests' Chromium; a wrangler that is started later finds it there. */
export async function cacheChromium(folder) {
  const place = join(folder, ...PLACE);
  await mkdir(place, { recursive: true });
  await symlink(onPath(setting('CHROMIUM'), process.env.PATH), join(place, 'chrome'));
  process.env.XDG_CACHE_HOME = folder;
}
