// What the workflow and automaton pages have in common: a document is opened, its graph is shown, and its run is shown
// beside its trace.

import { token } from '../api.js';
import { trustOf } from '../trust.js';
import { verify } from '../verification.js';

const $ = (selector) => document.querySelector(selector);
const FORGED_TITLE = 'Do not believe this';
const SITE = 'Visual Degrees';

export class RunPage {
  prepared = null; // {name, graph, remarks, ...}: what waits to be run
  #engine;
  #server;
  #starter;
  #parts; // {opening, choices, head, graph, values, trace}
  #chosen = ''; // the node whose values stay
  #pointed = ''; // the node that is pointed at
  #frame = 0;
  #turns = 0; // incremented with each request: stale answers are ignored
  #areClaimsShown = false; // of a file that is not what it says
  #isStarted = false; // just now, here: the clicked element was removed, and lost the focus

  /**
   * An engine has the `path` and `title` of its page, and
   * - `run`, a RunPageRun, and `graphOf(run)`, its graph as far as known;
   * - `read(written)` and `sealed(written)`, which read a text, or return `{problem}` in words;
   * - `stored(name)`, a promise of one of the operator's documents; `example()`, a promise of an example's text;
   * - `question(prepared)`, the body of `POST /runs`; `found(problem, prepared)`, a refusal's remarks on nodes;
   * - `again(run, prepared)`, the document to run again, in the form of `read`;
   * - `draw(shown)`, which draws what is beside the graph.
   */
  constructor({ engine, server, starter, parts }) {
    [this.#engine, this.#server, this.#starter, this.#parts] = [engine, server, starter, parts];
    this.#listen();
    // The page starts after the current tasks, so that a slow device can respond in between.
    setTimeout(() => this.#arrive());
  }

  /** Draws all changes, once per frame. */
  draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.render();
    });
  }

  render() {
    const { run, title } = this.#engine;
    const { opening, choices, head, graph: graphView } = this.#parts;
    const { state } = run;
    const isPrepared = state.phase === 'idle' && this.prepared !== null;
    const trust = trustOf(state);
    const isWithheld = trust === 'checking' || (trust === 'forged' && !this.#areClaimsShown);
    const known = isWithheld ? null : this.#engine.graphOf(run);
    const graph = isPrepared ? this.prepared.graph : known;
    const remarks = isPrepared ? this.prepared.remarks : [];
    document.body.dataset.phase = isPrepared ? 'prepared' : state.phase;
    opening.hidden = isPrepared || state.phase !== 'idle';
    choices.hidden = !isPrepared;
    $('.run-page').hidden = isWithheld || (graph === null && state.lines.length === 0 && !isPrepared);
    head.render({ state, graph, mayRunAgain: run.document !== null && !isWithheld, isWithheld });
    const node = graph?.nodes.find(({ id }) => id === (this.#pointed || this.#chosen || atHand(state))) ?? null;
    graphView.render({ graph, state, chosen: this.#chosen, remarks });
    const isChosen = this.#chosen !== '' && node?.id === this.#chosen;
    const chosenNode = graph?.nodes.find(({ id }) => id === this.#chosen) ?? null;
    this.#engine.draw({ state, graph, node, isChosen, chosenNode, remarks, isPrepared, isWithheld });
    document.title = `${trust === 'forged' ? FORGED_TITLE : (graph?.name ?? title)} · ${SITE}`;
    if (state.phase === 'running' && this.#isStarted) {
      this.#isStarted = false;
      head.takeFocus();
    }
  }

  /** Takes a text: shows its graph, and executes nothing. */
  #take(written) {
    const sealed = this.#engine.sealed(written);
    if (sealed && !sealed.problem) {
      this.#showSealed(sealed, written);
      return;
    }
    const read = sealed ?? this.#engine.read(written);
    if (read.problem) this.#refuseText(read.problem);
    else this.#prepare(read);
  }

  /** Shows a run from a file, without any request to a server. */
  #showSealed(sealed, written) {
    this.#leave();
    this.#areClaimsShown = false;
    this.#parts.opening.clear();
    this.#goTo('');
    this.#engine.run.show(sealed, sealed.isOlder ? { kind: 'unavailable', why: 'older' } : verify(written));
    this.render();
    this.#parts.head.takeFocus();
    scrollTo(0, 0);
  }

  /** Shows a promise's result, unless something else was requested meanwhile. */
  async #await(promise, show) {
    const turn = this.#turns;
    try {
      const value = await promise;
      if (turn === this.#turns) show(value);
    } catch (problem) {
      if (turn === this.#turns) this.#refuseText(problem.message);
    }
  }

  /** Shows the message that a text cannot be opened, at a place that is visible in every view of the page. */
  #refuseText(words) {
    const { opening, choices } = this.#parts;
    if (!opening.hidden) opening.refuse(words);
    else if (!choices.hidden) choices.refuse({ message: words });
    else this.#say(words);
  }

  /** Shows words above a run. */
  #say(words) {
    $('#said').textContent = words;
    $('#said').hidden = words === '';
  }

  /** Prepares the shown document, as sent, for another run. */
  #prepareAgain() {
    const read = this.#engine.again(this.#engine.run, this.prepared);
    if (read.problem) this.#refuseText(read.problem);
    else this.#prepare(read);
  }

  #prepare(what) {
    this.#leave();
    this.prepared = what;
    this.#parts.opening.clear();
    this.#parts.choices.show(what);
    this.#goTo('');
    this.render();
    this.#parts.choices.takeFocus();
    scrollTo(0, 0);
  }

  /** Leaves what is shown: nothing is shown, chosen or awaited any more. */
  #leave() {
    this.#turns += 1;
    this.#engine.run.clear();
    [this.prepared, this.#chosen, this.#pointed] = [null, '', ''];
    this.#parts.choices.busy(false);
    this.#say('');
  }

  /** Sets the page's address to a run's, or to the page's own. */
  #goTo(run) {
    const { path } = this.#engine;
    if (run) history.pushState(null, '', `${path}?${new URLSearchParams({ run })}`);
    else if (location.search) history.pushState(null, '', path);
  }

  async #start() {
    this.#turns += 1;
    const [turn, { choices }] = [this.#turns, this.#parts];
    const { run, question } = this.#engine;
    const { prepared } = this;
    if (choices.token) token.set(choices.token);
    choices.clear();
    choices.busy(true);
    try {
      const started = await this.#starter.start(question(prepared));
      if (turn !== this.#turns) return;
      this.#isStarted = true;
      choices.settled();
      this.#chosen = '';
      this.#goTo(started);
      run.expect(prepared.graph, prepared.document ?? null);
      run.begin(this.#server, started);
      scrollTo(0, 0);
    } catch (problem) {
      if (turn === this.#turns) this.#refuse(problem);
    } finally {
      if (turn === this.#turns) choices.busy(false);
    }
  }

  /** Shows the server's findings at their nodes and edges. */
  #refuse(problem) {
    const [{ prepared }, { choices }] = [this, this.#parts];
    const found = this.#engine.found(problem, prepared);
    if (found.length > 0) {
      prepared.remarks = found;
      choices.remark(found, prepared.graph, 'What the server refuses in it:');
    }
    this.render();
    // The details are shown at the nodes, so the form only states that the run was not started.
    const message = 'It was not started: see what is marked above.';
    choices.refuse(found.length > 0 ? { ...problem, message } : problem);
  }

  async #stop() {
    try {
      await this.#engine.run.stop();
    } catch (problem) {
      this.#say(problem.message);
    }
  }

  #choose(id) {
    const { values, graph } = this.#parts;
    this.#chosen = id;
    this.#pointed = '';
    this.render();
    values.takeFocus();
    graph.reveal(id, values);
  }

  #arrive() {
    this.#leave();
    const named = new URLSearchParams(location.search).get('run');
    if (named !== null) this.#engine.run.open(this.#server, named);
    this.draw();
  }

  #listen() {
    const on = (name, listener) => document.addEventListener(name, ({ detail }) => listener(detail));
    const { graph, opening } = this.#parts;
    on('run-page-text', (written) => this.#take(written));
    on('run-page-example', () => this.#await(this.#engine.example(), (written) => this.#take(written)));
    on('run-page-stored', (name) => this.#await(this.#engine.stored(name), (what) => this.#prepare(what)));
    on('run-page-start', () => this.#start());
    on('run-page-stop', () => this.#stop());
    on('run-page-again', () => this.#prepareAgain());
    on('run-page-claims', () => {
      this.#areClaimsShown = true;
      this.render();
    });
    on('run-page-choose', (id) => this.#choose(id));
    on('run-page-show', (id) => graph.focusOn(id));
    on('run-page-point', (id) => {
      this.#pointed = id;
      this.draw();
    });
    on('run-page-leave', () => {
      const id = this.#chosen || this.#pointed;
      [this.#chosen, this.#pointed] = ['', ''];
      this.render();
      graph.focusOn(id);
    });
    on('run-page-other', () => {
      this.#leave();
      this.#goTo('');
      this.render();
      opening.takeFocus();
    });
    addEventListener('popstate', () => this.#arrive());
  }
}

/** The node whose values are shown if no node is pointed at: the active node, or the failed one. */
const atHand = ({ phase, at, outcome }) => (phase === 'running' ? at : (outcome?.node ?? ''));
