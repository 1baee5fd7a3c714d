// A run's events as they arrive, with reconnects, closed for good on the last one.
//
// Read by `fetch` instead of `EventSource`, which reports neither why a stream fails nor that its heartbeats have
// stopped: it would wait for a dead connection for ever.
//
// Some proxies hold a stream back until it ends. If the server works but its streams stay silent, the events so far are
// polled instead, by requests that end at once.

import { createParser } from './vendor/eventsource-parser.js';

const LAST_WORDS = new Set(['final', 'no_path', 'error']);
const GONE = new Set([204, 404, 410]);
const RETRY_MS = [1000, 2000, 4000, 8000, 15000];
/** The longest silence of a working connection, in milliseconds. The server sends something every ten seconds. */
const SILENCE_MS_MAX = 20_000;
/** The longest wait for the first message of a stream, in milliseconds. The server sends one at once. */
const FIRST_WORD_MS_MAX = 3_000;
/** The number of consecutive silent connections after which streams count as held back by a proxy. */
const SILENT_MAX = 2;
/** The interval in which events are polled, in milliseconds. */
const POLL_MS = 2_000;

/** The servers whose streams are held back: the next run is polled at once. */
const heldBack = new Set();

/**
 * Follows a run's events up to its last one, from the first or from `after`. Calls `onEvent(n, event)`,
 * `onConnection('open' | 'lost')` and, if the server has no more events although none was the last, `onGone(status)`.
 */
export function follow(address, { after = '', onEvent, onConnection, onGone }) {
  let lastId = after;
  let failures = 0;
  let silent = 0; // connections in a row that fell silent, without a heartbeat
  let connection = null;
  let timer = 0;
  let closed = false;

  const close = () => {
    closed = true;
    clearTimeout(timer);
    connection?.abort();
  };

  // This is also called for the id of a block without data, such as the run's own block before its first event.
  const keep = (id) => {
    lastId = id;
  };

  const take = ({ id, event: type, data }) => {
    if (closed) return;
    const event = parsed(data);
    if (!event) return;
    failures = 0;
    const told = { ...event, type: event.type ?? type };
    // The stream is closed before the event is passed on: the server ends it now, and an open stream would reconnect.
    if (LAST_WORDS.has(told.type)) close();
    onEvent(eventNumber(id), told);
  };

  const heartbeat = () => {
    silent = 0;
  };

  const open = async () => {
    const { origin } = new URL(address, location.href);
    const waits = !heldBack.has(origin);
    connection = new AbortController();
    const { signal } = connection;
    let status = 0;
    try {
      status = await read(asked(address, lastId, waits), {
        connection, waits, onOpen: () => onConnection('open'), onId: keep, onEvent: take, onHeartbeat: heartbeat,
      });
    } catch {
      // The failure is handled below, like the end of a connection.
    }
    if (closed) return;
    if (GONE.has(status)) {
      close();
      onGone(status);
    } else if (!waits && status === 200) {
      failures = 0;
      timer = setTimeout(open, POLL_MS);
    } else if (waits && signal.aborted) {
      // Whether the stream is held back or the connection is lost is unknown until the next attempt.
      silent += 1;
      if (silent >= SILENT_MAX) heldBack.add(origin);
      open();
    } else {
      // If the server does not answer at all, no proxy holds the stream back, so the next attempt is a stream again.
      silent = 0;
      heldBack.delete(origin);
      onConnection('lost');
      timer = setTimeout(open, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
      failures += 1;
    }
  };

  open();
  return { close };
}

/**
 * Reads one connection to its end; returns the answer's status. A connection that is silent for too long is aborted.
 */
async function read(address, { connection, waits, onOpen, onId, onEvent, onHeartbeat }) {
  let timer = 0;
  const hear = (silenceMs) => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.abort(), silenceMs);
  };
  hear(waits ? FIRST_WORD_MS_MAX : SILENCE_MS_MAX);
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
    const parser = createParser({ onId, onEvent, onComment: onHeartbeat });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return response.status;
      hear(SILENCE_MS_MAX);
      parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** `{run}.{n}` -> n; 0 if absent, which the model treats as unnumbered. */
export function eventNumber(id) {
  const n = Number(/\.(\d+)$/.exec(id ?? '')?.[1]);
  return Number.isSafeInteger(n) ? n : 0;
}

function asked(address, lastId, waits) {
  const url = new URL(address, location.href);
  if (lastId) url.searchParams.set('lastEventId', lastId);
  if (!waits) url.searchParams.set('wait', '0');
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
