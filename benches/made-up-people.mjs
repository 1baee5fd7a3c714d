// People who do not exist, and what a server would say of them: the events of a run that sees all of them, and
// the answers of an atlas that knows them. The shapes are those of public/openapi.json.

/** A whole token, as the page asks for it; nobody has given it out. */
export const RUN = 's1.madeUpPeopleOfTheBench';
/** So many stand around each whom somebody walks through, and so many are told in one answer. */
const AROUND = 50;
const TOLD_AT_ONCE = 24;

const GIVEN = ['Ann', 'Christopher', 'Éponine', 'Bo', 'Maximilian', 'Ngozi', 'Li'];
const FAMILY = ['Lee', 'Montgomery', 'of Hohenstaufen', 'Okafor', 'Vandenberghe', 'Wu'];

const personOf = (i) => ({
  id: `p${i}`,
  name: `${GIVEN[i % GIVEN.length]} ${FAMILY[i % FAMILY.length]} ${i}`,
});
const confidenceOf = (i) => 80 + ((i * 13) % 20);
const time = new Date(0).toISOString();

/** A photo that no browser can load: what is drawn waits for none. */
const photoOf = (from, to, i) => ({
  ref: `ev${i}`,
  imageUrl: `/made-up/${i}.jpg`,
  title: `${from.name} and ${to.name}`,
  query: '',
  sha256: i.toString(16).padStart(64, '0'),
  imageScore: 90,
  faces: [from, to].map((one, at) => ({
    ...one, confidence: 95, urls: [], box: { left: 0.2 + at / 2, top: 0.2, width: 0.2, height: 0.3 },
  })),
});

const lineOf = (from, to, i) => ({
  from: from.id,
  to: to.id,
  fromName: from.name,
  toName: to.name,
  edgeConfidence: confidenceOf(i),
  evidence: [photoOf(from, to, i)],
});

/** Everybody is seen with two who were there before; the chain goes from the first to the last. */
function linesOf(count) {
  return Array.from({ length: count - 1 }, (_, before) => {
    const i = before + 1;
    const others = new Set([Math.floor(i / 2), (before * 7) % i]);
    return [...others].map((other, at) => lineOf(personOf(other), personOf(i), 2 * i + at));
  }).flat();
}

/** `{a, b, events}` of a run that sees so many people; its last event tells the chain between the two. */
export function runOf(count) {
  const lines = linesOf(count);
  const told = { runId: RUN, timestamp: time };
  const steps = [count - 1];
  while (steps[0] > 0) steps.unshift(Math.floor(steps[0] / 2));
  const path = steps.map(personOf);
  const joins = ({ from, to }) =>
    path.some(({ id }, i) => i > 0 && [id, path[i - 1].id].every((one) => one === from || one === to));
  const final = {
    ...told, type: 'final', path, edges: lines.filter(joins), confidenceMap: {}, certificate: {}, otherPaths: [],
    graph: { nodes: [], edges: [], evidence: {} }, spent: {}, disclaimer: '',
  };
  const events = lines.map((edge) => ({ ...told, type: 'evidence', edge }));
  events.splice(events.length - 40, 0, hintsOf(count, told));
  return { a: path[0].name, b: path.at(-1).name, events: [...events, final] };
}

/** Some people are only hinted at, and somebody is searched around. */
const hintsOf = (count, told) => ({
  ...told,
  type: 'status',
  state: 'S3',
  message: 'Looking at photos',
  hop: 2,
  frontier: personOf(3),
  guess: 'Somebody Guessed',
  hinted: Array.from({ length: 10 }, (_, i) => [personOf(i), personOf(Math.floor(count / 2) + i)]),
  spent: {},
  budget: {},
});

/** Those through whom somebody has to walk until so many people are in the picture. */
export const walkOf = (count) =>
  Array.from({ length: Math.ceil(count / AROUND) }, (_, i) => personOf(i * AROUND).id);

/** What an atlas of so many answers at an address, or null where it has no such address. */
export function atlasAnswer(count, { pathname, searchParams }) {
  const known = (i) => ({ ...personOf(i), photos: AROUND });
  if (pathname === '/atlas') {
    return { people: count, photos: count, pairs: count, saved: { recognitions: 0, usd: 0 } };
  }
  if (pathname === '/atlas/people') return { people: [known(0)] };
  const [, number] = /^\/atlas\/people\/p(\d+)$/.exec(pathname) ?? [];
  if (number === undefined) return null;
  const middle = Number(number);
  const others = othersOf(middle, count);
  const offset = Number(searchParams.get('offset') ?? 0);
  const end = offset + TOLD_AT_ONCE;
  const edges = others.slice(offset, end).map((other, i) => ({
    ...lineOf(personOf(middle), personOf(other), middle + other + i), photos: 3,
  }));
  return { person: known(middle), edges, ...(end < others.length ? { next: end } : {}) };
}

/** Those in the middle of a walk are seen with their own and with the next in the middle; others with these. */
function othersOf(person, count) {
  const middle = person - (person % AROUND);
  if (person !== middle) return [middle, (person * 7) % count].filter((one) => one !== person);
  const own = Array.from({ length: AROUND - 1 }, (_, i) => middle + 1 + i);
  return [middle + AROUND, ...own].filter((one) => one < count);
}
