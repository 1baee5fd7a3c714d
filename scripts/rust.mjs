// Prepares Rust for WASM, and installs the two programs that turn a crate into a Worker.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAlive, withLock } from './lock.mjs';
import { lockFile, root, toolFolder } from './places.mjs';
import { ask, compile, must } from './processes.mjs';
import { noteMade, say, step, Stop } from './say.mjs';
import { wasmBindgenVersion, WORKER_BUILD } from './versions.mjs';

const WASM = 'wasm32-unknown-unknown';

let version = null;
/** The compiler's version, or `null` if there is no compiler. Determined once. */
export const compilerVersion = () => (version ??= ask('rustc', ['--version'], { cwd: root }));

let target = null;
/** Adds the WASM target if missing. */
export const ensureTarget = () => (target ??= addTarget());

async function addTarget() {
  const sysroot = await ask('rustc', ['--print', 'sysroot'], { cwd: root });
  if (sysroot && existsSync(join(sysroot, 'lib', 'rustlib', WASM))) return;
  await withRustup(`Rust's target ${WASM}`, ['target', 'add', WASM]);
}

let clippy = null;
/** Adds Clippy if it is missing: native code is compiled with `clippy-driver` in place of `rustc`. Done once. */
export const ensureClippy = () => (clippy ??= ensureComponent('clippy', 'clippy-driver', ['--version']));

/** Adds the formatter and the linter if missing. */
export async function ensureLinters() {
  await ensureComponent('rustfmt', 'cargo', ['fmt', '--version']);
  await ensureClippy();
}

async function ensureComponent(component, program, args) {
  if ((await ask(program, args, { cwd: root })) !== null) return;
  await withRustup(`Rust's component ${component}`, ['component', 'add', component]);
}

/** The paths of `worker-build` and `wasm-bindgen`, installed if missing. */
export async function ensureTools() {
  const { workerBuild, wasmBindgen } = await tools();
  await ensureTool(workerBuild);
  await ensureTool(wasmBindgen);
  return { workerBuild: workerBuild.path, wasmBindgen: wasmBindgen.path };
}

/** The names of those tools that are not installed. */
export async function missingTools() {
  const missing = Object.values(await tools()).filter(({ path }) => !existsSync(path));
  return missing.map(({ name }) => name);
}

async function tools() {
  return {
    workerBuild: tool('worker-build', WORKER_BUILD, 'worker-build', ['--locked']),
    // `--locked` is left out, since this crate's own lock file names a version that is no longer available.
    wasmBindgen: tool('wasm-bindgen-cli', await wasmBindgenVersion(), 'wasm-bindgen', [
      '--no-default-features',
    ]),
  };
}

function tool(crate, version, bin, flags) {
  const folder = toolFolder(crate, version);
  const name = `${crate} ${version}`;
  return { crate, version, bin, flags, name, folder, path: join(folder, 'bin', bin) };
}

async function withRustup(what, args) {
  await step(what, `Set-up: adding ${what} (some seconds)`, () =>
    must('rustup', args, `${what} could not be added: does "rustup ${args.join(' ')}" work?`, {
      cwd: root,
    }),
  );
}

async function ensureTool(tool) {
  const { crate, version, name, path } = tool;
  if (existsSync(path)) return;
  await withLock(lockFile(`${crate}-${version}`), name, async () => {
    if (!existsSync(path)) await install(tool);
    noteMade(name);
  });
  if (!existsSync(path)) throw new Stop(`${name} was installed, but its program is not there.`);
}

/**
 * Installs into a temporary folder and renames it, so that the final folder is complete. Compiled crates are kept until
 * then, so an interrupted install resumes.
 */
async function install({ crate, version, bin, flags, name, folder, path }) {
  const unfinished = `${folder}.part-${process.pid}`;
  const compiled = `${folder}.compiled`;
  await mkdir(dirname(folder), { recursive: true });
  await sweep(folder);
  const args = [
    'install', crate, '--version', `=${version}`, '--bin', bin,
    // A debug build is installed: an optimised one would take three times as long and save less than a second per run.
    '--debug', ...flags, '--root', unfinished, '--no-track',
  ];
  const env = { ...process.env, CARGO_PROFILE_DEV_DEBUG: '0', CARGO_TARGET_DIR: compiled };
  await step(name, `Set-up: compiling ${name}, once on this machine (a minute or more)`, () =>
    compile('cargo', args, `${name} could not be installed; cargo's words are above.`, {
      cwd: root,
      env,
    }),
  );
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another process was faster, or the folder is there without the program in it.
    if (existsSync(path)) await rm(unfinished, { recursive: true });
    else throw new Stop(`${folder} is in the way (${error.code}); remove it and start again.`);
  }
  await rm(compiled, { recursive: true, force: true });
}

/** Removes what interrupted installs of this tool have left behind. */
async function sweep(folder) {
  const mark = `${folder.slice(dirname(folder).length + 1)}.part-`;
  for (const entry of await readdir(dirname(folder))) {
    if (!entry.startsWith(mark) || isAlive(Number(entry.slice(mark.length)))) continue;
    say(`  removing what an interrupted install left: ${entry}`);
    await rm(join(dirname(folder), entry), { recursive: true, force: true });
  }
}
