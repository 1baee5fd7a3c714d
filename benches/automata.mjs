// Compares the time of automata on MiniWoB++'s tasks with the time of the same deeds by a bare script, which never
// waits, and by Playwright's own test runner. The figures are to be read; there are no bounds to pass.
// `npm run bench:automata -- [SEEDS [TASK]]`
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveBenchmarkPages } from '../scripts/benchmark-pages.mjs';
import { ensureChromium } from '../scripts/chromium.mjs';
import { ensurePackages } from '../scripts/packages.mjs';
import { node, root } from '../scripts/places.mjs';
import { run } from '../scripts/processes.mjs';
import { runProgram } from '../scripts/program.mjs';

await runProgram(async ([seeds = '3', task]) => {
  await ensurePackages();
  const environment = { ...process.env, CHROMIUM: await ensureChromium() };
  const { origin, stop } = await serveBenchmarkPages();
  const folder = await mkdtemp(join(tmpdir(), 'visual-degrees-deeds-'));
  try {
    const file = join(folder, 'deeds.json');
    const only = task === undefined ? [] : ['--only', task];
    const args = ['--miniwob', `${origin}/miniwob/miniwob/`, '--count', seeds, '--deeds', file, ...only];
    await run(
      'cargo',
      ['run', '--quiet', '--release', '-p', 'devtools', '--bin', 'automata', '--', ...args],
      { tee: true, cwd: root, env: environment },
    );
    const playwright = { ...environment, DEEDS: file, RESULTS: join(folder, 'results') };
    const solved = await playwrightTimes(playwright);
    const episodes = JSON.parse(await readFile(file, 'utf8'));
    // A test that fails ends its browser, which slows the next one. So those that passed are measured once more alone.
    const both = episodes.filter(({ task, seed }) => solved.has(`${task} ${seed}`));
    await writeFile(file, JSON.stringify(both));
    report(episodes.length, both, await playwrightTimes(playwright));
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Returns the milliseconds of each test that passed, by its title. */
async function playwrightTimes(env) {
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const config = join(root, 'benches', 'playwright', 'playwright.config.mjs');
  const { output } = await run(node, [cli, 'test', '--config', config, '--reporter', 'json'], { cwd: root, env });
  const { suites } = JSON.parse(output);
  const all = suites.flatMap(({ specs }) => specs).map(({ title, tests: [{ results: [result] }] }) => [title, result]);
  const passed = all.filter(([, { status }]) => status === 'passed');
  return new Map(passed.map(([title, { duration }]) => [title, duration]));
}

function report(count, solved, times) {
  const all = solved
    .filter(({ task, seed }) => times.has(`${task} ${seed}`))
    .map((episode) => ({ ...episode, playwrightMs: times.get(`${episode.task} ${episode.seed}`) }));
  for (const { task, seed, engineMs, bareMs, playwrightMs } of all) {
    console.log(`${task} ${seed}: ${engineMs} ms, bare ${bareMs} ms, Playwright ${playwrightMs} ms`);
  }
  const [engine, bare, playwright] = ['engineMs', 'bareMs', 'playwrightMs']
    .map((name) => all.reduce((sum, episode) => sum + episode[name], 0) / all.length);
  const half = (name) => median(all.map((episode) => episode.engineMs / episode[name])).toFixed(2);
  console.log(`${all.length} of ${count} episodes that all three solve: ${engine.toFixed(0)} ms by an automaton, ` +
    `${bare.toFixed(0)} ms by a bare script (${(engine / bare).toFixed(2)} times, half of them at most ${half('bareMs')}), ` +
    `${playwright.toFixed(0)} ms by Playwright's test runner (${(engine / playwright).toFixed(2)} times, half of them ` +
    `at most ${half('playwrightMs')})`);
}

function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
