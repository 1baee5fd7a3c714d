// Made-up people, with a server's answers about them: the events of a run that sees all of them, and the answers of an
// atlas that knows them. The answers have the shapes in public/openapi.json.

/** A token in the form that the page requests; no server has issued it. */
export const RUN = 's1.madeUpPeopleOfTheBench';
/** The number of people around each person on a walk, and the most people in one answer. */
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

/** Returns a photo that no browser can load, because drawing the graph does not wait for photos. */
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

/** Returns lines from each person to two earlier ones. The chain leads from the first person to the last. */
function linesOf(count) {
  return Array.from({ length: count - 1 }, (_, before) => {
    const i = before + 1;
    const others = new Set([Math.floor(i / 2), (before * 7) % i]);
    return [...others].map((other, at) => lineOf(personOf(other), personOf(i), 2 * i + at));
  }).flat();
}

/** Returns `{a, b, events}` for a run that sees this many people; its last event has the chain between the two. */
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

/** Returns a status event with ten hinted people and the person around whom the machine searches. */
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

/** Returns the people that a walk must visit until this many people are in the graph. */
export const walkOf = (count) =>
  Array.from({ length: Math.ceil(count / AROUND) }, (_, i) => personOf(i * AROUND).id);

/** Returns the answer of an atlas of this many people at an address, or null for an address that it does not have. */
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

/**
 * Returns the people seen with a person. Those on the walk are seen with their own and with the next on the walk, all
 * others with those on the walk.
 */
function othersOf(person, count) {
  const middle = person - (person % AROUND);
  if (person !== middle) return [middle, (person * 7) % count].filter((one) => one !== person);
  const own = Array.from({ length: AROUND - 1 }, (_, i) => middle + 1 + i);
  return [middle + AROUND, ...own].filter((one) => one < count);
}
