// The people whom the user has walked through, with their links. The picture grows with each step, up to a limit. Pure.

import { PEOPLE_MAX } from './reading.js';

/** The most people around the middle who are drawn with a face and a name; all further ones are drawn small. */
const NEAR_MAX = 36;

export class Walked {
  /** For each person who was in the middle, by id: `{person, edges, next}`. The latest is the last. */
  #around = new Map();

  /** What is known around a person; null if they were never in the middle. */
  around(id) {
    return this.#around.get(id) ?? null;
  }

  /** Puts a person in the middle; newer data about the same person replace older ones. */
  take({ person, edges, next }) {
    this.#around.delete(person.id);
    const shown = edges.slice(0, PEOPLE_MAX - 1);
    this.#around.set(person.id, { person, edges: shown, next: shown.length < PEOPLE_MAX - 1 ? next : null });
    this.#forget();
  }

  /** Adds more people who were seen with a person. */
  add({ person, edges, next }) {
    const known = this.#around.get(person.id)?.edges ?? [];
    const keys = new Set(known.map(({ key }) => key));
    this.take({ person, edges: [...known, ...edges.filter(({ key }) => !keys.has(key))], next });
  }

  /** Puts a person back in the middle. */
  return(id) {
    const known = this.#around.get(id);
    if (known) this.take(known);
  }

  /** The links around all people who were in the middle, each link once. */
  get edges() {
    const all = [...this.#around.values()].flatMap(({ edges }) => edges);
    return [...new Map(all.map((one) => [one.key, one])).values()];
  }

  /** The names of all people in the picture, by id. */
  get names() {
    const names = new Map();
    for (const { person, edges } of this.#around.values()) {
      for (const { from, fromName, to, toName } of edges) names.set(from, fromName).set(to, toName);
      names.set(person.id, person.name);
    }
    return names;
  }

  /**
   * Forgets people while there are too many: first the one who was in the middle longest ago, and all who were seen
   * only with that person.
   */
  #forget() {
    while (this.#around.size > 1 && this.names.size > PEOPLE_MAX) {
      this.#around.delete(this.#around.keys().next().value);
    }
  }
}

/**
 * The picture around a person, in the form of a run's `graphOf`; `shown` is the key of the link whose photo is shown.
 */
export function graphAround(walked, id, shown = '') {
  const near = new Set((walked.around(id)?.edges ?? []).slice(0, NEAR_MAX).map(({ to }) => to));
  const people = [...walked.names].map(([other, name]) => ({
    id: other,
    name,
    end: '',
    step: null,
    isSeen: true,
    isSearched: false,
    isMiddle: other === id,
    isOnPath: other === id,
    isNear: near.has(other),
    isFar: other !== id && !near.has(other),
  }));
  const isOwn = ({ from, to }) => (from === id && near.has(to)) || (to === id && near.has(from));
  const kindOf = (edge) => (edge.key === shown ? 'path' : isOwn(edge) ? 'proven' : 'far');
  const links = walked.edges.map((edge) => {
    const { key, from, to, confidence } = edge;
    return { key, from, to, confidence, kind: kindOf(edge) };
  });
  return { people, links };
}
