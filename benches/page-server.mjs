// Serves the page on loopback without a Worker: the files of `dist/`, a run whose events are sent when the benchmark
// calls for them, and an atlas. The server checks no request and stores nothing.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { served } from '../scripts/page.mjs';
import { HOST } from '../scripts/ports.mjs';
import { segmentsOf } from '../scripts/static-files.mjs';
import { atlasAnswer, RUN, runOf } from './made-up-people.mjs';

const TYPES = {
  '.css': 'text/css', '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.svg': 'image/svg+xml',
};
const documentOf = (pathname) => (pathname.startsWith('/atlas') ? 'atlas.html' : 'index.html');

/**
 * Serves a run and an atlas of this many people: `{base, events, send, stop}`. `events` is the run's number of events;
 * `send(count)` sends that many further events to everyone who reads the stream.
 */
export async function servePage(people) {
  const { a, b, events } = runOf(people);
  const readers = new Set();
  let sent = 0;
  const write = (reader, from, to) => {
    reader.write(events.slice(from, to).map((event, i) => lines(event, from + i + 1)).join(''));
  };
  const answers = {
    [`/runs/${RUN}`]: (response) => json(response, { meta: { personA: a, personB: b } }),
    [`/runs/${RUN}/events`]: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      readers.add(response);
      write(response, 0, sent);
    },
    '/health': (response) => json(response, { status: 'ok', example: { a, b } }),
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url, `http://${HOST}`);
    const isDocument = (request.headers.accept ?? '').includes('text/html');
    // The atlas's addresses and its page's files both begin with `/atlas`; only the files have an extension.
    const isOfAtlas = url.pathname.startsWith('/atlas') && !extname(url.pathname);
    if (isDocument) file(response, documentOf(url.pathname));
    else if (url.pathname in answers) answers[url.pathname](response);
    else if (isOfAtlas) json(response, atlasAnswer(people, url));
    else file(response, segmentsOf(url.pathname)?.join('/') || 'index.html');
  });
  await new Promise((resolve) => server.listen(0, HOST, resolve));
  return {
    base: `http://${HOST}:${server.address().port}`,
    events: events.length,
    send(count) {
      for (const reader of readers) write(reader, sent, sent + count);
      sent = Math.min(events.length, sent + count);
    },
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}

const lines = (event, n) => `id: ${RUN}.${n}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function json(response, body) {
  response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function file(response, name) {
  const content = await readFile(join(served, name)).catch(() => null);
  response.writeHead(content ? 200 : 404, { 'content-type': TYPES[extname(name)] ?? 'text/plain' });
  response.end(content ?? 'There is no such file.');
}
