// Measures what a recognised photo costs the Worker's process without wrangler, in processor time and memory: whole
// runs of this project's Worker, then a careful TypeScript loop over the same photos in the same workerd. Then it
// repeats the runs with WebP files, which the Worker converts to JPEGs; the sandbox writes them with libwebp, with
// loss. The figures are to be read; there are no bounds to pass.
import { join } from 'node:path';
import { startAlone } from './alone.mjs';
import { root } from '../scripts/places.mjs';
import { freePorts } from '../scripts/ports.mjs';
import { cpuMs, forgetPeak, peakBytes, withServices, workerdOf } from './stand.mjs';

/** The factors that enlarge the sandbox's drawings in width and height: to about 35 kB, 650 kB and 3 MB. */
const SIZES = [1, 4, 9];
const RUNS = 20;
/** The number of runs before measuring, because the engine only optimises what is called often. */
const WARM_UP_RUNS = 10;
const OPTIONS = { images: '10', recognitions: '100', runtimeMs: '300000' };
const LIMIT_MS = 600_000;

const jpegMs = [];
for (const times of SIZES) jpegMs.push(await ofSize(times, []));
// WebP files are only drawn in the smallest of the sizes.
const webpMs = await ofSize(SIZES[0], ['--webp', '1']);
console.log(`  ${(webpMs / jpegMs[0]).toFixed(2)} times the processor time of a JPEG as wide and high`);

/** Measures runs over photos of one size. Returns the processor time per photo. */
async function ofSize(times, settings) {
  const isJpeg = settings.length === 0;
  const sandboxArgs = ['--ugly', 'off', '--magnify', String(times), ...settings];
  let photoMs;
  await withServices(async ({ worker, sandbox, folder }) => {
    const { a, b } = worker.health.example;
    const options = { ...OPTIONS, a, b };
    const photos = await photosOf(worker.base, await conducted(worker.base, options));
    const bytes = await sizesOf(photos);
    const mean = bytes.reduce((sum, one) => sum + one, 0) / bytes.length;
    const kind = isJpeg ? 'photos' : 'WebP photos';
    console.log(`\n${photos.length} ${kind} of ${(mean / 1000).toFixed(0)} kB, ${RUNS} times`);
    const ours = await measured(worker, async () => {
      await photosOf(worker.base, await conducted(worker.base, options));
    });
    report('this Worker, a whole run', ours, photos.length);
    photoMs = ours.ms / photos.length;
    await worker.stop();
    if (isJpeg) await compareWithPeer(ours, { sandbox, folder, photos });
  }, { sandboxArgs, isAlone: true });
  return photoMs;
}

async function compareWithPeer(ours, { sandbox, folder, photos }) {
  const peer = await startPeer(sandbox, folder);
  try {
    await looped(peer.base, photos);
    const theirs = await measured(peer, () => looped(peer.base, photos));
    report('a TypeScript loop', theirs, photos.length);
    console.log(`  ${(ours.ms / theirs.ms).toFixed(2)} times its processor time (aim: 3)`);
  } finally {
    await peer.stop();
  }
}

/** Conducts a run from its first event to its last, and returns its token. */
async function conducted(base, options) {
  const address = `${base}/investigate?${new URLSearchParams(options)}`;
  const response = await fetch(address, { signal: AbortSignal.timeout(LIMIT_MS) });
  const text = await response.text();
  const last = [...text.matchAll(/^event: (\w+)$/gm)].at(-1)?.[1];
  if (last === 'error') throw new Error(text.slice(-2_000));
  return /^id: (.+)\.\d+$/m.exec(text)[1];
}

/** Returns the photos that the run sent to the recogniser, according to its sealed file. */
async function photosOf(base, run) {
  const response = await fetch(`${base}/runs/${run}/sealed`, { signal: AbortSignal.timeout(LIMIT_MS) });
  const { body } = await response.json();
  const answers = body.journal.map(({ answer }) => answer).filter(Boolean);
  const fetched = answers.filter(({ outcome }) => outcome.fetched?.ok);
  const addresses = new Map(fetched.map(({ asked, outcome }) =>
    [outcome.fetched.ok.sha256, asked.fetch.imageUrl]));
  const recognised = answers.filter(({ outcome }) => outcome.recognised?.ok);
  return recognised.map(({ asked }) => addresses.get(asked.recognise.sha256));
}

async function sizesOf(photos) {
  const sizes = [];
  for (const photo of photos) {
    const response = await fetch(photo, { signal: AbortSignal.timeout(LIMIT_MS) });
    sizes.push((await response.arrayBuffer()).byteLength);
  }
  return sizes;
}

async function startPeer(sandbox, folder) {
  const [port] = await freePorts(1);
  const config = join(root, 'benches', 'peer', 'wrangler.toml');
  return startAlone({ config, folder: join(folder, 'peer'), port, settings: sandbox.settings });
}

async function looped(base, photos) {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(LIMIT_MS);
  const body = JSON.stringify({ photos });
  const response = await fetch(base, { method: 'POST', headers, body, signal });
  if (!response.ok) throw new Error(await response.text());
  const { recognised } = await response.json();
  if (recognised !== photos.length) throw new Error(`${recognised} of ${photos.length} recognised`);
}

/** Returns the processor time per turn, and the peak memory of all turns. */
async function measured(service, turn) {
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await turn();
  const [pid] = await workerdOf(service);
  await forgetPeak(pid);
  const beforeMs = await cpuMs([pid]);
  for (let run = 0; run < RUNS; run += 1) await turn();
  return { ms: (await cpuMs([pid]) - beforeMs) / RUNS, bytes: await peakBytes(pid) };
}

function report(what, { ms, bytes }, photos) {
  console.log(`  ${what}: ${(ms / photos).toFixed(2)} ms a photo, ` +
    `at most ${(bytes / 1e6).toFixed(0)} MB of memory`);
}
