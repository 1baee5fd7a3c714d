// Which steps of `npm test` have passed with the very files that are here now: where files alone decide how a step
// ends, it is not run again.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { countTests } from './counts.mjs';
import { root as checkout } from './places.mjs';
import { ask } from './processes.mjs';
import { hashOf } from './stamp.mjs';

/** Tests look there where it is; it is no part of the checkout. */
const BESIDE = '../shared';
/** What else decides: the tools, and what their environment tells them. */
const TOOLS = [
  ['rustc', ['-vV']], ['cargo', ['clippy', '--version']], ['cargo', ['fmt', '--version']], ['cc', ['--version']],
];
const TOLD = /^(AR|CARGO|CC|CFLAGS|CLIPPY|CXX|LD|RUST)/;

/**
 * What has passed with the files that are here now. Without git nobody knows which files belong to the checkout, and
 * nothing is kept.
 * @returns {Promise<{known(title: string): Promise<?number>, keep(title: string, count: number): Promise<void>}>}
 * `known` gives how many tests of the step passed, or null where it has to run.
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
      // A file that was edited meanwhile shows here: nobody knows then with what the step passed.
      if (hash === null || (await stateHash(root, tools)) !== hash) return;
      await mkdir(join(root, 'target', 'passed'), { recursive: true });
      await writeFile(place(title), JSON.stringify({ hash, count }));
    },
  };
}

/** A step that does nothing where it has passed before: its result says so in `before`, the count of its tests. */
export function unlessPassed(passed, step) {
  const work = async (told, giveBack) => {
    const before = await passed.known(step.title);
    if (before !== null) {
      told.push(Buffer.from('passed before with the same files: npm test -- --all runs it again\n'));
      return { ok: true, output: '', before };
    }
    const result = await step.work(told, giveBack);
    // What cannot be noted is run again: the step has passed all the same.
    if (result.ok) await passed.keep(step.title, countTests(result.output).passed).catch(() => {});
    return result;
  };
  return { ...step, work };
}

async function toolsOf(root, env) {
  const versions = await Promise.all(TOOLS.map(([program, args]) => ask(program, args, { cwd: root, env })));
  const told = Object.keys(env).filter((name) => TOLD.test(name)).sort();
  // Node is the one of package-lock.json, whichever has begun this.
  const config = join(env.CARGO_HOME ?? join(homedir(), '.cargo'), 'config.toml');
  return [...versions, await readFile(config, 'utf8').catch(() => ''), ...told.map((name) => `${name}=${env[name]}`)];
}

/** A hash over every file that git lists or would list, what is beside the checkout, and the tools. */
async function stateHash(root, tools) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = await ask('git', args, { cwd: root });
  // An outer repository that ignores this folder lists nothing.
  if (!listed) return null;
  // A file that is not merged is listed more than once.
  const paths = [...new Set(listed.split('\0'))].filter(Boolean).sort();
  return hashOf(root, paths, [...(await listOf(join(root, BESIDE))), ...tools]);
}

/** Names, sizes and times of all that is there: it is large. */
async function listOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const lines = files.map(async (path) => {
    const { size, mtimeMs } = (await stat(path).catch(() => null)) ?? {};
    return `${path}\0${size}\0${mtimeMs}`;
  });
  return (await Promise.all(lines)).sort();
}
