// What may stand before a service: a connection that can be cut, and a proxy that holds answers back.
import { once } from 'node:events';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { connect, createServer } from 'node:net';
import { HOST } from '../../scripts/ports.mjs';

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

/** So much of an answer is held back at most, as by nginx with its eight buffers. */
const HELD_BYTES_MAX = 64 * 1024;

/** A proxy that holds each answer back until it ends, or has 64 kB. Gives `{base, asked, stop()}`; `asked` are the paths. */
export async function buffering(target) {
  const { hostname, port } = new URL(target);
  const asked = [];
  const server = createHttpServer((near, reply) => {
    asked.push(near.url);
    const { url: path, method, headers } = near;
    const far = httpRequest({ hostname, port, path, method, headers }, (answer) => {
      let held = [];
      let bytes = 0;
      const pass = () => {
        if (!reply.headersSent) reply.writeHead(answer.statusCode, answer.headers);
        for (const piece of held) reply.write(piece);
        [held, bytes] = [[], 0];
      };
      answer.on('data', (piece) => {
        held.push(piece);
        bytes += piece.length;
        if (bytes >= HELD_BYTES_MAX) pass();
      });
      answer.on('end', () => {
        pass();
        reply.end();
      });
      answer.on('error', () => reply.destroy());
    });
    far.on('error', () => reply.destroy());
    reply.on('close', () => far.destroy());
    near.pipe(far);
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  return {
    base: `http://${HOST}:${server.address().port}`,
    asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
