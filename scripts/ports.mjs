// Ports on the loopback address.
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Stop } from './say.mjs';

export const HOST = '127.0.0.1';

/** Stops if the port is in use. `setting` is the variable with which the user can choose another port. */
export async function checkFree(port, setting) {
  const error = await listenOnce(port).then(() => null, (failure) => failure);
  if (error === null) return;
  const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code})`;
  throw new Stop(`Port ${port} ${why}: end what uses it, or set ${setting}=NUMBER.`);
}

/** The lowest port that is chosen, since lower ports are well-known or refused by browsers. */
const LOWEST = 10_240;
/** The first port for outgoing connections, if the system does not state it. */
const FIRST_OUTGOING = 32_768;
const TRIES_MAX = 100;

/** Distinct ports that are free now, and that no outgoing connection takes before they are used. */
export async function freePorts(count) {
  const above = await firstOutgoing();
  const servers = [];
  for (let tries = 0; servers.length < count; tries += 1) {
    if (tries === TRIES_MAX) throw new Stop(`No free port was found from ${LOWEST} to ${above - 1}.`);
    // All chosen ports are held until the last is chosen, since a released one could be chosen again.
    const server = await listen(randomInt(LOWEST, above)).catch(() => null);
    if (server) servers.push(server);
  }
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map(close));
  return ports;
}

/** The first port for outgoing connections. The default is returned for a system that uses all ports for them. */
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
