// Compares the cost of a remembered photo with that of a recognised one, in the Worker under `wrangler dev`. The same
// runs, which take the same course (`one-sided`), are conducted without the memory and with all their photos in it. The
// process includes the Worker, the database and wrangler's own Workers. The figures are to be read; there are no bounds
// to pass.
import { cpuMs, withServices, workerdOf } from './stand.mjs';

/** The factors that enlarge the sandbox's drawings in width and height: to about 35 kB and 650 kB. */
const SIZES = [1, 4];
const RUNS = 20;
/** The number of runs before measuring, because the engine only optimises what is called often. */
const WARM_UP_RUNS = 10;
const LIMIT_MS = 600_000;

for (const times of SIZES) {
  const sandboxArgs = ['--ugly', 'off', '--magnify', String(times)];
  const settings = { MEMORY: 'on', PLANNER: 'none' };
  await withServices(async ({ worker }) => {
    const { a, b } = worker.health.example;
    const asked = { a, b, plan: 'one-sided', images: '10', recognitions: '100', runtimeMs: '300000' };
    console.log(`\nphotos ${times} times as large, ${RUNS} runs of each kind`);
    await conducted(worker.base, asked);
    const recognised = await measured(worker, { ...asked, memory: '0' });
    const remembered = await measured(worker, asked);
    report('recognised', recognised, recognised.calls);
    report('remembered', remembered, remembered.photos.remembered ?? 0);
    const [one, other] = [recognised, remembered].map(({ cpu, photos }) => cpu / photos.looked);
    console.log(`  a remembered photo: ${(other / one).toFixed(2)} times the processor time, ` +
      `${(remembered.ms / recognised.ms).toFixed(2)} times the time of the run`);
  }, { sandboxArgs, settings });
}

/** Conducts a run from its first event to its last, and returns what it has spent. */
async function conducted(base, options) {
  const address = `${base}/investigate?${new URLSearchParams(options)}`;
  const response = await fetch(address, { signal: AbortSignal.timeout(LIMIT_MS) });
  const text = await response.text();
  const last = JSON.parse([...text.matchAll(/^data: (.+)$/gm)].at(-1)[1]);
  if (last.type === 'error') throw new Error(JSON.stringify(last));
  return last.spent;
}

/** Returns the processor time and the wall time per run, and what the last run has spent. */
async function measured(service, options) {
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await conducted(service.base, options);
  const [pid] = await workerdOf(service);
  const [beforeMs, began] = [await cpuMs([pid]), performance.now()];
  let spent;
  for (let run = 0; run < RUNS; run += 1) spent = await conducted(service.base, options);
  const [cpu, ms] = [await cpuMs([pid]) - beforeMs, performance.now() - began];
  return { cpu: cpu / RUNS, ms: ms / RUNS, photos: spent.photos, calls: spent.rekognitionCalls };
}

function report(what, { cpu, ms, photos }, counted) {
  console.log(`  ${what}: ${counted} of ${photos.looked} photos; ${(cpu / photos.looked).toFixed(2)} ms of the ` +
    `processor a photo, ${ms.toFixed(0)} ms a run`);
}
