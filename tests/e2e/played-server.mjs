// What plays recorded runs to the page of a run, with the headers that the page is served with: what a browser makes
// of it does not hang on what a real run would call.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { root } from '../../scripts/places.mjs';

const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The policies that `_headers` says for the page of a run, and for what checks a file. */
async function policies(page) {
  const headers = await readFile(join(root, 'public', '_headers'), 'utf8');
  const of = (path) => {
    const [, rules] = headers.split(`\n${path}\n`);
    return /\n {2}Content-Security-Policy: (.*)/.exec(rules)[1];
  };
  const [own, verifier] = [of(page), of('/verifier/*')];
  return (path) => (path.startsWith('/verifier/') ? verifier : own);
}

/**
 * Serves `dist`, and answers by `routes`, `[pattern of "METHOD /path", answer(req, res, what the pattern took)]`.
 * Gives `{base, close}`.
 */
export async function servePlayed(page, routes) {
  const rules = await policies(page);
  const server = createServer(async (req, res) => {
    const { pathname } = new URL(req.url, 'http://here');
    const asks = `${req.method} ${pathname}`;
    const [route, answer] = routes.find(([pattern]) => pattern.test(asks)) ?? [];
    if (answer) return answer(req, res, route.exec(asks)[1]);
    return file(res, pathname, rules);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const close = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return { base: `http://127.0.0.1:${server.address().port}`, close };
}

async function file(res, pathname, rules) {
  const name = pathname === '/' ? '/index.html' : extname(pathname) ? pathname : `${pathname}.html`;
  const bytes = await readFile(join(root, 'dist', name)).catch(() => null);
  if (!bytes) return json(res, 404, {});
  res.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'text/plain', 'Content-Security-Policy': rules(pathname) });
  return res.end(bytes);
}

/**
 * Tells the events of a run `{events, isStopped}`, one every `everyMs`; `stopped` is the payload of its last event where
 * it is stopped, and after an event nothing comes until its `held(event)` is kept.
 */
export async function streamPlayed(res, name, run, { everyMs, stopped, held = async () => {} }) {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (n, event) => res.write(`id: ${name}.${n}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  for (const [i, event] of run.events.entries()) {
    if (res.destroyed) return;
    if (run.isStopped) {
      send(i + 1, { type: 'stopped', runId: name, payload: stopped });
      break;
    }
    send(i + 1, event);
    await held(event);
    await new Promise((resolve) => { setTimeout(resolve, everyMs); });
  }
  res.end();
}

/**
 * Holds streams back: `held` is that of `streamPlayed`. After `hold(is)` runs stand still at each event that `is` is
 * true of, until what is given back is called.
 */
export function holder() {
  let holding = null;
  function hold(is) {
    let go = null;
    const gone = new Promise((resolve) => { go = resolve; });
    holding = (event) => (is(event) ? gone : undefined);
    return () => {
      holding = null;
      go();
    };
  }
  return { hold, held: (event) => holding?.(event) };
}

export function json(res, status, body) {
  res.writeHead(status, { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' });
  res.end(JSON.stringify(body));
}

export async function bodyOf(req) {
  let body = '';
  for await (const piece of req) body += piece;
  return body;
}
