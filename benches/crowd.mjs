// Many concurrent runs in one isolate: how long each waits for its first event, how much later all have ended than a
// single run, and how much memory the process needs, also with the largest photos. The figures are to be read; there
// are no bounds to pass.
import { readFile } from 'node:fs/promises';
import { cpuMs, peakBytes, withServices, workerdOf } from './stand.mjs';

/** Latencies like those of the real services, in milliseconds. */
const LATENCY = 'google=300,image=400,rekognition=500,gemini=900';
const CROWDS = [1, 30, 100];
/** The factor that makes photos of 16 megapixels, the largest that the Worker examines. */
const MAGNIFY = '10';
const CROWD_OF_LARGEST = 20;
const RUNTIME_MS = '300000';
const LIMIT_MS = 900_000;

console.log(`latencies ${LATENCY}`);
await withServices(async ({ worker, log }) => {
  await crowd(worker, 1); // The first run draws the photos and warms the isolate.
  const alone = await crowd(worker, 1);
  for (const count of CROWDS) report(count, alone, await crowd(worker, count));
  await reportMemory(worker, log);
}, { sandboxArgs: ['--latency', LATENCY] });

console.log(`photos ${MAGNIFY} times as wide and high, ${CROWD_OF_LARGEST} runs at once`);
await withServices(async ({ worker, log }) => {
  const alone = await crowd(worker, 1);
  report(CROWD_OF_LARGEST, alone, await crowd(worker, CROWD_OF_LARGEST));
  await reportMemory(worker, log);
}, { sandboxArgs: ['--latency', LATENCY, '--magnify', MAGNIFY] });

/** Conducts this many runs at once. Returns their results, the wall time and the processor time. */
async function crowd(worker, count) {
  const [pid] = await workerdOf(worker);
  const [beganMs, beforeMs] = [performance.now(), await cpuMs([pid])];
  const runs = await Promise.all(Array.from({ length: count }, () => conducted(worker)));
  return { runs, tookMs: performance.now() - beganMs, cpuMs: await cpuMs([pid]) - beforeMs };
}

async function conducted({ base, health: { example: { a, b } } }) {
  const options = new URLSearchParams({ a, b, runtimeMs: RUNTIME_MS });
  const beganMs = performance.now();
  let [text, firstMs, breaks] = ['', null, -1];
  const signal = AbortSignal.timeout(LIMIT_MS);
  let address = `${base}/investigate?${options}`;
  // If the stream breaks, continue after the last event, as a browser does.
  while (!/^event: (final|no_path|error)$/m.test(text)) {
    breaks += 1;
    const response = await fetch(address, { signal });
    if (!response.ok) throw new Error(await response.text());
    try {
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        if (firstMs === null && text.includes('\nevent: ')) firstMs = performance.now() - beganMs;
      }
    } catch (error) {
      if (signal.aborted) throw error;
    }
    const id = [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1];
    if (id) address = `${base}/runs/${id.slice(0, id.lastIndexOf('.'))}/events?lastEventId=${id}`;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const last = JSON.parse([...text.matchAll(/^data: (.+)$/gm)].at(-1)[1]);
  const path = (last.path ?? []).map(({ name }) => name).join(' - ');
  return { firstMs, breaks, end: `${last.type} ${path}`, runtimeMs: last.spent.runtimeMs };
}

function report(count, alone, { runs, tookMs, cpuMs }) {
  const [{ end }] = alone.runs;
  const right = runs.filter((run) => run.end === end && run.runtimeMs <= Number(RUNTIME_MS));
  const first = runs.map(({ firstMs }) => firstMs).sort((one, other) => one - other);
  const late = first[Math.min(count - 1, Math.floor(0.99 * count))];
  console.log(`${count} at once: ${right.length} end as one alone does, ` +
    `all after ${(tookMs / 1000).toFixed(1)} s, ${(tookMs / alone.tookMs).toFixed(2)} times one alone ` +
    `(aim: 2); the first event of 99 % within ${late.toFixed(0)} ms (aim: 500); ` +
    `streams that broke and went on: ${runs.reduce((sum, run) => sum + run.breaks, 0)}; ` +
    `processor ${(cpuMs / count).toFixed(0)} ms a run`);
  for (const run of runs.filter((run) => !right.includes(run)).slice(0, 3)) console.log(run);
}

/** Prints the memory of the WebAssembly program according to its log, and the memory of the whole process. */
async function reportMemory(worker, log) {
  const lines = (await readFile(log, 'utf8')).split('\n');
  const told = lines.filter((line) => line.includes('"run ended"'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))).used.memoryBytes);
  const [pid] = await workerdOf(worker);
  const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
  console.log(`the program's memory: ${megabytes(Math.max(...told))} MB (aim: 100); ` +
    `of all its process: ${megabytes(await peakBytes(pid))} MB`);
}
