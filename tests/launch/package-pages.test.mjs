// The pages made of packages, as far as that is known without the packages: each has a case, and a script that imports
// what is on their list.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { from, readArguments, scriptOf } from '../../scripts/package-pages.mjs';

const IMPORT = /\bimport\s*\(?(?:[^'"\(\);]*\bfrom\s*)?'(?<path>[^']+)'/gv;
/** The package of a path like `@scope/name/file.css`. */
const packageOf = (path) => path.split('/').slice(0, path.startsWith('@') ? 2 : 1).join('/');

const { dependencies } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'));
const folder = join(from, 'pages');
const pages = {};
for (const name of await readdir(folder)) pages[name] = await readFile(join(folder, name), 'utf8');

test('each page begins with its case, which opens the page and asks it what has come of that', () => {
  for (const [name, page] of Object.entries(pages)) {
    const [, text] = /^<!--\n(.*?)\n-->\n/sv.exec(page) ?? [];
    const { actions, states, holds } = JSON.parse(text);
    assert.ok(holds, `${name} has no question`);
    if (states === undefined) assert.ok(actions.length > 1, `${name} does nothing`);
    else assert.deepEqual(states[0].actions, [`navigate_to('$ORIGIN/${name}')`]);
  }
});

test('pages import packages that are listed, each in one version', () => {
  for (const [name, page] of Object.entries(pages)) {
    const imported = [...scriptOf(page, name).code.matchAll(IMPORT)].map(({ groups }) => packageOf(groups.path));
    assert.ok(imported.length > 0, `${name} imports nothing`);
    for (const path of imported) assert.ok(Object.hasOwn(dependencies, path), `${name} imports ${path}`);
  }
  for (const version of Object.values(dependencies)) assert.match(version, /^(?:npm:\w+@)?\d+\.\d+\.\d+$/v);
});

test('a folder and names of pages can be given', () => {
  assert.deepEqual(readArguments(['--into', 'a', 'mui.html']), { into: resolve('a'), names: ['mui.html'] });
  assert.deepEqual(readArguments(['mui.html']).names, ['mui.html']);
  assert.throws(() => readArguments(['--out', 'a']), /--out is unknown/v);
  assert.throws(() => readArguments(['--into']), /needs a folder/v);
});

test('a page without a script is refused', () => {
  assert.throws(() => scriptOf('<p>Nothing</p>', 'a.html'), /a\.html has no script/v);
});
