// Builds what browsers are served, `dist/`, from `public/`: each module and style sheet is bundled with its imports. A
// distant browser requests three files instead of fifty in sequence.
import { existsSync } from 'node:fs';
import {
  cp, mkdir, readdir, readFile, rename, rm, writeFile,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { withLock } from './lock.mjs';
import { checkoutLock, root } from './places.mjs';
import { filesUnder, pageHash } from './stamp.mjs';

const from = join(root, 'public');
export const served = join(root, 'dist');
/** The file with the hash of the page's inputs. It is outside of `dist/`, since everything in there is served. */
const stamp = join(root, 'target', 'page.inputs');

/** The files to bundle, which HTML documents name. All others are imported by these. */
const ENTRIES = [
  'app.js', 'visual-degrees.js', 'turnstile.js', 'early.js', 'style.css', 'workflow.js', 'workflow.css',
  'automaton.js', 'automaton.css', 'atlas.js', 'atlas.css',
];
/** Matches the source files that are only parts of the bundles, and so are not served themselves. */
const PARTS = /\/public\/(?:(?:elements|vendor|run-page|workflow|automaton|atlas)(?:\/|$)|[^/]+\.(?:js|css)$)/;
/** The files that verifier.mjs builds, and that must not be removed here. */
const VERIFIER = ['verifier/verifier.js', 'verifier/verifier_bg.wasm'];

/** Builds the page if something has changed. Otherwise the files of a running server stay untouched. */
export async function buildPage() {
  const packages = await readFile(join(root, 'package-lock.json'), 'utf8');
  const tools = await describedTools();
  const inputs = await pageHash(root, [packages, tools]);
  if (await isBuiltFrom(inputs)) return;
  await withLock(checkoutLock('page'), 'building the page', async () => {
    if (await isBuiltFrom(inputs)) return;
    const part = join(root, `dist.part-${process.pid}`);
    try {
      await bundle(part);
      await writeFile(join(part, 'tools.json'), tools);
      await take(part);
    } finally {
      await rm(part, { recursive: true, force: true });
    }
    await mkdir(dirname(stamp), { recursive: true });
    await writeFile(stamp, inputs);
  });
}

/** The descriptions of the tools for assistants, by tool name. They are read from files next to the tools. */
async function describedTools() {
  const engines = (await readdir(join(root, 'crates'))).map((name) => join('crates', name, 'tools'));
  const described = {};
  for (const folder of [join('src', 'mcp_server', 'tools'), ...engines]) {
    const names = await readdir(join(root, folder)).catch(() => []);
    for (const name of names.filter((one) => one.endsWith('.json')).sort()) {
      const tool = JSON.parse(await readFile(join(root, folder, name), 'utf8'));
      described[tool.name] = tool;
    }
  }
  return JSON.stringify(described);
}

async function isBuiltFrom(inputs) {
  const built = await readFile(stamp, 'utf8').catch(() => '');
  return built === inputs && ENTRIES.every((name) => existsSync(join(served, name)));
}

async function bundle(folder) {
  // esbuild is imported only now, since the packages may just have been installed.
  const { build } = await import('esbuild');
  await cp(from, folder, { recursive: true, filter: (path) => !PARTS.test(path) });
  await build({
    entryPoints: ENTRIES.map((name) => join(from, name)),
    outdir: folder,
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    legalComments: 'inline',
    // A style sheet that a module imports becomes a text in it; `style.css` itself is written as CSS.
    plugins: [{ name: 'sheets', setup: asText }],
    logLevel: 'warning',
  });
}

/** Moves each file into its place atomically, and removes files that no longer belong to the page. */
async function take(folder) {
  const made = (await filesUnder(folder)).map((path) => relative(folder, path));
  for (const name of made) {
    await mkdir(dirname(join(served, name)), { recursive: true });
    await rename(join(folder, name), join(served, name));
  }
  await standIn();
  for (const path of await filesUnder(served)) {
    if (![...made, ...VERIFIER].includes(relative(served, path))) await rm(path, { force: true });
  }
}

/**
 * `wrangler dev` serves only paths that exist when it starts, so a verifier that is still being built gets a
 * placeholder.
 */
async function standIn() {
  const [glue, wasm] = VERIFIER.map((name) => join(served, name));
  if (existsSync(glue)) return;
  await writeFile(wasm, '');
  await writeFile(glue, 'throw new Error("It is still being built.");\n');
}

function asText({ onLoad, esbuild }) {
  onLoad({ filter: /\.css$/ }, async ({ path, with: { type } = {} }) => {
    if (type !== 'text') return undefined;
    const { code } = await esbuild.transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
    return { contents: code, loader: 'text' };
  });
}
