// Ports on the loopback address.
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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

/** Below are well-known ports, and those that browsers refuse. */
const LOWEST = 10_240;
/** Where a system begins that does not say from where on its connections take ports. */
const FIRST_OUTGOING = 32_768;
const TRIES_MAX = 100;

/**
 * Different ports that are free at this moment, and that no outgoing connection takes in the time
 * until somebody listens there.
 */
export async function freePorts(count) {
  const above = await firstOutgoing();
  const servers = [];
  for (let tries = 0; servers.length < count; tries += 1) {
    if (tries === TRIES_MAX) throw new Stop(`No free port was found from ${LOWEST} to ${above - 1}.`);
    // All are held until the last is chosen: one that is let go may be chosen again.
    const server = await listen(randomInt(LOWEST, above)).catch(() => null);
    if (server) servers.push(server);
  }
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map(close));
  return ports;
}

/** The first port that outgoing connections may take; on a system where all are, the usual one. */
async function firstOutgoing() {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  const first = Number.parseInt(range, 10);
  return first > 2 * LOWEST ? first : FIRST_OUTGOING;
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
