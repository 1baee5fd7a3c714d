// Whom the recogniser may recognise: people of Wikidata with a portrait. Each is fetched once and kept on disk.
import { createHash } from 'node:crypto';
import { UnreadablePhoto } from '../faces/failures.mjs';
import { distance, SIDE_MIN } from '../matching.mjs';
import { Batches } from './batches.mjs';
import { isHuman, isNamed, nameOf, portraitFile } from './items.mjs';
import { folded, Records } from './records.mjs';
import { BATCH_MAX, ENTITIES_MAX, WikimediaDown, WikimediaRefuses } from './wikimedia.mjs';

/** The largest number that Wikidata can have. */
const NUMBER_MAX = 2_147_483_647;
/** What no title of an article has, and the longest title, in bytes. */
const NO_TITLE = /[#<>[\]{}|\p{Cc}]/u;
const TITLE_BYTES_MAX = 255;
/** The most people of one name, and among how many they are looked for: not all have a portrait. */
const NAMESAKES_MAX = 3;
const NAMESAKES_AMONG = 10;
/** The files among which a second portrait is looked for. */
const SECOND_AMONG = 5;
/** The formats of portraits. */
const PORTRAIT_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp']);
/** A portrait's largest face must have this many times the area of the next one. */
const DOMINANCE_MIN = 4;
/** A second portrait farther than this from the first one is not believed: it must be a match by itself. */
const ONE_PERSON_DISTANCE_MAX = 0.44;
/** A second portrait nearer than this to a face in doubt may be the same photo, which would prove itself. */
const OTHER_PHOTO_DISTANCE_MIN = 0.15;

export class PeopleDirectory {
  #records;
  #wikimedia;
  #describe;
  #items;
  #titled;
  #files;
  /** What is being fetched, by number or name. */
  #underWay = new Map();
  /** The portrait that is described now. */
  #describing = Promise.resolve();

  /** `describe` returns the faces of a photo, or throws `UnreadablePhoto`; `model` names the networks that describe them. */
  constructor({ folder, wikimedia, describe, model, now }) {
    this.#records = new Records({ folder, model, now });
    this.#wikimedia = wikimedia;
    this.#describe = describe;
    this.#items = new Batches((numbers) => wikimedia.items(numbers), ENTITIES_MAX);
    this.#titled = new Batches((titles) => wikimedia.itemsTitled(titles), ENTITIES_MAX);
    this.#files = new Batches((titles) => wikimedia.files(titles), BATCH_MAX);
  }

  /** Reads what is kept on disk. */
  async open() {
    await this.#records.open();
  }

  /** Returns how many people are known, how many are in the gallery, and why Wikimedia could not be asked last. */
  status() {
    return { ...this.#records.status(), wikimedia: this.#wikimedia.failure ?? 'ok' };
  }

  /** Returns the people of the gallery. */
  gallery() {
    return this.#records.gallery().filter((person) => this.#isUsable(person));
  }

  /**
   * Returns the people whom these candidates `{ number, name }` (either may be missing) may mean, the places of the
   * candidates who could not be fetched within `msMax` milliseconds, and why Wikimedia could not be asked for one of
   * them. What takes longer goes on, for the next photo.
   */
  async people(candidates, msMax) {
    await this.#records.readRemoved();
    const found = new Map();
    let failure = null;
    const resolved = candidates.map(async (candidate, place) => {
      try {
        found.set(place, await this.#meant(candidate));
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (error instanceof WikimediaDown) failure = error;
      }
    });
    await within(Promise.all(resolved), msMax);
    const people = new Map();
    for (const [place] of candidates.entries()) {
      for (const person of found.get(place) ?? []) if (this.#isUsable(person)) people.set(person.number, person);
    }
    const unready = [...candidates.keys()].filter((place) => !found.has(place));
    return { people: [...people.values()], unready, failure };
  }

  /**
   * Adds a second portrait of a person, if Commons has a file that depicts the person alone. `inDoubt` are the
   * descriptions of the faces that it is to decide about.
   */
  async addSecondPortrait(person, inDoubt, msMax) {
    if (person.hasSecond) return;
    const added = this.#once(`second ${person.number}`, () => this.#addSecond(person, inDoubt));
    await within(added.catch(ignorePassing), msMax);
  }

  /** Adds people to the gallery, each of whom every photo is compared with. */
  async addToGallery(numbers) {
    await this.#records.addToGallery(numbers);
  }

  /**
   * Removes a person with portraits and descriptions, and never fetches them again, also under the number of the item into
   * which this one was merged. Returns whether Wikidata said which that is.
   */
  async remove(number) {
    const known = await this.#records.person(number);
    await this.#records.remove(number);
    if (known?.sameAs) await this.#records.remove(known.sameAs);
    try {
      const item = await this.#items.load(number);
      if (item?.id && item.id !== number) await this.#records.remove(item.id);
      return true;
    } catch (error) {
      ignorePassing(error);
      return false;
    }
  }

  /** Makes old records of the gallery anew, one after the other, and deletes what is too old or too much. */
  async keepUp() {
    for (const number of this.#records.removed()) await this.remove(number);
    for (const number of this.#records.numbersOfGallery()) await this.#person(number).catch(ignorePassing);
    await this.#records.purge();
  }

  #isUsable(person) {
    return person.portraits.length > 0 && !this.#records.isRemoved(person.number);
  }

  /** Returns the people whom a candidate may mean. */
  async #meant({ number, name }) {
    const numbers = number ? [number] : await this.#numbersOf(name);
    const people = await Promise.all(numbers.map((one) => this.#person(one)));
    return people.filter(Boolean);
  }

  async #numbersOf(name) {
    const known = await this.#records.numbersOf(name);
    return known ?? this.#once(`name ${folded(name)}`, async () => {
      const numbers = await this.#lookUp(name);
      await this.#records.keepName(name, numbers);
      return numbers;
    });
  }

  /** Decides whom a name means: the human of the article with this title, or else humans who have it as a name. */
  async #lookUp(name) {
    const title = name.normalize('NFC').trim();
    const isTitle = !NO_TITLE.test(title) && Buffer.byteLength(title) <= TITLE_BYTES_MAX;
    const item = isTitle ? await this.#titled.load(title) : undefined;
    if (item && isHuman(item)) return [item.id];
    const numbers = await this.#wikimedia.peopleNamed(name, NAMESAKES_AMONG).catch(orNone([]));
    const items = await Promise.all(numbers.map((number) => this.#items.load(number)));
    const isMeant = (one) => one && isHuman(one) && isNamed(one, folded(name), folded) && portraitFile(one);
    return [...new Set(items.filter(isMeant).map(({ id }) => id))].slice(0, NAMESAKES_MAX);
  }

  /** Returns the record of a person, fetched if there is none that is believed; nothing for one who was removed. */
  async #person(number) {
    if (this.#records.isRemoved(number) || Number(number.slice(1)) > NUMBER_MAX) return undefined;
    let record = await this.#records.person(number);
    if (!record?.isFresh) {
      const fetched = this.#once(number, () => this.#fetchPerson(number));
      // An older record is better than none while Wikimedia cannot be asked.
      record = await (record ? fetched.catch((error) => ignorePassing(error) ?? record) : fetched);
    }
    return record?.sameAs && record.sameAs !== number ? this.#person(record.sameAs) : record;
  }

  async #fetchPerson(number) {
    const item = await this.#items.load(number);
    if (item?.id && item.id !== number) {
      await this.#records.keepPerson({ number, sameAs: item.id });
      if (this.#records.numbersOfGallery().includes(number)) await this.#records.addToGallery([item.id]);
    } else {
      const title = item && isHuman(item) ? portraitFile(item) : null;
      const file = title ? await this.#files.load(title) : null;
      const portrait = file ? await this.#portrait(title, file) : null;
      const name = item ? nameOf(item) : number;
      await this.#records.keepPerson({ number, name, portraits: portrait ? [portrait] : [], hasSecond: false });
    }
    return this.#records.person(number);
  }

  async #addSecond(person, inDoubt) {
    const { number, name, portraits: [first] } = person;
    const titles = await this.#wikimedia.filesDepicting(number, SECOND_AMONG).catch(orNone([]));
    const others = titles.filter((title) => title !== first.title);
    const isPortrait = (portrait) => portrait
      && distance(portrait.description, first.description) <= ONE_PERSON_DISTANCE_MAX
      && inDoubt.every((face) => distance(face, portrait.description) >= OTHER_PHOTO_DISTANCE_MIN);
    let second;
    for (const title of others) {
      const file = await this.#files.load(title);
      const portrait = file ? await this.#portrait(title, file) : null;
      if (isPortrait(portrait)) {
        second = portrait;
        break;
      }
    }
    await this.#records.keepPerson({ number, name, portraits: second ? [first, second] : [first], hasSecond: true });
  }

  /** Returns a portrait; null if the file is none that shows a single face. */
  async #portrait(title, file) {
    if (!file.url || !PORTRAIT_TYPES.has(file.mime)) return null;
    const address = file.thumburl ?? file.url;
    const bytes = await this.#wikimedia.bytes(address).catch(orNone(null));
    const faces = bytes ? await this.#facesOf(bytes) : [];
    const area = ({ box: [, , width, height] }) => width * height;
    const [largest, next] = faces.toSorted((one, other) => area(other) - area(one));
    if (!largest || largest.side < SIDE_MIN || (next && area(largest) < DOMINANCE_MIN * area(next))) return null;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const said = (name) => plain(file.extmetadata?.[name]?.value ?? '');
    return {
      title, url: address, page: file.descriptionurl, sha256,
      author: said('Artist'), license: said('LicenseShortName'), licenseUrl: said('LicenseUrl'),
      box: largest.box, description: largest.description, bytes,
    };
  }

  /** Returns the faces of a portrait, none if it cannot be read. One portrait waits at a time, so that photos come first. */
  #facesOf(bytes) {
    const described = this.#describing.then(() => this.#describe(bytes)).catch((error) => {
      if (error instanceof UnreadablePhoto) return [];
      throw new NotNow(error.message);
    });
    this.#describing = described.catch(() => {});
    return described;
  }

  /** Does something once, however many ask for it meanwhile. */
  #once(key, work) {
    const known = this.#underWay.get(key);
    if (known) return known;
    const begun = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, begun);
    return begun;
  }
}

/** A portrait cannot be described now. */
class NotNow extends Error {}

const isPassing = (error) => error instanceof WikimediaDown || error instanceof NotNow;

/** Ignores that something cannot be had now. */
function ignorePassing(error) {
  if (!isPassing(error)) throw error;
}

/** Returns a handler of errors that takes a refusal for this answer. */
const orNone = (none) => (error) => {
  if (!(error instanceof WikimediaRefuses)) throw error;
  return none;
};

/** Waits until something is done, but at most so many milliseconds. */
async function within(work, msMax) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, msMax)));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Returns the text of a piece of HTML, on one line. */
function plain(html) {
  const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#039;': "'", '&nbsp;': ' ' };
  const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&[a-z0-9#]+;/g, (one) => entities[one] ?? ' ');
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
