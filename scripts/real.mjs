// `npm start -- --real`: real people without a key or an account. Photos come from Wikimedia Commons, who is meant from
// Wikidata, and the recogniser is the project's own.
import { randomBytes } from 'node:crypto';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { join } from 'node:path';
import { isContact } from '../recogniser/settings.mjs';
import { root } from './places.mjs';
import { ensureRecogniser, startRecogniser } from './recogniser.mjs';
import { say, Stop } from './say.mjs';

const REACHED_MS_MAX = 10_000;

/**
 * Returns the settings that a start with `--real` adds to those of `.dev.vars`: Wikidata, and the own recogniser, after
 * Amazon's where its keys are there.
 */
export function realSettings(vars) {
  const recogniser = vars.RECOGNISER || (vars.AWS_ACCESS_KEY_ID ? 'rekognition,references' : 'references');
  return { PEOPLE: vars.PEOPLE || 'wikidata', RECOGNISER: recogniser };
}

/** Asks once for the contact that Wikimedia wants, and keeps it in `.dev.vars`. Without a terminal nobody is asked. */
export async function askContact(vars, { input = process.stdin, output = process.stderr, folder = root } = {}) {
  if (vars.CONTACT || !input.isTTY) return {};
  const questions = createInterface({ input, output });
  try {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const question = 'Wikimedia asks every program how its user can be reached. Your mail or web address: ';
      const contact = (await questions.question(question)).trim();
      if (isContact(contact)) {
        await keep(contact, join(folder, '.dev.vars'));
        return { CONTACT: contact };
      }
      say('It must be like you@example.org or https://example.org/you.');
    }
  } finally {
    questions.close();
  }
  throw new Stop('Set CONTACT in .dev.vars to your mail or web address.');
}

async function keep(contact, file) {
  const before = await readFile(file, 'utf8').catch(() => null);
  if (before === null) await writeFile(file, `CONTACT=${contact}\n`, { mode: 0o600 });
  else await appendFile(file, `${before === '' || before.endsWith('\n') ? '' : '\n'}CONTACT=${contact}\n`);
}

/** Stops if Wikimedia cannot be reached. */
export async function checkReached(vars, contact) {
  const sites = [vars.COMMONS_BASE || 'https://commons.wikimedia.org', vars.WIKIDATA_BASE || 'https://www.wikidata.org'];
  for (const site of sites) {
    const headers = { 'user-agent': `VisualDegrees/1 (${contact})` };
    const url = new URL('/w/api.php?action=query&meta=siteinfo&format=json', site);
    const signal = AbortSignal.timeout(REACHED_MS_MAX);
    const why = await fetch(url, { headers, signal }).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok ? null : `status ${response.status}`;
      },
      (error) => error.cause?.message ?? error.message,
    );
    if (why !== null) {
      throw new Stop(`${url.host} cannot be reached (${why}). Without internet, \`npm start\` shows a drawn world.`);
    }
  }
}

/** Installs and starts the own recogniser, and returns it with the settings by which the Worker reaches it. */
export async function startOwnRecogniser(vars, contact) {
  say('The recogniser is made of face-api (MIT, with 12.5 MB of weights), TensorFlow.js and sharp (Apache-2.0).');
  await ensureRecogniser();
  const passed = ['REFERENCES_FOLDER', 'WIKIDATA_BASE', 'COMMONS_BASE'].filter((name) => vars[name]);
  const own = Object.fromEntries(passed.map((name) => [name, vars[name]]));
  // The token keeps out other users of this machine, and pages that ask ports of it.
  const token = randomBytes(16).toString('hex');
  const address = { HOST: '127.0.0.1', PORT: '0', REFERENCES_TOKEN: token };
  const service = await startRecogniser({ ...own, CONTACT: contact, ...address });
  return { service, settings: { REFERENCES_BASE: service.origin, REFERENCES_TOKEN: token } };
}
