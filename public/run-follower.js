// A run as seen by a viewer: its state, and its source, which is a live stream, the stored record, or a sealed file.

import { isRun, Problem } from './api.js';
import { dollarsOf, keptOf } from './kept-run.js';
import { blank, reduce } from './model.js';
import { pair } from './pair.js';
import { list, record, text } from './safe.js';
import { follow } from './stream.js';
import { trustOf, verificationOf } from './trust.js';

/** The status codes with which the server answers for a run that does not exist or has expired. */
const GONE = { 404: 'unknown', 410: 'expired' };

export class RunFollower {
  state = blank();
  #server = null;
  #stream = null;
  #isPaused = true; // true until the element is shown
  #mayListen = false;
  #isDrawing = false;
  #turn = 0; // identifies the current run: answers for an earlier one are ignored
  #held = []; // a file's events, until the file is checked
  #told;

  /**
   * `onChange()` after any change, once for many events; `onEvent(event)` for each new event; `onProblem(problem)` if
   * there is nothing to follow; `onVerification(found)` after the check of a file, before the file's events.
   */
  constructor({ onChange, onEvent, onProblem, onVerification }) {
    this.#told = { onChange, onEvent, onProblem, onVerification };
  }

  /** Prepares for a run of these people that is being started and has no token yet. */
  expect(names) {
    this.close();
    this.#dispatch({ kind: 'starting', ...pair(names), showing: this.#turn });
  }

  /** Notes that the start was refused. */
  refused() {
    this.#dispatch({ kind: 'refused' });
  }

  /** Follows a run that has just been started here. */
  begin(server, run) {
    this.#server = server;
    this.#dispatch({ kind: 'following', run, isOwn: true });
    this.#listen();
  }

