// What is known of people, on disk: a record of each person, whom names mean, portraits by digest, the gallery, and who was
// removed.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The version of the records. Records of another version are made anew. */
const RECORD_VERSION = 1;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long a person with a portrait, one without, and whom a name means are believed, in milliseconds. */
const PERSON_MS_MAX = 90 * DAY_MS;
const LACK_MS_MAX = 14 * DAY_MS;
const NAME_MS_MAX = 30 * DAY_MS;
/** How much longer a record is kept, for as long as Wikimedia cannot be asked for a new one, in milliseconds. */
const GRACE_MS = 30 * DAY_MS;
/** The most records of people and of names that are kept. The oldest go. */
const PEOPLE_MAX = 20_000;
const NAMES_MAX = 50_000;

export class Records {
  #folder;
  #model;
  #now;
  /** Records by number, and whom names mean, as far as they were used. The one that was not used for longest goes. */
  #people = new Map();
  #names = new Map();
  /** The numbers of the gallery, and their records, which stay. */
  #gallery = new Set();
  #ofGallery = new Map();
  #removed = new Set();

  /** `model` names the networks that described the portraits. */
  constructor({ folder, model, now = Date.now }) {
    this.#folder = folder;
    this.#model = model;
    this.#now = now;
  }

  /** Reads what is kept on disk. */
  async open() {
    for (const folder of ['people', 'portraits', 'names']) await mkdir(join(this.#folder, folder), { recursive: true });
    await this.readRemoved();
    await this.addToGallery([]);
    for (const number of this.#gallery) await this.person(number);
  }

  /** Returns how many people with portraits were used, and how many are in the gallery. */
  status() {
    const known = [...this.#people.values(), ...this.#ofGallery.values()];
    return { people: known.filter(({ portraits }) => portraits.length > 0).length, gallery: this.#gallery.size };
  }

  /** Returns the record of a person, unless there is none that may still be used; `isFresh` says whether it is believed. */
  async person(number) {
    const known = this.#ofGallery.get(number) ?? this.#people.get(number);
    const record = this.#aged(known ?? (await this.#readPerson(number)));
    if (record && !this.isRemoved(number)) this.#hold(record);
    return record;
  }

  /** Returns the people of the gallery. */
  gallery() {
    return [...this.#ofGallery.values()].map((record) => this.#aged(record)).filter(Boolean);
  }

  /** Returns a record with `isFresh`: whether it is believed; nothing if it may not be used any more. */
  #aged(record) {
    if (!record || record.version !== RECORD_VERSION || record.model !== this.#model) return undefined;
    const age = this.#now() - record.at;
    const msMax = record.portraits.length > 0 || record.sameAs ? PERSON_MS_MAX : LACK_MS_MAX;
    return age > msMax + GRACE_MS ? undefined : { ...record, isFresh: age <= msMax };
  }

  #hold(record) {
    if (this.#gallery.has(record.number)) this.#ofGallery.set(record.number, record);
    else use(this.#people, record.number, record, PEOPLE_MAX);
  }

  /** Keeps `{ number, name, portraits, hasSecond }`, or `{ number, sameAs }` where the item was merged into another. */
  async keepPerson(person) {
    await this.readRemoved();
    if (this.isRemoved(person.number)) return;
    const { portraits = [] } = person;
    for (const { sha256, bytes } of portraits) if (bytes) await writeWhole(this.#portraitPath(sha256), bytes);
    const kept = portraits.map(({ bytes, ...portrait }) => portrait);
    const record = { version: RECORD_VERSION, model: this.#model, at: this.#now(), ...person, portraits: kept };
    this.#hold(record);
    const onDisk = kept.map((one) => ({ ...one, description: [...one.description] }));
    await this.#write(join('people', `${person.number}.json`), { ...record, portraits: onDisk });
  }

  /** Returns the numbers of those whom a name means, if that is known. */
  async numbersOf(name) {
    const key = folded(name);
    const known = this.#names.get(key) ?? (await this.#read(nameFile(key)));
    if (!known || this.#now() - known.at > NAME_MS_MAX) return undefined;
    use(this.#names, key, known, NAMES_MAX);
    return known.numbers;
  }

  async keepName(name, numbers) {
    const key = folded(name);
    const record = { name: key, at: this.#now(), numbers };
    use(this.#names, key, record, NAMES_MAX);
    await this.#write(nameFile(key), record);
  }

  /** Adds people to the gallery. */
  async addToGallery(numbers) {
    await this.readRemoved();
    // Another process may have changed it.
    const kept = (await this.#read('gallery.json')) ?? [];
    const all = [...new Set([...kept, ...numbers])].filter((number) => !this.isRemoved(number));
    if (all.length !== kept.length) await this.#write('gallery.json', all);
    this.#gallery = new Set(all);
  }

  /** Returns the numbers of the gallery. */
  numbersOfGallery() {
    return [...this.#gallery];
  }

  /** Returns the numbers of those who were removed. */
  removed() {
    return [...this.#removed];
  }

  isRemoved(number) {
    return this.#removed.has(number);
  }

  /** Reads who was removed, also by another process meanwhile. */
  async readRemoved() {
    this.#removed = new Set(JSON.parse((await this.#text('removed.json')) ?? '[]'));
  }

  /** Removes a person with portraits and descriptions, for good. */
  async remove(number) {
    // The record itself, however old it is.
    const person = await this.#readPerson(number);
    await this.readRemoved();
    this.#removed.add(number);
    await this.#write('removed.json', [...this.#removed]);
    await this.addToGallery([]);
    for (const known of [this.#people, this.#ofGallery]) known.delete(number);
    for (const { sha256 } of person?.portraits ?? []) await rm(this.#portraitPath(sha256), { force: true });
    await rm(this.#personPath(number), { force: true });
  }

  /** Deletes what is too old to be used, or more than is kept, and portraits that belong to nobody. */
  async purge() {
    const [left, gone] = parted(await this.#listed('people'), ({ at, number }, place) =>
      this.#now() - at <= PERSON_MS_MAX + GRACE_MS && (place < PEOPLE_MAX || this.#gallery.has(number)));
    for (const { file, number } of gone) {
      for (const known of [this.#people, this.#ofGallery]) known.delete(number);
      await rm(join(this.#folder, file), { force: true });
    }
    await this.#purgePortraits(new Set(left.flatMap(({ portraits }) => portraits)));
    const [, forgotten] = parted(await this.#listed('names'), ({ at }, place) =>
      this.#now() - at <= NAME_MS_MAX && place < NAMES_MAX);
    for (const { file } of forgotten) await rm(join(this.#folder, file), { force: true });
  }

  /** Returns the records of a folder, the newest first: each with its file, and the digests of its portraits. */
  async #listed(folder) {
    const all = [];
    for (const name of await readdir(join(this.#folder, folder))) {
      if (!name.endsWith('.json')) continue;
      const file = join(folder, name);
      const { at = 0, number, portraits = [] } = (await this.#read(file)) ?? {};
      all.push({ file, at, number, portraits: portraits.map(({ sha256 }) => sha256) });
    }
    return all.sort((one, other) => other.at - one.at);
  }

  async #purgePortraits(used) {
    for (const file of await readdir(join(this.#folder, 'portraits'))) {
      if (used.has(file)) continue;
      const { mtimeMs } = await stat(this.#portraitPath(file)).catch(() => ({ mtimeMs: Date.now() }));
      // A record is written after its portrait, perhaps by another process now.
      if (Date.now() - mtimeMs > DAY_MS) await rm(this.#portraitPath(file), { force: true });
    }
  }

  async #readPerson(number) {
    const person = await this.#read(join('people', `${number}.json`));
    for (const portrait of person?.portraits ?? []) portrait.description = Float32Array.from(portrait.description);
    return person;
  }

  #portraitPath(sha256) {
    return join(this.#folder, 'portraits', sha256);
  }

  #personPath(number) {
    return join(this.#folder, 'people', `${number}.json`);
  }

  /** Returns what a file holds; nothing if there is none, or if it is broken. */
  async #read(file) {
    const text = await this.#text(file);
    try {
      return JSON.parse(text) ?? undefined;
    } catch {
      return undefined;
    }
  }

  async #text(file) {
    return readFile(join(this.#folder, file), 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  }

  async #write(file, value) {
    await writeWhole(join(this.#folder, file), JSON.stringify(value));
  }
}

/** Returns a name as names are compared: without accents, in small letters. */
export function folded(name) {
  const bare = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return bare.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Returns those for whom the test holds, and the others. */
function parted(all, test) {
  const kept = all.filter(test);
  const isKept = new Set(kept);
  return [kept, all.filter((one) => !isKept.has(one))];
}

/** Puts a value last into a map of at most `max`, whose first one goes. */
function use(map, key, value, max) {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value);
}

const nameFile = (key) => join('names', `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);

/** Writes a file so that it is never seen half written. */
async function writeWhole(path, content) {
  const part = `${path}.${process.pid}.part`;
  await writeFile(part, content);
  await rename(part, path);
}
