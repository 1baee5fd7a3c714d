// Measures the recogniser on labelled faces that a package ships: how often two pictures of one person match, and two of
// different people. The figures are to be read; there are no bounds to pass.
// `npm run bench:recogniser -- [WIDTH]`, of the faces in pixels
import { distance } from '../recogniser/matching.mjs';
import { runProgram } from '../scripts/program.mjs';
import { ensureRecogniser } from '../scripts/recogniser.mjs';

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
});

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
