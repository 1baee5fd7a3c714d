// A run's events as they come: lost, back, and closed for good on the last one.
//
// Read by `fetch` and not by `EventSource`, which tells neither why a stream cannot be had nor that
// its heartbeats have stopped: a connection that is dead without having ended would be waited for
// for ever.

import { createParser } from './vendor/eventsource-parser.js';

const LAST_WORDS = new Set(['final', 'no_path', 'error']);
const GONE = new Set([204, 404, 410]);
const RETRY_MS = [1000, 2000, 4000, 8000, 15000];
/** The server says something every ten seconds; whoever is silent for so long is not there. */
const SILENCE_MS_MAX = 20_000;

/**
 * Follows a run's events until its last one, from the first or `after` one. Tells `onEvent(n, event)`, `onConnection('open' |
 * 'lost')` and, where the server has no more events although none was the last, `onGone(status)`.
 */
export function follow(address, { after = '', onEvent, onConnection, onGone }) {
  let lastId = after;
  let failures = 0;
  let connection = null;
  let timer = 0;
  let closed = false;

  const close = () => {
    closed = true;
    clearTimeout(timer);
    connection?.abort();
  };

  // Also of a block that tells nothing: the run's own, before its first event.
  const keep = (id) => {
    lastId = id;
  };

  const take = ({ id, event: type, data }) => {
    if (closed) return;
    const event = parsed(data);
    if (!event) return;
    failures = 0;
    const told = { ...event, type: event.type ?? type };
    // Closed before it is told: the server ends the stream now, and a reconnect would follow.
    if (LAST_WORDS.has(told.type)) close();
    onEvent(eventNumber(id), told);
  };

  const open = async () => {
    connection = new AbortController();
    try {
      const status = await read(resumed(address, lastId), {
        connection, onOpen: () => onConnection('open'), onId: keep, onEvent: take,
      });
      if (closed) return;
      if (GONE.has(status)) {
        close();
        onGone(status);
        return;
      }
    } catch {
      if (closed) return;
    }
    onConnection('lost');
    timer = setTimeout(open, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
    failures += 1;
  };

  open();
  return { close };
}

/** Reads one connection to its end; gives the answer's status. */
async function read(address, { connection, onOpen, onId, onEvent }) {
  let timer = 0;
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.abort(), SILENCE_MS_MAX);
  };
  hear();
  try {
    const response = await fetch(address, {
      headers: { Accept: 'text/event-stream' }, cache: 'no-store', signal: connection.signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (response.status !== 200 || !isStream) {
      await response.body?.cancel();
      return response.status;
    }
    onOpen();
    const parser = createParser({ onId, onEvent });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return response.status;
      hear();
      parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** `{run}.{n}` -> n; 0 where there is none, which the model takes as "not numbered". */
export function eventNumber(id) {
  const n = Number(/\.(\d+)$/.exec(id ?? '')?.[1]);
  return Number.isSafeInteger(n) ? n : 0;
}

function resumed(address, lastId) {
  const url = new URL(address, location.href);
  if (lastId) url.searchParams.set('lastEventId', lastId);
  return url.href;
}

function parsed(data) {
  try {
    const value = JSON.parse(data);
    return value !== null && typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