  /** Opens a shared link: the record says whether the run still exists, the stream replays it from the start. */
  async open(server, run, names) {
    this.expect(names);
    const turn = this.#turn;
    if (!isRun(run)) return this.#gone({ status: 404 }, 'address');
    this.#server = server;
    this.#dispatch({ kind: 'following', run, isOwn: server.isOwn(run) });
    if (server.publishedOf(run).chain) this.published(server.publishedOf(run));
    try {
      const kept = await server.keptRun(run);
      if (turn === this.#turn) this.#know(kept);
    } catch (problem) {
      // The record of a run that has just begun may not be stored yet, but its stream already works.
      const isGone = problem.status in GONE && (await server.streamStatus(run)) !== 200;
      if (turn === this.#turn && isGone) return this.#gone(problem);
      // The record only adds names, options and the expiry, and the stream may work without it.
    }
    if (turn === this.#turn) this.#listen();
  }

  /** Shows a sealed file's own content; `chain` is the address of its publication. */
  show(file, chain = '') {
    const body = record(file.body);
    const order = record(body.order);
    this.expect({ ...order, a: text(order.personA), b: text(order.personB) });
    this.#dispatch({ kind: 'sealed', run: text(body.run), chain });
    list(body.events).forEach((event, i) => this.#take(i + 1, event));
    if (!this.state.outcome) this.#gone({ status: 0 }, 'unfinished');
  }

  /** Reports the result of the shown file's check, and then, unless it is forged, the file's events. */
  async check(verification) {
    const turn = this.#turn;
    this.#dispatch({ kind: 'verification', value: { kind: 'checking' } });
    const value = await verification;
    if (turn !== this.#turn) return;
    this.#dispatch({ kind: 'verification', value });
    const isForged = trustOf(this.state) === 'forged';
    this.#told.onVerification(verificationOf(this.state));
    for (const tell of isForged ? [] : this.#held.splice(0)) {
      // The listener may have shown something else meanwhile.
      if (turn === this.#turn) tell();
    }
  }

  /**
   * Calls `tell` once a file is checked. Until then its events are held back, since an embedding page would present
   * them as true.
   */
  #whenKnown(tell) {
    if (this.state.isFile) this.#held.push(tell);
    else tell();
  }

  /** Notes why there is nothing to show; `elements/vd-outcome.js` has the words for each reason. */
  miss(why, names = {}, detail = '') {
    this.expect(names);
    this.#gone({ status: 0 }, why, detail);
  }

  /** Shows nothing. */
  clear() {
    if (this.state.phase !== 'idle') this.#dispatch({ kind: 'blank' });
    this.close();
  }

  /** Notes that the run's creator has published its chain. */
  published({ chain, expires }) {
    this.#dispatch({ kind: 'published', chain, expires });
  }

  async stop() {
    if (!this.#server) throw new Problem(404, { detail: 'There is no run to be stopped.' });
    this.#dispatch({ kind: 'stopping', value: true });
    try {
      await this.#server.stopRun(this.state.run);
    } catch (problem) {
      this.#dispatch({ kind: 'stopping', value: false });
      throw problem;
    }
  }

  /** Closes the connection, since the element is not visible. */
  pause() {
    this.#isPaused = true;
    this.#stream?.close();
    this.#stream = null;
  }

  /** Connects again, since the element is visible again. */
  resume() {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#mayListen && this.state.phase === 'running') this.#listen();
  }

  /** Stops following this run. Answers that arrive later are ignored. */
  close() {
    this.#turn += 1;
    this.#stream?.close();
    this.#stream = null;
    this.#server = null;
    this.#mayListen = false;
    this.#held = [];
  }

  #listen() {
    this.#mayListen = true;
    if (this.#isPaused) return;
    const { run, last } = this.state;
    this.#stream = follow(this.#server.eventsOf(run), {
      after: last ? `${run}.${last}` : '',
      onEvent: (n, event) => this.#take(n, event),
      onConnection: (value) => this.#dispatch({ kind: 'connection', value }),
      onGone: () => this.#showKept(),
    });
  }

  #take(n, event) {
    const before = this.state;
    this.#dispatch({ kind: 'event', n, event, at: performance.now() });
    if (this.state !== before) this.#whenKnown(() => this.#told.onEvent(event));
    if (this.state.outcome && this.#server) this.#learn();
  }

  #know(kept) {
    this.#dispatch({ kind: 'names', record: kept });
    this.#dispatch({ kind: 'known', kept: keptOf(kept) });
  }

  /**
   * Loads what only the record has once the run is over, since the page may have been opened before the record was
   * stored.
   */
  async #learn() {
    const [turn, server] = [this.#turn, this.#server];
    try {
      const kept = await server.keptRun(this.state.run);
      if (turn !== this.#turn) return;
      this.#know(kept);
      const { forkedFrom } = this.state.kept;
      if (!forkedFrom) return;
      const costs = [dollarsOf(await server.keptRun(forkedFrom)), dollarsOf(kept)];
      if (turn !== this.#turn || costs.includes(null)) return;
      this.#dispatch({ kind: 'known', kept: this.state.kept, together: costs[0] + costs[1] });
    } catch {
      // A failure is ignored, since the result does not need what the record adds.
    }
  }

  /** Shows the stored record, since the events ended without a last one. */
  async #showKept() {
    const turn = this.#turn;
    try {
      const kept = await this.#server.keptRun(this.state.run);
      if (turn === this.#turn) this.#dispatch({ kind: 'kept', record: kept });
    } catch (problem) {
      if (turn === this.#turn) this.#gone(problem);
    }
  }

  /** Notes that there is nothing to show, and reports that to the listeners. */
  #gone({ status, message = '' }, why = GONE[status] ?? 'unreachable', detail = '') {
    this.#dispatch({ kind: 'gone', why, detail });
    const told = detail || message || `There is nothing to show (${why}).`;
    this.#whenKnown(() => this.#told.onProblem(new Problem(status, { detail: told })));
  }

  #dispatch(action) {
    this.state = reduce(this.state, action);
    // A replay brings hundreds of events at once, which are drawn once.
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    queueMicrotask(() => {
      this.#isDrawing = false;
      this.#told.onChange();
    });
  }
}
