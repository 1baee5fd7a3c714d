// The pages that automata are measured on and that are made of other people's packages: editors, date pickers,
// component libraries. The packages are installed once into the project's cache, as in their package-lock.json, and
// each page is bundled into one file, since the program `automata` serves no other ones.
//
//   node scripts/package-pages.mjs [--into FOLDER] [PAGE...]
//
// Makes all pages, or those of these names, and prints the folder for `automata --pages --automata FOLDER`.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { withLock } from './lock.mjs';
import { isProgram, lockFile, root, toolFolder } from './places.mjs';
import { must } from './processes.mjs';
import { say, step, Stop } from './say.mjs';

/** The folder with the lists of packages and the pages. */
export const from = join(root, 'tests', 'automata', 'packages');
const pages = join(from, 'pages');
const usual = join(root, 'build', 'package-pages');
const LISTS = ['package.json', 'package-lock.json'];
const NAME = 'the packages of the pages';

/** A page's one script; its `lang` is `jsx` where it is none that a browser reads. */
const SCRIPT = /<script type="module"(?: lang="(?<lang>jsx)")?>(?<code>.*?)<\/script>/sv;

/** Files that scripts and style sheets name become a part of the page. */
const AS_DATA = ['.eot', '.gif', '.jpg', '.png', '.svg', '.ttf', '.webp', '.woff', '.woff2'];

/** Returns the folder with the packages, and installs them first if they are missing. */
async function ensurePackages() {
  const lock = await readFile(join(from, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const folder = toolFolder('package-pages', hash);
  if (existsSync(folder)) return folder;
  await withLock(lockFile(basename(folder)), NAME, async () => {
    if (!existsSync(folder)) await step(NAME, 'Installing the packages of the pages, 1 GB', () => installed(folder));
  });
  return folder;
}

/** Installs into a temporary folder, then renames it, so that the final folder is always complete. */
async function installed(folder) {
  await mkdir(dirname(folder), { recursive: true });
  const part = await mkdtemp(`${folder}.part-`);
  try {
    for (const name of LISTS) await copyFile(join(from, name), join(part, name));
    // Install scripts are disabled, since none is needed and third-party code should not run unasked.
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await must('npm', args, 'The packages of the pages could not be installed: npm says above why.', {
      cwd: part,
      stdout: 'ignore',
    });
    await rename(part, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** Makes the pages with these names, or all of them, and returns their folder. */
async function makePages(into, names) {
  const packages = await ensurePackages();
  const all = (await readdir(pages)).filter((name) => name.endsWith('.html')).sort();
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Stop(`There is no page ${unknown}; there are ${all.join(', ')}.`);
  // Whatever lies in the folder is run as a page, so none that is no more may be left; only our own folder is emptied.
  if (names.length === 0 && into === usual) await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  await step('the pages', 'Bundling the pages made of packages', async () => {
    for (const name of names.length === 0 ? all : names) {
      await writeFile(join(into, name), await bundled(await readFile(join(pages, name), 'utf8'), name, packages));
    }
  });
  return into;
}

/** Returns a page's script, its language, and what is before and after it. */
export function scriptOf(page, name) {
  const found = SCRIPT.exec(page);
  if (found === null) throw new Stop(`${name} has no script of the type "module".`);
  const { code, lang = 'js' } = found.groups;
  return { code, lang, before: page.slice(0, found.index), after: page.slice(found.index + found[0].length) };
}

/** Returns a page with its script and what that imports in it. */
async function bundled(page, name, packages) {
  const { code, lang, before, after } = scriptOf(page, name);
  const { script, sheet } = await build(code, lang, name, packages);
  const style = sheet === '' ? '' : `<style>${sheet}</style>\n`;
  return `${before}${style}<script type="module">${script}</script>${after}`;
}

async function build(contents, loader, name, packages) {
  // esbuild is imported only now, so that arguments are read without it.
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    stdin: { contents, loader, resolveDir: packages, sourcefile: name },
    nodePaths: [join(packages, 'node_modules')],
    outdir: packages,
    write: false,
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    jsx: 'automatic',
    charset: 'utf8',
    define: {
      'process.env': '{}',
      'process.env.NODE_ENV': '"production"',
      'global': 'globalThis',
      '__VUE_OPTIONS_API__': 'true',
      '__VUE_PROD_DEVTOOLS__': 'false',
      '__VUE_PROD_HYDRATION_MISMATCH_DETAILS__': 'false',
    },
    loader: Object.fromEntries(AS_DATA.map((ending) => [ending, 'dataurl'])),
    plugins: [{ name: 'sheets', setup: asText }],
    logLevel: 'error',
  });
  const text = (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  // esbuild itself writes no end of a script or a style into them. After a comment's beginning and `<script` the
  // browser would read over the script's end.
  return { script: text('.js').replaceAll('<!--', '\\x3C!--'), sheet: text('.css') };
}

/** A style sheet that is imported as a text, as for a shadow root, becomes one. */
function asText({ onLoad, esbuild }) {
  onLoad({ filter: /\.css$/ }, async ({ path, with: { type } = {} }) => {
    if (type !== 'text') return undefined;
    const { code } = await esbuild.transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
    return { contents: code, loader: 'text' };
  });
}

/** Returns the folder that the pages are made into, and the names of those that are made; none for all. */
export function readArguments(args) {
  if (args[0] !== '--into') {
    const option = args.find((arg) => arg.startsWith('--'));
    if (option !== undefined) throw new Stop(`${option} is unknown; --into FOLDER is the only option, and is first.`);
    return { into: usual, names: args };
  }
  const [, into, ...names] = args;
  if (into === undefined) throw new Stop('--into needs a folder.');
  return { into: resolve(into), names };
}

async function main() {
  const { into, names } = readArguments(process.argv.slice(2));
  process.stdout.write(`${await makePages(into, names)}\n`);
}

if (isProgram(import.meta.url)) {
  await main().catch((error) => {
    if (!(error instanceof Stop)) throw error;
    say(error.message);
    process.exitCode = 1;
  });
}
