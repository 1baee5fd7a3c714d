// Conducts many runs, four at a time, to find whether the Worker's process grows with their number. The figures are to
// be read; there are no bounds to pass. `npm run bench:soak -- RUNS [--wrangler]`
import { readFile } from 'node:fs/promises';
import { cpuMs, withServices, workerdOf } from './stand.mjs';

const [count = '2000', ...args] = process.argv.slice(2);
const RUNS = Number(count);
const AT_ONCE = 4;
const REPORT_EVERY = 100;
const LIMIT_MS = 120_000;

await withServices(async ({ worker, log }) => {
  const [pid] = await workerdOf(worker);
  let [begun, ended, wrong] = [0, 0, 0];
  const beganMs = await cpuMs([pid]);
  const someone = async () => {
    while (begun < RUNS) {
      begun += 1;
      const end = await conducted(worker);
      ended += 1;
      if (end !== 'final') wrong += 1;
      if (ended % REPORT_EVERY === 0) {
        const bytes = await residentBytes(pid);
        const { memoryBytes } = await lastUsed(log);
        const ms = (await cpuMs([pid]) - beganMs) / ended;
        console.log(`${ended} runs: process ${(bytes / 1e6).toFixed(0)} MB, of it the program ` +
          `${(memoryBytes / 1e6).toFixed(1)} MB; ${ms.toFixed(0)} ms of processor a run`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, someone));
  console.log(`${wrong} of ${ended} did not end with a chain`);
}, { isAlone: !args.includes('--wrangler') });

async function conducted({ base, health: { example: { a, b } } }) {
  const address = `${base}/investigate?${new URLSearchParams({ a, b })}`;
  const response = await fetch(address, { signal: AbortSignal.timeout(LIMIT_MS) });
  const text = await response.text();
  return [...text.matchAll(/^event: (\w+)$/gm)].at(-1)?.[1];
}

async function residentBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'latin1');
  return Number(/VmRSS:\s*(\d+)/.exec(status)[1]) * 1024;
}

/** Returns the memory used in the last run, according to the log. */
async function lastUsed(log) {
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('"used"'));
  const line = lines.at(-1);
  return JSON.parse(line.slice(line.indexOf('{'))).used;
}
