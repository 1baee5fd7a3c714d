// A run as a viewer sees it: its document, graph, state and stream.

import { isRun } from '../api.js';
import { text } from '../safe.js';
import { follow } from '../stream.js';
import { isLastWord } from './run-state.js';

const GONE = { 404: 'unknown', 410: 'expired' };
/** How long events are collected before they are drawn, in milliseconds. A replay sends many thousands at once. */
const BATCH_MS = 60;
const BATCH_EVENTS_MAX = 2_000;
/** The pauses before the record is requested again, in milliseconds. The record of a new run may not be stored yet. */
const RECORD_RETRY_MS = [500, 1_500, 4_000, 10_000];

export class RunPageRun {
  state;
  graph = null;
  document = null; // the document that is run, as sent
  #server = null;
  #stream = null;
  #batch = [];
  #timers = new Set();
  #turn = 0; // identifies the current run: answers for an earlier one are ignored
  #engine;

  /**
   * `reduce` is the engine's reducer, `known(record)` returns `{document, graph, kept}` of a run's record, and
   * `onChange()` is called after any change, once for many events.
   */
  constructor(engine) {
    this.#engine = engine;
    this.state = engine.reduce(null, { kind: 'blank' });
  }

  /** Prepares for a run that is being started. Its document is known, unless it is one of the operator's. */
  expect(graph = null, document = null) {
    this.close();
    this.graph = graph;
    this.document = document;
    this.#dispatch({ kind: 'starting' });
  }

  /** Follows a run that was started here. */
  begin(server, run) {
    this.#follow(server, run);
    this.#learn(this.#turn);
  }

  /** Follows a run from a link. */
  async open(server, run) {
    this.close();
    this.graph = null;
    this.document = null;
    const turn = this.#turn;
    if (!isRun(run)) {
      this.#dispatch({ kind: 'gone', why: 'address' });
      return;
    }
    this.#dispatch({ kind: 'starting' });
    try {
      const kept = await server.keptRun(run);
      if (turn === this.#turn) this.#know(kept);
    } catch (problem) {
      const isGone = problem.status in GONE && (await server.streamStatus(run)) !== 200;
      if (turn !== this.#turn) return;
      if (isGone) {
        this.#dispatch({ kind: 'gone', why: GONE[problem.status], detail: problem.message });
        return;
      }
    }
    if (turn !== this.#turn) return;
    this.#follow(server, run);
    if (this.document === null) this.#learn(turn);
  }

  /** Shows a sealed file's run; `verification` is a promise of the file's check. */
  async show({ run, document, graph = null, kept, events }, verification) {
    this.close();
    const turn = this.#turn;
    this.graph = graph;
    this.document = document;
    this.#dispatch({ kind: 'following', run, isFile: true });
    this.#dispatch({ kind: 'known', kept, document });
    this.#dispatch({ kind: 'events', events: events.map((event, i) => ({ n: i + 1, event })) });
    if (!this.state.outcome) this.#dispatch({ kind: 'gone', why: 'unfinished' });
    this.#dispatch({ kind: 'verification', value: { kind: 'checking' } });
    const value = await verification;
    if (turn === this.#turn) this.#dispatch({ kind: 'verification', value });
  }

  async stop() {
    this.#dispatch({ kind: 'stopping', value: true });
    try {
      await this.#server.stopRun(this.state.run);
    } catch (problem) {
      this.#dispatch({ kind: 'stopping', value: false });
      throw problem;
    }
  }

  /** Shows nothing. */
  clear() {
    this.close();
    this.graph = null;
    this.document = null;
    this.#dispatch({ kind: 'blank' });
  }

  /** Ignores further events of this run. */
  close() {
    this.#turn += 1;
    this.#stream?.close();
    this.#stream = null;
    this.#batch = [];
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #follow(server, run) {
    this.#server = server;
    const { kept } = this.state;
    this.#dispatch({ kind: 'following', run, isOwn: server.isOwn(run) });
    this.#dispatch({ kind: 'known', kept, document: this.document });
    this.#stream = follow(server.eventsOf(run), {
      onEvent: (n, event) => this.#hear(n, event),
      onConnection: (value) => this.#dispatch({ kind: 'connection', value }),
      onGone: () => this.#showKept(),
    });
  }

  #hear(n, event) {
    // The stream is closed before the event is passed on: the server ends it now, and an open stream would reconnect.
    if (isLastWord(event.type)) this.#stream.close();
    this.#batch.push({ n, event });
    if (isLastWord(event.type) || this.#batch.length >= BATCH_EVENTS_MAX) this.#flush();
    else if (this.#batch.length === 1) this.#later(BATCH_MS, () => this.#flush());
  }

  #flush() {
    if (this.#batch.length === 0) return;
    const events = this.#batch;
    this.#batch = [];
    this.#dispatch({ kind: 'events', events });
  }

  /** Loads the run's record, with retries if it is not stored yet. */
  async #learn(turn, attempt = 0) {
    try {
      const kept = await this.#server.keptRun(this.state.run);
      if (turn === this.#turn) this.#know(kept);
    } catch {
      // A failure is ignored, since the trace works without the record.
    }
    const waitMs = RECORD_RETRY_MS[attempt];
    if (turn !== this.#turn || this.document !== null || waitMs === undefined) return;
    this.#later(waitMs, () => this.#learn(turn, attempt + 1));
  }

  #know(value) {
    const { document, graph = null, kept } = this.#engine.known(value);
    // A document that is already known has the same content. It is kept, which avoids a new layout.
    if (this.document === null && document !== undefined) {
      this.document = document;
      this.graph = graph;
    }
    this.#dispatch({ kind: 'known', kept, document: this.document });
  }

  /** Shows how the run ended according to its record, since the events ended without a last one. */
  async #showKept() {
    const turn = this.#turn;
    this.#flush();
    try {
      const kept = await this.#server.keptRun(this.state.run);
      if (turn !== this.#turn) return;
      this.#know(kept);
      this.#dispatch({ kind: 'gone', why: 'events', detail: text(kept.status) });
    } catch (problem) {
      if (turn === this.#turn) this.#dispatch({ kind: 'gone', why: GONE[problem.status] ?? 'unreachable' });
    }
  }

  #later(ms, action) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms);
    this.#timers.add(timer);
  }

  #dispatch(action) {
    this.state = this.#engine.reduce(this.state, action);
    this.#engine.onChange();
  }
}
