// One run as somebody who watches knows it: the state, and where what is told of it comes from, be it a
// live stream, the record that is left, or a sealed file.

import { isOwn } from './api.js';
import { dollarsOf, keptOf } from './kept-run.js';
import { blank, reduce } from './model.js';
import { pair } from './pair.js';
import { list, record, text } from './safe.js';
import { follow } from './stream.js';

/** What the server gives out as a run's token. */
const RUN = /^[\w-]{1,64}\.[\w-]{22}$/;

export class RunFollower {
  state = blank();
  #server = null;
  #stream = null;
  #isPaused = false;
  #isDrawing = false;
  #turn = 0; // what came for an earlier run is too late
  #told;

  /** `onChange()` after any change, drawn once for many events; `onEvent(event)` for each new one. */
  constructor({ onChange, onEvent }) {
    this.#told = { onChange, onEvent };
  }

  /** A run of these people is being started, and has no token yet. */
  expect(names) {
    this.close();
    this.#dispatch({ kind: 'starting', ...pair(names) });
  }

  /** It was refused. */
  refused() {
    this.#dispatch({ kind: 'refused' });
  }

  /** Follows a run that has just been started here. */
  begin(server, run) {
    this.#dispatch({ kind: 'following', run, isOwn: true });
    this.#listen(server);
  }

  /** A shared link: its record says whether it still lives, its stream replays it from the start. */
  async open(server, run, names) {
    this.expect(names);
    const turn = this.#turn;
    if (!RUN.test(run)) return this.#dispatch({ kind: 'gone', why: 'address' });
    this.#dispatch({ kind: 'following', run, isOwn: isOwn(run) });
    try {
      const kept = await server.keptRun(run);
      if (turn === this.#turn) this.#know(kept);
    } catch (problem) {
      // A run that has only just begun may not have reached the store yet: its stream knows better.
      const isGone = [404, 410].includes(problem.status) && (await server.streamStatus(run)) !== 200;
      if (turn === this.#turn && isGone) return this.#gone(problem);
      // The record is for names and for later; the stream may work although it cannot be read.
    }
    if (turn === this.#turn) this.#listen(server);
  }

  /** Shows a sealed file, as it says itself; `chain` is the address that it was published under. */
  show(file, chain = '') {
    const body = record(file.body);
    const order = record(body.order);
    this.expect({ ...order, a: text(order.personA), b: text(order.personB) });
    this.#dispatch({ kind: 'sealed', run: text(body.run), chain });
    list(body.events).forEach((event, i) => this.#take(i + 1, event));
    if (!this.state.outcome) this.#dispatch({ kind: 'gone', why: 'unfinished' });
  }

  /** Says what a check of the file that is shown comes to. */
  async check(verification) {
    const turn = this.#turn;
    this.#dispatch({ kind: 'verification', value: { kind: 'checking' } });
    const value = await verification;
    if (turn === this.#turn) this.#dispatch({ kind: 'verification', value });
  }

  /** There is nothing to show, and this is why (`elements/vd-outcome.js` has the words for each). */
  miss(why, names = {}, detail = '') {
    this.expect(names);
    this.#dispatch({ kind: 'gone', why, detail });
  }

  /** Nothing is shown. */
  clear() {
    if (this.state.phase !== 'idle') this.#dispatch({ kind: 'blank' });
    this.close();
  }

  /** Its creator published it. */
  published({ chain, expires }) {
    this.#dispatch({ kind: 'published', chain, expires });
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

  /** Nobody looks for now: no connection is kept. */
  pause() {
    this.#isPaused = true;
    this.#stream?.close();
    this.#stream = null;
  }

  /** Somebody looks again. */
  resume() {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#server && this.state.phase === 'running') this.#listen(this.#server);
  }

  /** Ends with this run; nothing of it comes any more. */
  close() {
    this.#turn += 1;
    this.#stream?.close();
    this.#stream = null;
    this.#server = null;
  }

  #listen(server) {
    this.#server = server;
    if (this.#isPaused) return;
    const { run, last } = this.state;
    this.#stream = follow(server.eventsOf(run), {
      after: last ? `${run}.${last}` : '',
      onEvent: (n, event) => this.#take(n, event),
      onConnection: (value) => this.#dispatch({ kind: 'connection', value }),
      onGone: () => this.#showKept(),
    });
  }

  #take(n, event) {
    const before = this.state;
    this.#dispatch({ kind: 'event', n, event, at: performance.now() });
    if (this.state !== before) this.#told.onEvent(event);
    if (this.state.outcome && this.#server) this.#learn();
  }

  #know(kept) {
    this.#dispatch({ kind: 'names', record: kept });
    this.#dispatch({ kind: 'known', kept: keptOf(kept) });
  }

  /** What only the record says, once the run is over; it may have been opened before it was written. */
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
      // It is more to say, and nothing that the result needs.
    }
  }

  /** The events are over, and none of them was the last: the record says what was kept. */
  async #showKept() {
    const turn = this.#turn;
    try {
      const kept = await this.#server.keptRun(this.state.run);
      if (turn === this.#turn) this.#dispatch({ kind: 'kept', record: kept });
    } catch (problem) {
      if (turn === this.#turn) this.#gone(problem);
    }
  }

  #gone({ status }) {
    this.#dispatch({ kind: 'gone', why: status === 404 ? 'unknown' : 'expired' });
  }

  #dispatch(action) {
    this.state = reduce(this.state, action);
    // A replay brings hundreds of events at once; they are drawn once.
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    queueMicrotask(() => {
      this.#isDrawing = false;
      this.#told.onChange();
    });
  }
}
