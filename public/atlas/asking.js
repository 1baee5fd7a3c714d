// Requests from the server what an address of the atlas is to show.

import { Problem } from '../api.js';
import { fold } from '../safe.js';
import { chainOf, neighboursOf, peopleOf } from './reading.js';

/**
 * Resolves to `{page: "home", typed, people, meant}`, `{page: "person", id}` or `{page: "path", chain}`; the people
 * seen with a person are stored in `walked`. `meant` is the only person found if their full name was typed, or else
 * null. Rejects with a problem in words.
 */
export function askFor(place, { server, walked }) {
  return ASK[place.page](place, server, walked);
}

const ASK = {
  async home({ typed }, server) {
    const people = peopleOf(await server.atlasPeople(typed));
    return { page: 'home', typed, people, meant: meantOf(typed, people) };
  },
  async person({ id }, server, walked) {
    if (walked.around(id)) {
      walked.return(id);
      return { page: 'person', id };
    }
    const told = neighboursOf(await server.atlasPerson(id));
    if (!told) throw new Problem(404, { detail: 'The server named nobody.' });
    walked.take(told);
    return { page: 'person', id: told.person.id };
  },
  async path({ a, b }, server) {
    return { page: 'path', chain: chainOf(await server.atlasPath(a, b)) };
  },
  async nowhere() {
    throw new Problem(404, { detail: 'There is no such page in the atlas.' });
  },
};

const meantOf = (typed, people) =>
  people.length === 1 && typed !== '' && fold(people[0].name) === fold(typed) ? people[0] : null;
