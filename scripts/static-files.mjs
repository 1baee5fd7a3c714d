// Serves folders as static files on loopback, for third-party pages.
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HOST } from './ports.mjs';

/** The longest path of a request, in characters. */
const PATH_CHARS_MAX = 2_000;
/** The largest file that is served. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;
const CONNECTIONS_MAX = 256;
const REQUEST_LIMIT_MS = 10_000;
/**
 * The hosts that a request may name. A request for any other may come from a page that rebinds its name (DNS
 * rebinding).
 */
const HOSTS = ['127.0.0.1', 'localhost'];

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff': 'font/woff',
  '.xml': 'application/xml',
};

/**
 * Serves each folder below the path of its name.
 * @param {Record<string, string>} folders
 * @returns {Promise<{origin: string, stop: () => Promise<void>}>}
 */
export async function serveFiles(folders, port = 0) {
  const roots = new Map();
  for (const [name, folder] of Object.entries(folders)) roots.set(name, await realpath(folder));
  const server = createServer((request, response) => {
    // A client that disconnects early is not an error, so only its connection is closed.
    answer(roots, request, response).catch(() => response.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.requestTimeout = REQUEST_LIMIT_MS;
  server.headersTimeout = REQUEST_LIMIT_MS;
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const stop = () => new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  return { origin: `http://${HOST}:${server.address().port}`, stop };
}

async function answer(roots, request, response) {
  response.setHeader('x-content-type-options', 'nosniff');
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (!HOSTS.includes(host)) return refuse(response, 421, 'This server is asked as 127.0.0.1.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405, 'Files are read by GET and HEAD.');
  }
  const [path] = request.url.split(/[?#]/, 1);
  const segments = segmentsOf(path);
  if (!segments) return refuse(response, 400, 'The path is not that of a file.');
  const found = await fileAt(roots, segments);
  if (!found) return refuse(response, 404, 'There is no such file.');
  if (found.isFolder && !path.endsWith('/')) {
    const location = `/${segments.map(encodeURIComponent).join('/')}/`;
    response.writeHead(308, { location }).end();
    return undefined;
  }
  const file = found.isFolder ? await fileAt(roots, [...segments, 'index.html']) : found;
  if (!file || file.isFolder) return refuse(response, 404, 'The folder has no index.html.');
  if (file.bytes > FILE_BYTES_MAX) return refuse(response, 413, 'The file has more than 32 MB.');
  response.writeHead(200, {
    'content-length': file.bytes,
    'content-type': TYPES[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
  });
  if (request.method === 'HEAD') return response.end();
  // A file may grow meanwhile, so it is cut at the length that was sent in the header.
  const end = Math.max(file.bytes - 1, 0);
  return pipeline(createReadStream(file.path, { end }), response);
}

/** The names in a path, or `null` if one of them could leave its folder. */
export function segmentsOf(path) {
  if (!path.startsWith('/') || path.length > PATH_CHARS_MAX) return null;
  const segments = [];
  for (const part of path.split('/').filter(Boolean)) {
    let segment;
    try {
      segment = decodeURIComponent(part);
    } catch {
      return null;
    }
    if (segment.startsWith('.') || /[\\/\0]/.test(segment)) return null;
    segments.push(segment);
  }
  return segments;
}

/** The path of the file with these names, with links resolved; never a file outside of the folder. */
async function fileAt(roots, [name, ...rest]) {
  const root = roots.get(name);
  if (root === undefined) return null;
  const path = await realpath(join(root, ...rest)).catch(() => null);
  if (path === null || (path !== root && !path.startsWith(root + sep))) return null;
  const is = await stat(path);
  if (!is.isFile() && !is.isDirectory()) return null;
  return { path, bytes: is.size, isFolder: is.isDirectory() };
}

function refuse(response, status, says) {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${says}\n`);
}
