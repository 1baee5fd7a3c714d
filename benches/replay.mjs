// Measures what a stranger's sealed file costs the Worker's process in processor time and memory: the largest file that
// is accepted, full of tiny values. The figures are to be read; there are no bounds to pass.
import { cpuMs, forgetPeak, peakBytes, withServices, workerdOf } from './stand.mjs';

const BYTES = 4 * 1024 * 1024;
const TIMES = 20;
const HEAD = '{"format":"visual-degrees sealed run","version":2,"body":{"journal":[';
const FORMS = {
  numbers: (room) => '0,'.repeat(room / 2),
  lists: (room) => '[],'.repeat(room / 3),
  texts: (room) => '"",'.repeat(room / 3),
  objects: (room) => '{"a":0},'.repeat(room / 8),
};

await withServices(async ({ worker }) => {
  const address = `${worker.base}/replay`;
  await replay(address, '{}');
  const pids = await workerdOf(worker);
  // A file that is not JSON shows what the transport of so many bytes costs.
  const carried = await measure('no JSON', '?'.repeat(BYTES - 1));
  for (const [name, form] of Object.entries(FORMS)) {
    const body = `${HEAD}${form(BYTES - HEAD.length - 16)}0]}}`;
    const { ms } = await measure(name, body);
    console.log(`  ${name}: ${(ms - carried.ms).toFixed(0)} ms over carrying them (aim: 100 ms)`);
  }

  async function measure(name, body) {
    await replay(address, body);
    const before = await Promise.all(pids.map(peakAnew));
    const fromMs = await cpuMs(pids);
    let status = 0;
    for (let time = 0; time < TIMES; time += 1) status = await replay(address, body);
    const ms = ((await cpuMs(pids)) - fromMs) / TIMES;
    const peaks = await Promise.all(pids.map(peakBytes));
    const mb = Math.max(...peaks.map((peak, at) => peak - before[at])) / 1e6;
    console.log(`${name}: ${body.length} bytes, status ${status}, ${ms.toFixed(0)} ms of CPU each, ` +
      `${mb.toFixed(1)} MB more memory (aim: 20 MB; ${TIMES} times)`);
    return { ms };
  }
}, { settings: { REPLAY: 'open' } });

async function peakAnew(pid) {
  await forgetPeak(pid);
  return peakBytes(pid);
}

async function replay(address, body) {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(60_000);
  const response = await fetch(address, { method: 'POST', headers, body, signal });
  await response.arrayBuffer();
  return response.status;
}
