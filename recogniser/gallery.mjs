// Keeps the gallery: people whom every photo is compared with, whoever is asked for.
//
//   npm run gallery -- --most-linked 2000    adds the people with the most links, and fetches their portraits
//   npm run gallery -- --add Q42             adds one
//   npm run gallery -- --remove Q42          removes a person, portraits and descriptions, for good
//
// It may be interrupted: what was fetched is kept, and the next time it goes on.
import { Describer } from './faces/describer.mjs';
import { MODEL } from './faces/model.mjs';
import { PeopleDirectory } from './people/directory.mjs';
import { BATCH_MAX, Wikimedia } from './people/wikimedia.mjs';
import { SettingsFault, settingsOf } from './settings.mjs';

/** The most people of the gallery. */
const PEOPLE_MAX = 10_000;
/** The longest time for one batch, in milliseconds. */
const BATCH_MS_MAX = 600_000;

const USAGE = 'Usage: npm run gallery -- --most-linked NUMBER | --add Q... | --remove Q...';

async function main([wish, what, ...others]) {
  const isNumber = /^Q[1-9]\d{0,11}$/.test(what ?? '');
  const count = wish === '--most-linked' && /^\d+$/.test(what ?? '') ? Number(what) : 0;
  const isRight = others.length === 0 && (['--add', '--remove'].includes(wish) ? isNumber : count > 0 && count <= PEOPLE_MAX);
  if (!isRight) throw new SettingsFault(USAGE);
  const describer = new Describer();
  const settings = settingsOf(process.env);
  const wikimedia = new Wikimedia({ ...settings, isBackground: true });
  const describe = async (bytes) => describer.describe(bytes);
  const directory = new PeopleDirectory({ folder: settings.folder, wikimedia, describe, model: MODEL });
  await directory.open();
  try {
    if (wish === '--remove') await remove(what, directory);
    else if (wish === '--add') await add([what], directory);
    else await addMostLinked(count, { wikimedia, directory });
  } finally {
    await describer.close();
  }
}

async function addMostLinked(count, { wikimedia, directory }) {
  for (let from = 0; from < count; from += BATCH_MAX) {
    const numbers = await wikimedia.mostLinked(Math.min(BATCH_MAX, count - from), from);
    if (numbers.length === 0) return;
    await add(numbers, directory);
    process.stdout.write(`${Math.min(count, from + BATCH_MAX)} of ${count}: ${directory.gallery().length} have a portrait\n`);
  }
}

async function remove(number, directory) {
  const isWhole = await directory.remove(number);
  if (isWhole) return;
  process.stdout.write(`${number} is removed. Wikidata could not be asked whether it is the same person as another number; \
the service asks again each day.\n`);
}

async function add(numbers, directory) {
  await directory.addToGallery(numbers);
  const { unready } = await directory.people(numbers.map((number) => ({ number })), BATCH_MS_MAX);
  if (unready.length > 0) process.stdout.write(`${unready.length} could not be fetched now: ${directory.status().wikimedia}\n`);
}

await main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof SettingsFault)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
