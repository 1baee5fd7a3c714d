// Remembers which steps of `npm test` have passed with the current files: a step whose result depends only on files is
// not run again.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { countTests } from './counts.mjs';
import { root as checkout } from './places.mjs';
import { ask } from './processes.mjs';
import { hashOf } from './stamp.mjs';

/** A folder outside the checkout that tests also read, if it exists. */
const BESIDE = '../shared';
/** The tools on which the result of a step also depends, with their environment. */
const TOOLS = [
  ['rustc', ['-vV']], ['cargo', ['clippy', '--version']], ['cargo', ['fmt', '--version']], ['cc', ['--version']],
];
const TOLD = /^(AR|CARGO|CC|CFLAGS|CLIPPY|CXX|LD|RUST)/;

/**
 * What has passed with the current files. Without git the files of the checkout are unknown, and
 * nothing is remembered.
 * @returns {Promise<{known(title: string): Promise<?number>, keep(title: string, count: number): Promise<void>}>}
 * `known` returns how many tests of the step passed, or null if it must run.
 */
export async function openPassed(root = checkout, env = process.env) {
  const tools = await toolsOf(root, env);
  const hash = await stateHash(root, tools);
  const place = (title) => join(root, 'target', 'passed', `${title.replaceAll(/\W+/g, '-')}.json`);
  return {
    async known(title) {
      const kept = hash && (await readFile(place(title), 'utf8').then(JSON.parse).catch(() => null));
      return kept?.hash === hash ? kept.count : null;
    },
    async keep(title, count) {
      // If a file was edited during the step, it is unclear with which content the step passed, so nothing is
      // remembered.
      if (hash === null || (await stateHash(root, tools)) !== hash) return;
      await mkdir(join(root, 'target', 'passed'), { recursive: true });
      await writeFile(place(title), JSON.stringify({ hash, count }));
    },
  };
}

/** A step that does nothing if it has passed before. Its result then has the number of its tests in `before`. */
export function unlessPassed(passed, step) {
  const work = async (told, giveBack) => {
    const before = await passed.known(step.title);
    if (before !== null) {
      told.push(Buffer.from('passed before with the same files: npm test -- --all runs it again\n'));
      return { ok: true, output: '', before };
    }
    const result = await step.work(told, giveBack);
    // If this fails, the step is only run again next time.
    if (result.ok) await passed.keep(step.title, countTests(result.output).passed).catch(() => {});
    return result;
  };
  return { ...step, work };
}

async function toolsOf(root, env) {
  const versions = await Promise.all(TOOLS.map(([program, args]) => ask(program, args, { cwd: root, env })));
  const told = Object.keys(env).filter((name) => TOLD.test(name)).sort();
  // The result depends on the Node of package-lock.json, whichever runs this script.
  const config = join(env.CARGO_HOME ?? join(homedir(), '.cargo'), 'config.toml');
  return [...versions, await readFile(config, 'utf8').catch(() => ''), ...told.map((name) => `${name}=${env[name]}`)];
}

/** A hash over all files that git lists or would list, the folder beside the checkout, and the tools. */
async function stateHash(root, tools) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = await ask('git', args, { cwd: root });
  // If an outer repository ignores this folder, git lists nothing, so the files are unknown.
  if (!listed) return null;
  // git lists an unmerged file more than once.
  const paths = [...new Set(listed.split('\0'))].filter(Boolean).sort();
  return hashOf(root, paths, [...(await listOf(join(root, BESIDE))), ...tools]);
}

/** The names, sizes and times of all files in a folder, in place of their contents, which are too large to hash. */
async function listOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const lines = files.map(async (path) => {
    const { size, mtimeMs } = (await stat(path).catch(() => null)) ?? {};
    return `${path}\0${size}\0${mtimeMs}`;
  });
  return (await Promise.all(lines)).sort();
}
