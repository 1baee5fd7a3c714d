// Measures the recogniser on labelled faces that a package ships: how often two pictures of one person match, and two of
// different people. The figures are to be read; there are no bounds to pass.
// `npm run bench:recogniser -- [WIDTH]`, of the faces in pixels
import { distance, matches } from '../recogniser/matching.mjs';
import { runProgram } from '../scripts/program.mjs';
import { ensureRecogniser } from '../scripts/recogniser.mjs';

/** The confidence of a match that counts, in percent. */
const THRESHOLD = 80;

await runProgram(async ([width = '128']) => {
  await ensureRecogniser();
  const { describeFaces, loadNetworks } = await import('../recogniser/faces/networks.mjs');
  const { attPhoto, ATT_PEOPLE, ATT_PICTURES } = await import('../tests/recogniser/labelled-faces.mjs');
  await loadNetworks();
  const faces = [];
  let missed = 0;
  for (let person = 1; person <= ATT_PEOPLE; person += 1) {
    for (let picture = 1; picture <= ATT_PICTURES; picture += 1) {
      const found = await describeFaces(await attPhoto(person, picture, Number(width)));
      if (found.length === 1) faces.push({ person, picture, ...found[0] });
      else missed += 1;
    }
  }
  console.log(`${faces.length} faces found, ${missed} missed; sides ${sides(faces)}`);
  const { same, other } = distances(faces);
  console.log(`${same.length} pairs of one person, ${other.length} of two`);
  for (const rate of [1e-2, 1e-3, 1e-4, 1e-5]) {
    const apart = other[Math.floor(other.length * rate)];
    console.log(`false matches ${rate}: at distance ${apart.toFixed(3)}, missed ${share(same, apart)}`);
  }
  for (const count of [2, 10, 40]) console.log(asCandidates(faces, { portraits: [1, ATT_PICTURES], count }));
});

/**
 * Matches every picture with the portraits of `count` people, which are each of these pictures in turn: once with the
 * person's own among them, and once without, as a stranger.
 */
function asCandidates(faces, { portraits: pictures, count }) {
  const tally = { tries: 0, missed: 0, mistaken: 0, strangers: 0, recognised: 0 };
  for (const portrait of pictures) {
    const portraits = faces.filter(({ picture }) => picture === portrait);
    for (const face of faces.filter(({ picture }) => picture !== portrait)) {
      // The others are those who follow in the order of people.
      const own = portraits.findIndex(({ person }) => person === face.person);
      if (own === -1) continue;
      const around = [...portraits.slice(own), ...portraits.slice(0, own)];
      const people = around.map((one) => ({ number: one.person, portraits: [one], isAsked: true }));
      const sure = (candidates) => {
        const [match] = matches([face], candidates);
        return match !== null && match.confidence >= THRESHOLD ? match.person.number : null;
      };
      const found = sure(people.slice(0, count));
      tally.tries += 1;
      tally.missed += found === null ? 1 : 0;
      tally.mistaken += found !== null && found !== face.person ? 1 : 0;
      tally.strangers += 1;
      tally.recognised += sure(people.slice(1, count + 1)) === null ? 0 : 1;
    }
  }
  return `${count} candidates, at confidence ${THRESHOLD}: of ${tally.tries} tries ` +
    `${(100 * tally.missed / tally.tries).toFixed(1)} % missed, ${tally.mistaken} taken for somebody else; ` +
    `of ${tally.strangers} strangers ${tally.recognised} recognised`;
}

function distances(faces) {
  const [same, other] = [[], []];
  faces.forEach((one, place) => {
    for (const two of faces.slice(place + 1)) {
      (one.person === two.person ? same : other).push(distance(one.description, two.description));
    }
  });
  return { same: same.sort((one, two) => one - two), other: other.sort((one, two) => one - two) };
}

function share(same, apart) {
  return `${((100 * same.filter((distance) => distance > apart).length) / same.length).toFixed(1)} %`;
}

function sides(faces) {
  const sorted = faces.map(({ side }) => side).sort((one, two) => one - two);
  return `${sorted[0]} to ${sorted.at(-1)} pixels, median ${sorted[sorted.length >> 1]}`;
}
