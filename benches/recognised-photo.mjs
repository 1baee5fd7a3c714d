// Measures what a photo costs the recogniser of one's own: the time of the whole request, and the memory of the service.
// The photo is a montage of four faces that a package ships, of one megapixel. The figures are to be read; there are no
// bounds to pass.
// `npm run bench:recognised-photo`
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../scripts/program.mjs';
import { ensureRecogniser, startRecogniser } from '../scripts/recogniser.mjs';
import { standIn } from '../tests/recogniser/wikimedia-stand-in.mjs';

const PHOTOS = 40;
const FACES = 4;
const SIZE = { width: 1_160, height: 864 };
const CANDIDATES = 40;

await runProgram(async () => {
  await ensureRecogniser();
  const { attFace, attPhoto, montage } = await import('../tests/recogniser/labelled-faces.mjs');
  const people = await Promise.all(Array.from({ length: CANDIDATES }, async (_, place) =>
    ({ number: `Q${1_001 + place}`, names: [`Sitter ${place}`], portrait: await attPhoto(place + 1, 1, 150) })));
  const site = await standIn(people);
  const folder = await mkdtemp(join(tmpdir(), 'recognised-photo-'));
  const service = await startRecogniser({
    CONTACT: 'a@b.example', WIKIDATA_BASE: site.origin, COMMONS_BASE: site.origin, HOST: '127.0.0.1', PORT: '0',
    REFERENCES_FOLDER: folder, REFERENCES_TOKEN: '',
  });
  try {
    const photos = await Promise.all(Array.from({ length: 8 }, (_, place) => photoOf(place, { attFace, montage })));
    const candidates = people.map(({ number }) => ({ number }));
    const ask = (photo) => recognised(service.origin, { photo: photo.toString('base64'), candidates });
    // The portraits are fetched and described first.
    for (const photo of photos) while ((await ask(photo)).unready !== 0);
    const took = [];
    let named = 0;
    for (let place = 0; place < PHOTOS; place += 1) {
      const began = performance.now();
      const { faces } = await ask(photos[place % photos.length]);
      took.push(performance.now() - began);
      named += faces.filter(({ match }) => match).length;
    }
    took.sort((one, other) => one - other);
    console.log(`${PHOTOS} photos of ${SIZE.width} by ${SIZE.height} pixels with ${FACES} faces, ${named} of ${PHOTOS * FACES} named`);
    console.log(`time: ${Math.round(took[PHOTOS / 2])} ms (median), ${Math.round(took.at(-1))} ms (longest)`);
    console.log(`memory of the service: ${await memoryOf(service.pid)}`);
  } finally {
    await Promise.all([service.stop(), site.close()]);
    await rm(folder, { recursive: true, force: true });
  }
});

async function photoOf(place, { attFace, montage }) {
  const pictures = await Promise.all(Array.from({ length: FACES }, async (_, at) => ({
    bytes: await attFace(1 + (FACES * place + at), 5, 180), left: 60 + at * 275, top: 300,
  })));
  return montage(SIZE, pictures);
}

/** Returns the answer; one that says that people are still being fetched counts as one of nobody. */
async function recognised(origin, question) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${origin}/recognise`, { method: 'POST', headers, body: JSON.stringify(question) });
  const body = await response.json();
  return response.ok ? body : { faces: [], unready: null };
}

/** Returns the memory of a process, now and at most, as Linux tells it. */
async function memoryOf(pid) {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const mb = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1] ?? NaN) / 1_024);
  return text ? `${mb('VmRSS')} MB now, ${mb('VmHWM')} MB at most` : 'not told by this system';
}
