// Whom the recogniser may recognise: people of Wikidata with a portrait. Each is fetched once and kept on disk.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnreadablePhoto } from '../faces/failures.mjs';
import { distance, SIDE_MIN } from '../matching.mjs';
import { humanOf, isNamed, portraitFile } from './items.mjs';
import { BATCH_MAX, WikimediaDown } from './wikimedia.mjs';

/** The version of the records. Records of another version are made anew. */
const RECORD_VERSION = 1;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long a person with a portrait, one without, and whom a name means are believed, in milliseconds. */
const PERSON_MS_MAX = 90 * DAY_MS;
const LACK_MS_MAX = 14 * DAY_MS;
const NAME_MS_MAX = 30 * DAY_MS;
/** The most people of one name, and among how many they are looked for: not all have a portrait. */
const NAMESAKES_MAX = 3;
const NAMESAKES_AMONG = 10;
/** The files among which a second portrait is looked for. */
const SECOND_AMONG = 5;
/** A portrait's largest face must have this many times the area of the next one. */
const DOMINANCE_MIN = 4;
/** A second portrait farther than this from the first one is not believed: it must be a match by itself. */
const ONE_PERSON_DISTANCE_MAX = 0.44;
/** A second portrait nearer than this to a face in doubt may be the same photo, which would prove itself. */
const OTHER_PHOTO_DISTANCE_MIN = 0.15;

export class PeopleDirectory {
  #folder;
  #wikimedia;
  #describe;
  #model;
  #now;
  /** Records by number, and the numbers of names, as far as they were used. */
  #people = new Map();
  #names = new Map();
  /** What is being fetched, by number or name. */
  #underWay = new Map();
  #removed = new Set();
  #gallery = [];
  #failure = null;
  /** The portrait that is described now. */
  #describing = Promise.resolve();

  /** `describe` returns the faces of a photo, or throws `UnreadablePhoto`; `model` names the networks that describe them. */
  constructor({ folder, wikimedia, describe, model, now = Date.now }) {
    this.#folder = folder;
    this.#wikimedia = wikimedia;
    this.#describe = describe;
    this.#model = model;
    this.#now = now;
  }

