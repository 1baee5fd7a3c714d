// A connection that can be cut: a plain TCP pipe in front of a service.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { HOST } from '../../src/launch/ports.mjs';

/** Gives `{base, cut(), mend(), stop()}`; while it is cut, no new connection gets through. */
export async function cuttable(target) {
  const port = Number(new URL(target).port);
  const open = new Set();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(port, HOST);
    for (const [one, other] of [[near, far], [far, near]]) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  const drop = () => open.forEach((socket) => socket.destroy());
  server.listen(0, HOST);
  await once(server, 'listening');
  return {
    base: `http://${HOST}:${server.address().port}`,
    cut: () => {
      isCut = true;
      drop();
    },
    mend: () => {
      isCut = false;
    },
    stop: () => {
      drop();
      server.close();
    },
  };
}
