// The life of one EventSource: open, lost, back, and closed for good on the last event.

import { streamStatus } from './api.js';

const TYPES = ['status', 'evidence', 'path_update', 'final', 'no_path', 'error'];
const LAST_WORDS = new Set(['final', 'no_path', 'error']);
const GONE = new Set([204, 404, 410]);
const RETRY_MS = [1000, 2000, 4000, 8000, 15000];

/**
 * Follows a run's events until its last one. Tells `onEvent(n, event)`, `onConnection('open' |
 * 'lost')` and, where the server has no more events although none was the last, `onGone()`.
 */
export function follow(address, { onEvent, onConnection, onGone }) {
  let source = null;
  let timer = 0;
  let lastId = '';
  let failures = 0;
  let closed = false;

  const close = () => {
    closed = true;
    clearTimeout(timer);
    source?.close();
  };

  const open = () => {
    source = new EventSource(resumed(address, lastId));
    source.onopen = () => onConnection('open');
    for (const type of TYPES) source.addEventListener(type, take);
    source.addEventListener('error', fail);
  };

  const take = (message) => {
    // The stream's own `error` event and the browser's share a name; only the first has data.
    if (closed || typeof message.data !== 'string') return;
    const event = parsed(message.data);
    if (!event) return;
    failures = 0;
    lastId = message.lastEventId || lastId;
    const last = LAST_WORDS.has(event.type ?? message.type);
    // Closed before it is told: the server ends the stream now, and a reconnect would follow.
    if (last) close();
    onEvent(eventNumber(message.lastEventId), { ...event, type: event.type ?? message.type });
  };

  const fail = (signal) => {
    if (closed || typeof signal.data === 'string') return;
    onConnection('lost');
    // While the browser tries again by itself there is nothing to do; after an answer that is
    // no stream (a proxy's 502, a 204) it has given up, and does not say why.
    if (source.readyState === EventSource.CLOSED) recover();
  };

  const recover = async () => {
    source.close();
    const status = await streamStatus(resumed(address, lastId));
    if (closed) return;
    if (GONE.has(status)) {
      close();
      onGone();
      return;
    }
    timer = setTimeout(open, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
    failures += 1;
  };

  open();
  return { close };
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