  /** Reads what is kept on disk. */
  async open() {
    for (const folder of ['people', 'portraits', 'names']) await mkdir(join(this.#folder, folder), { recursive: true });
    await this.#readRemoved();
    this.#gallery = (await this.#read('gallery.json')) ?? [];
    for (const number of this.#gallery) await this.#kept(number);
  }

  /** Returns how many people are known, how many are in the gallery, and why Wikimedia could not be asked last. */
  status() {
    const known = [...this.#people.values()].filter(({ portraits }) => portraits.length > 0);
    return { people: known.length, gallery: this.#gallery.length, wikimedia: this.#failure ?? 'ok' };
  }

  /** Returns the people of the gallery. */
  gallery() {
    return this.#gallery.map((number) => this.#people.get(number)).filter((person) => this.#isUsable(person));
  }

  /**
   * Returns the people whom these candidates `{ number, name }` (either may be missing) may mean, and how many candidates
   * could not be resolved within `msMax` milliseconds. What takes longer goes on, for the next photo.
   */
  async people(candidates, msMax) {
    await this.#readRemoved();
    const numbers = [...new Set(candidates.flatMap(({ number }) => number ?? []))];
    const names = [...new Set(candidates.flatMap(({ number, name }) => (number || !name ? [] : name)))];
    await within(Promise.all([this.#ensurePeople(numbers), this.#ensureNames(names)]), msMax);
    const people = new Map();
    let unready = 0;
    for (const candidate of candidates) {
      const numbers = candidate.number ? [candidate.number] : this.#names.get(folded(candidate.name))?.numbers;
      const allowed = numbers?.filter((number) => !this.#removed.has(number));
      const records = allowed?.map((number) => this.#people.get(number));
      if (!records || records.includes(undefined)) unready += 1;
      for (const person of records ?? []) if (this.#isUsable(person)) people.set(person.number, person);
    }
    return { people: [...people.values()], unready };
  }

  /**
   * Adds a second portrait of a person, if Commons has a file that depicts the person alone. `inDoubt` are the
   * descriptions of the faces that it is to decide about.
   */
  async addSecondPortrait(person, inDoubt, msMax) {
    if (person.hasSecond) return;
    await within(this.#once(`second ${person.number}`, () => this.#addSecond(person, inDoubt)), msMax);
  }

  /** Adds people to the gallery, each of whom every photo is compared with. */
  async addToGallery(numbers) {
    await this.#readRemoved();
    // Another process may have changed it.
    const kept = (await this.#read('gallery.json')) ?? [];
    this.#gallery = [...new Set([...kept, ...numbers])].filter((number) => !this.#removed.has(number));
    await this.#write('gallery.json', this.#gallery);
  }

  /** Removes a person with portraits and descriptions, and never fetches them again. */
  async remove(number) {
    // The record itself, however old it is.
    const person = await this.#readPerson(number);
    await this.#readRemoved();
    this.#removed.add(number);
    await this.#write('removed.json', [...this.#removed]);
    await this.addToGallery([]);
    this.#people.delete(number);
    for (const { sha256 } of person?.portraits ?? []) await rm(this.#portraitPath(sha256), { force: true });
    await rm(join(this.#folder, 'people', `${number}.json`), { force: true });
  }

  /** Reads who was removed, also by another process meanwhile. */
  async #readRemoved() {
    this.#removed = new Set(JSON.parse((await this.#text('removed.json')) ?? '[]'));
  }

  #isUsable(person) {
    return person !== undefined && person.portraits.length > 0 && !this.#removed.has(person.number);
  }

  async #ensureNames(names) {
    const unknown = [];
    for (const name of names) if (!(await this.#keptName(name))) unknown.push(name);
    const work = [];
    for (const group of groups(unknown.filter((name) => !this.#underWay.has(`name ${folded(name)}`)))) {
      const found = this.#asked(() => this.#wikimedia.itemsTitled(group));
      for (const name of group) {
        work.push(this.#once(`name ${folded(name)}`, async () => this.#lookUp(name, await found)));
      }
    }
    await Promise.all([...work, ...unknown.map((name) => this.#underWay.get(`name ${folded(name)}`))]);
    const numbers = names.flatMap((name) => this.#names.get(folded(name))?.numbers ?? []);
    await this.#ensurePeople([...new Set(numbers)]);
  }

  /** Decides whom a name means: the human of the article with this title, or else humans who have it as a name. */
  async #lookUp(name, titled) {
    if (!titled) return;
    const item = titled.get(name);
    if (item && humanOf(item)) {
      await this.#keepName(name, [item.id]);
      return;
    }
    const found = await this.#asked(() => this.#wikimedia.peopleNamed(name, NAMESAKES_AMONG));
    const items = found && (found.length > 0 ? await this.#asked(() => this.#wikimedia.items(found)) : {});
    if (!items) return;
    const isMeant = (item) => item && isNamed(item, folded(name), folded) && portraitFile(item);
    const numbers = found.filter((number) => isMeant(items[number]));
    await this.#keepName(name, numbers.slice(0, NAMESAKES_MAX));
  }

  async #ensurePeople(numbers) {
    const unknown = [];
    for (const number of numbers) {
      if (!this.#removed.has(number) && !(await this.#kept(number))) unknown.push(number);
    }
    const work = [];
    for (const group of groups(unknown.filter((number) => !this.#underWay.has(number)))) {
      const found = this.#found(group);
      for (const number of group) {
        work.push(this.#once(number, async () => this.#addPerson(number, await found)));
      }
    }
    await Promise.all([...work, ...unknown.map((number) => this.#underWay.get(number))]);
  }

  /** Returns the items of people, and what Commons says of their portraits. */
  async #found(numbers) {
    const items = await this.#asked(() => this.#wikimedia.items(numbers));
    if (!items) return null;
    const titles = Object.values(items).flatMap((item) => (humanOf(item) ? portraitFile(item) ?? [] : []));
    const files = titles.length > 0 ? await this.#asked(() => this.#wikimedia.files(titles)) : new Map();
    return files && { items, files };
  }

  async #addPerson(number, found) {
    if (!found) return;
    const item = found.items[number];
    const human = item ? humanOf(item) : null;
    const title = human && portraitFile(item);
    const portrait = title && (await this.#portrait(title, found.files.get(title)));
    if (portrait === undefined) return;
    const portraits = portrait ? [portrait] : [];
    await this.#keep({ number, name: human?.name ?? '', portraits, hasSecond: false });
  }

  async #addSecond(person, inDoubt) {
    const titles = await this.#asked(() => this.#wikimedia.filesDepicting(person.number, SECOND_AMONG));
    const [first] = person.portraits;
    const others = (titles ?? []).filter((title) => title !== first.title);
    const files = others.length > 0 ? await this.#asked(() => this.#wikimedia.files(others)) : new Map();
    if (!titles || !files) return;
    for (const title of others) {
      const portrait = await this.#portrait(title, files.get(title));
      if (portrait === undefined) return;
      const isLike = portrait && distance(portrait.description, first.description) <= ONE_PERSON_DISTANCE_MAX;
      if (!isLike) continue;
      const isOther = inDoubt.every((face) => distance(face, portrait.description) >= OTHER_PHOTO_DISTANCE_MIN);
      if (!isOther) continue;
      await this.#keep({ number: person.number, name: person.name, portraits: [first, portrait], hasSecond: true });
      return;
    }
    await this.#keep({ number: person.number, name: person.name, portraits: [first], hasSecond: true });
  }

  /** Returns a portrait; null if the file shows no single face, and undefined if it could not be fetched now. */
  async #portrait(title, file) {
    if (!file?.url) return null;
    const bytes = await this.#asked(() => this.#wikimedia.bytes(file.thumburl ?? file.url));
    if (!bytes) return undefined;
    const faces = await this.#facesOf(bytes);
    if (!faces) return undefined;
    const area = ({ box: [, , width, height] }) => width * height;
    const [largest, next] = faces.toSorted((one, other) => area(other) - area(one));
    if (!largest || largest.side < SIDE_MIN || (next && area(largest) < DOMINANCE_MIN * area(next))) return null;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const said = (name) => plain(file.extmetadata?.[name]?.value ?? '');
    return {
      title, url: file.thumburl ?? file.url, page: file.descriptionurl, sha256,
      author: said('Artist'), license: said('LicenseShortName'), licenseUrl: said('LicenseUrl'),
      description: largest.description, bytes,
    };
  }

  /** Returns the faces of a portrait; null if they cannot be described now. One waits at a time, so photos come first. */
  #facesOf(bytes) {
    const described = this.#describing.then(() => this.#describe(bytes)).catch((error) =>
      (error instanceof UnreadablePhoto ? [] : null));
    this.#describing = described;
    return described;
  }

  /** Returns what Wikimedia answers; null if it cannot be asked. */
  async #asked(ask) {
    try {
      const answer = await ask();
      this.#failure = null;
      return answer;
    } catch (error) {
      if (!(error instanceof WikimediaDown) && !(error instanceof SyntaxError)) throw error;
      this.#failure = error.message;
      return null;
    }
  }

  /** Does something once, however many ask for it meanwhile. */
  #once(key, work) {
    const known = this.#underWay.get(key);
    if (known) return known;
    const begun = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }

  /** Returns the record of a person that is kept and not too old. */
  async #kept(number) {
    const known = this.#people.get(number) ?? (await this.#readPerson(number));
    if (!known || known.version !== RECORD_VERSION || known.model !== this.#model) return undefined;
    const msMax = known.portraits.length > 0 ? PERSON_MS_MAX : LACK_MS_MAX;
    if (this.#now() - known.at > msMax) return undefined;
    this.#people.set(number, known);
    return known;
  }

  async #readPerson(number) {
    const person = await this.#read(join('people', `${number}.json`));
    for (const portrait of person?.portraits ?? []) portrait.description = Float32Array.from(portrait.description);
    return person;
  }

  async #keep(person) {
    await this.#readRemoved();
    if (this.#removed.has(person.number)) return;
    const files = person.portraits.filter(({ bytes }) => bytes);
    for (const { sha256, bytes } of files) await writeWhole(this.#portraitPath(sha256), bytes);
    const kept = person.portraits.map(({ bytes, ...portrait }) => portrait);
    const record = { version: RECORD_VERSION, model: this.#model, at: this.#now(), ...person, portraits: kept };
    this.#people.set(person.number, record);
    const portraits = kept.map((one) => ({ ...one, description: [...one.description] }));
    await this.#write(join('people', `${person.number}.json`), { ...record, portraits });
  }

  async #keptName(name) {
    const key = folded(name);
    const known = this.#names.get(key) ?? (await this.#read(nameFile(key)));
    if (!known || this.#now() - known.at > NAME_MS_MAX) return undefined;
    this.#names.set(key, known);
    return known;
  }

  async #keepName(name, numbers) {
    const key = folded(name);
    const record = { name: key, at: this.#now(), numbers };
    this.#names.set(key, record);
    await this.#write(nameFile(key), record);
  }

  #portraitPath(sha256) {
    return join(this.#folder, 'portraits', sha256);
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

/** Waits until something is done, but at most so many milliseconds. */
async function within(work, msMax) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, msMax)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}

const nameFile = (key) => join('names', `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);

function groups(all) {
  const found = [];
  for (let from = 0; from < all.length; from += BATCH_MAX) found.push(all.slice(from, from + BATCH_MAX));
  return found;
}

/** Returns the text of a piece of HTML, on one line. */
function plain(html) {
  const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#039;': "'", '&nbsp;': ' ' };
  const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&[a-z0-9#]+;/g, (one) => entities[one] ?? ' ');
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}

/** Writes a file so that it is never seen half written. */
async function writeWhole(path, content) {
  const part = `${path}.${process.pid}.part`;
  await writeFile(part, content);
  await rename(part, path);
}
