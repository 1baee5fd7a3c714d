// Ports on the loopback address.
import { createServer } from 'node:net';
import { Stop } from './say.mjs';

export const HOST = '127.0.0.1';

/** Stops where somebody else listens; `setting` is the variable that names another port. */
export async function checkFree(port, setting) {
  const error = await listenOnce(port).then(() => null, (failure) => failure);
  if (error === null) return;
  const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code})`;
  throw new Stop(`Port ${port} ${why}: end what uses it, or set ${setting}=NUMBER.`);
}

/** Different ports that are free at this moment. */
export async function freePorts(count) {
  // All are held until the last is chosen: one that is let go may be given out again.
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map(close));
  return ports;
}

async function listenOnce(port) {
  await close(await listen(port));
}

function listen(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, HOST, () => resolve(server));
  });
}

function close(server) {
  return new Promise((resolve) => server.close(resolve));
}
