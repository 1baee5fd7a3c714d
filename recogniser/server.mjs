// The recogniser of one's own: a service that recognises people of Wikidata in a photo by their portraits.
//
//   CONTACT=you@example.org node server.mjs
//
// docs/recogniser.md tells its settings, and what it asks and answers. Prints `{"listening"}` once it answers.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { Describer } from './faces/describer.mjs';
import { Busy, UnreadablePhoto } from './faces/failures.mjs';
import { MODEL } from './faces/model.mjs';
import { PeopleDirectory } from './people/directory.mjs';
import { Wikimedia } from './people/wikimedia.mjs';
import { recognise, Unready } from './recogniser.mjs';
import { SettingsFault, settingsOf } from './settings.mjs';

/** The most bytes of a photo, as Rekognition accepts them, of a request's body, and of its candidates' texts. */
const PHOTO_BYTES_MAX = 5_242_880;
const BODY_BYTES_MAX = 8_000_000;
/** The most candidates of a photo, and the longest name, in characters. */
const CANDIDATES_MAX = 200;
const NAME_CHARS_MAX = 100;
/** How often old records are made anew and deleted, in milliseconds. */
const KEEP_UP_MS = 24 * 60 * 60 * 1_000;
/** The longest time in which a request must arrive, in milliseconds. */
const REQUEST_MS_MAX = 15_000;

/** A request that is refused, with its status, a code and words. */
class Refusal extends Error {
  constructor(status, code, message, headers = {}) {
    super(message);
    Object.assign(this, { status, code, headers });
  }
}

/** Starts the service; returns its address, and `close`. */
export async function serve(settings) {
  const describer = new Describer();
  await describer.start();
  const directory = new PeopleDirectory({
    folder: settings.folder,
    wikimedia: new Wikimedia(settings),
    describe: async (bytes) => describer.describe(bytes),
    model: MODEL,
  });
  await directory.open();
  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    answer(request, { settings, describer, directory, signal: closed.signal }).then(
      (body) => reply(response, 200, body),
      (error) => refuse(response, error),
    );
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });
  const { address, port, family } = server.address();
  const keepUp = () => directory.keepUp().catch((error) => process.stderr.write(`${error.stack}\n`));
  const timer = setInterval(keepUp, KEEP_UP_MS).unref();
  keepUp();
  const close = async () => {
    clearInterval(timer);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await describer.close();
  };
  return { origin: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, close };
}

async function answer(request, { settings, describer, directory, signal }) {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/health' && request.method === 'GET') {
    return { status: 'ok', model: MODEL, photosAtOnce: 1, ...directory.status() };
  }
  if (pathname !== '/recognise') throw new Refusal(404, 'not_found', 'There are POST /recognise and GET /health.');
  if (request.method !== 'POST') throw new Refusal(405, 'method', '/recognise is asked by POST.', { allow: 'POST' });
  checkToken(request, settings.token);
  const asked = readQuestion(await bodyOf(request));
  return recognise(asked, { describer, directory, signal });
}

function checkToken(request, token) {
  if (token === null) return;
  const [given, wanted] = [request.headers.authorization ?? '', `Bearer ${token}`]
    .map((text) => createHash('sha256').update(text).digest());
  if (timingSafeEqual(given, wanted)) return;
  const headers = { 'www-authenticate': 'Bearer' };
  throw new Refusal(401, 'unauthorized', 'The header must be "Authorization: Bearer " and REFERENCES_TOKEN.', headers);
}

async function bodyOf(request) {
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > BODY_BYTES_MAX) throw new Refusal(413, 'too_large', `A body has at most ${BODY_BYTES_MAX} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Reads `{"photo": BASE64, "candidates": [{"number"?, "name"?}]}`. */
function readQuestion(text) {
  const wrong = (message) => new Refusal(400, 'bad_request', message);
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    throw wrong('The body must be JSON.');
  }
  if (typeof body?.photo !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(body.photo)) {
    throw wrong('"photo" must be the photo in base64.');
  }
  const photo = Buffer.from(body.photo, 'base64');
  if (photo.length > PHOTO_BYTES_MAX) throw new Refusal(413, 'too_large', `A photo has at most ${PHOTO_BYTES_MAX} bytes.`);
  const candidates = body.candidates ?? [];
  if (!Array.isArray(candidates) || candidates.length > CANDIDATES_MAX || !candidates.every(isCandidate)) {
    throw wrong(`"candidates" must be at most ${CANDIDATES_MAX} objects with a "number" like "Q42", or a "name".`);
  }
  return { photo, candidates: candidates.map(({ number, name }) => ({ number, name })) };
}

function isCandidate(one) {
  const isNumber = typeof one?.number === 'string' && /^Q[1-9]\d{0,11}$/.test(one.number);
  const isName = typeof one?.name === 'string' && one.name.trim() !== '' && [...one.name].length <= NAME_CHARS_MAX;
  return isNumber || (one?.number === undefined && isName);
}

function refuse(response, error) {
  const refusal = refusalOf(error);
  if (refusal.status === 500) process.stderr.write(`${error.stack}\n`);
  reply(response, refusal.status, { error: { code: refusal.code, message: refusal.message } }, refusal.headers);
}

function refusalOf(error) {
  if (error instanceof Refusal) return error;
  if (error instanceof UnreadablePhoto) return new Refusal(422, 'unreadable_photo', `The photo: ${error.message}`);
  if (error instanceof Unready) {
    const code = error.isDown ? 'wikimedia_down' : 'unready';
    return new Refusal(503, code, error.message, { 'retry-after': `${Math.ceil(error.retryMs / 1_000)}` });
  }
  if (error instanceof Busy) return new Refusal(429, 'busy', `Too much to do: ${error.message}.`, { 'retry-after': '2' });
  return new Refusal(500, 'internal', 'The recogniser failed; its log says why.');
}

function reply(response, status, body, headers = {}) {
  if (response.destroyed) return;
  // What is left of a refused body is not read.
  const closes = status === 413 ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...headers, ...closes });
  response.end(JSON.stringify(body));
}

if (import.meta.filename === process.argv[1]) {
  try {
    const { origin, close } = await serve(settingsOf(process.env));
    process.stdout.write(`${JSON.stringify({ listening: origin })}\n`);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => close().then(() => process.exit(0)));
  } catch (error) {
    if (!(error instanceof SettingsFault) && error.code !== 'EADDRINUSE') throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
