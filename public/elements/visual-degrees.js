// <visual-degrees> shows one run and its result, and can be embedded in any page. It only shows; the page around it (a
// form, addresses, offers to go on) reacts to its events.

import { newKey, Server } from '../api.js';
import { runPath, shareLink } from '../route.js';
import { RunFollower } from '../run-follower.js';
import { engineOf, readSealed } from '../sealed-file.js';
import { styles } from '../styles.js';
import { subjectOf } from '../subject.js';
import { verify } from '../verification.js';
import { RunView } from './run-view.js';

/** The stream's events, and the DOM events dispatched for them. */
const EVENTS = {
  status: 'vd-status',
  evidence: 'vd-evidence',
  path_update: 'vd-path',
  page_capture: 'vd-page-capture',
  final: 'vd-final',
  no_path: 'vd-no-path',
  error: 'vd-error',
};

export class VisualDegrees extends HTMLElement {
  static observedAttributes = ['run', 'src', 'a', 'b'];

  #view = new RunView();
  #shown = ''; // the attributes of what is shown
  #isAsked = false;
  #turn = 0;
  #publishDays = 0;
  #checked = ''; // the text of the file that is shown
  #server = new Server(import.meta.url);
  #follower = new RunFollower({
    onChange: () => this.#draw(),
    onEvent: (event) => this.#tell(EVENTS[event.type], event),
    onProblem: (problem) => this.#tell('vd-error', problem),
    onVerification: (found) => this.#tell('vd-verification', found),
  });

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.append(this.#view.node);
    root.adoptedStyleSheets = styles();
    this.#view.node.addEventListener('vd-stop', () => this.#stopped());
    this.#view.node.addEventListener('vd-check', () => this.#follower.check(verify(this.#checked)));
  }

  connectedCallback() {
    // Properties that were set before this module loaded hide the accessors of the class, so they are set again.
    for (const name of ['run', 'src'].filter((one) => Object.hasOwn(this, one))) {
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#follower.resume();
    this.#ask();
  }

  disconnectedCallback() {
    // If the element was only moved, it is in the document again when this runs.
    queueMicrotask(() => !this.isConnected && this.#follower.pause());
  }

  attributeChangedCallback() {
    this.#ask();
  }

  /** The number of days for which a chain can be published here; 0 if it cannot. */
  get publishDays() {
    return this.#publishDays;
  }

  set publishDays(days) {
    this.#publishDays = days;
    this.#draw();
  }

  /** The run's state. */
  get state() {
    return this.#follower.state;
  }

  /** The token of the shown run, or `null`. */
  get run() {
    return this.state.run;
  }

  set run(run) {
    this.#leaveSource();
    this.#reflect('run', run);
  }

  get src() {
    return this.getAttribute('src');
  }

  set src(src) {
    this.#reflect('src', src);
  }

  /** The address where others can see what is shown, or "". */
  get link() {
    const { run, chain, isFile } = this.state;
    if (chain) return chain;
    return run && !isFile ? this.#server.address(shareLink(run, this.state)) : '';
  }

  /**
   * Starts a run: with the body `question` for `POST /runs`, or without one for the attributes `a` and `b`. Resolves to
   * the run's token; rejects with a problem that says why. Repeating the same `key` returns the same run.
   */
  async start(question = null, { key = newKey(), human = '' } = {}) {
    const [personA, personB] = [this.getAttribute('a') ?? '', this.getAttribute('b') ?? ''];
    const body = question ?? { personA, personB };
    const { options = {}, names = { ...options, a: body.personA, b: body.personB } } = body;
    this.#leaveSource();
    this.#server = new Server(this.#subject().server);
    this.expect(names);
    const server = this.#server;
    const turn = this.#turn;
    try {
      const run = await server.createRun({ ...body, names: undefined }, key, human);
      // Something else is to be shown by now, so the run is not followed.
      if (turn !== this.#turn) return run;
      this.#shown = this.#wanted({ run });
      this.#reflect('run', run);
      this.#follower.begin(server, run);
      return run;
    } catch (problem) {
      if (turn === this.#turn) this.#follower.refused();
      this.#tell('vd-error', problem);
      throw problem;
    }
  }

  /** Prepares to show a run of these people that is being started. */
  expect(names) {
    this.#begin(this.#wanted());
    this.#follower.expect(names);
    this.#draw();
  }

  /** Shows that the start of a run has failed. */
  refuse() {
    this.#follower.refused();
    this.#draw();
  }

  /** Stops the run; rejects with a problem if another creator has started it. */
  stop() {
    return this.#follower.stop();
  }

  /** Follows a run. `names` are those in its link, which are shown until its events name the people. */
  follow(run, names = {}) {
    this.#reflect('src', '');
    this.#reflect('run', run);
    this.#begin(this.#wanted());
    this.#server = new Server(import.meta.url);
    return this.#follower.open(this.#server, run, names);
  }

  /** Shows nothing. */
  clear() {
    this.#forget();
    this.#follower.clear();
    this.#draw();
  }

  /** Shows why nothing can be shown; `why` is `address` for an invalid address. */
  miss(why) {
    this.#forget();
    this.#follower.miss(why);
  }

  /** Shows the text of a sealed file, and checks it. */
  showSealed(text) {
    this.#forget();
    return this.#showFile(text, '');
  }

  /** Shows the text of a file; `chain` is the address at which it is published, if any. */
  async #showFile(text, chain) {
    const { file, problem } = readSealed(text);
    if (!file) {
      this.#follower.miss('unreadable', {}, problem);
      return;
    }
    if (engineOf(file)) {
      this.#follower.miss(engineOf(file));
      return;
    }
    this.#follower.show(file, chain);
    this.#checked = text;
    await this.#follower.check(verify(text));
  }

  /** Publishes the chain. */
  async publish() {
    const turn = this.#turn;
    const published = await this.#server.publish(this.run);
    if (turn === this.#turn) this.#follower.published(published);
  }

  /** Withdraws a published chain, as its creator. */
  async unpublish() {
    const turn = this.#turn;
    await this.#server.unpublish(this.state.chain, this.run);
    if (turn !== this.#turn) return;
    if (this.state.isFile) this.#follower.miss('unpublished');
    else this.#follower.published({ chain: '', expires: '' });
  }

  /** Scrolls to the result and focuses it. */
  reveal() {
    this.#view.reveal();
  }

  /** Takes the keyboard focus during a run. */
  takeFocus() {
    this.#view.takeFocus();
  }

  /** Begins something new; pending results of earlier requests are ignored. */
  #begin(shown) {
    this.#turn += 1;
    this.#shown = shown;
    this.#isAsked = false;
  }

  #forget() {
    for (const name of ['run', 'src']) this.removeAttribute(name);
    this.#begin(this.#wanted());
  }

  #reflect(name, value) {
    if (value) this.setAttribute(name, value);
    else this.removeAttribute(name);
  }

  #wanted({ run = this.getAttribute('run'), src = this.getAttribute('src') } = {}) {
    return JSON.stringify([run || null, src || null]);
  }

  /** The run or file that the attributes name. */
  #subject() {
    const [run, src] = [this.getAttribute('run'), this.getAttribute('src')];
    return subjectOf({ run, src }, { here: document.baseURI, home: import.meta.url });
  }

  /** Removes the run of `src`, since another run is to be shown. A deployment in `src` stays. */
  #leaveSource() {
    const { file, run } = this.#subject();
    if (file || (run && run !== this.getAttribute('run'))) this.removeAttribute('src');
  }

  /** Combines changes of several attributes at once into one update. */
  #ask() {
    if (this.#isAsked || !this.isConnected) return;
    this.#isAsked = true;
    queueMicrotask(() => {
      if (!this.#isAsked) return;
      this.#isAsked = false;
      if (this.isConnected && this.#wanted() !== this.#shown) this.#arrive();
    });
  }

  async #arrive() {
    this.#begin(this.#wanted());
    const turn = this.#turn;
    const names = { a: this.getAttribute('a') ?? '', b: this.getAttribute('b') ?? '' };
    const subject = this.#subject();
    this.#server = new Server(subject.server);
    if (subject.run) {
      this.#follower.open(this.#server, subject.run, names);
      return;
    }
    this.#follower.clear();
    if (!subject.file) return;
    this.#follower.expect(names);
    try {
      const text = await this.#server.jsonText(subject.file);
      if (turn === this.#turn) await this.#showFile(text, subject.chain);
    } catch (problem) {
      if (turn !== this.#turn) return;
      if (problem.status === 404 && subject.chain) this.#follower.miss('unpublished', names);
      else this.#follower.miss('unreadable', names, problem.message);
    }
  }

  /** Stops the run, unless the page prevents the default. */
  async #stopped() {
    if (!this.#tell('vd-stop', null)) return;
    try {
      await this.stop();
    } catch (problem) {
      this.#tell('vd-error', problem);
    }
  }

  #draw() {
    const isNew = this.#view.draw(this.state, () => this.#around());
    this.#tell('vd-change', { isNew });
  }

  /** What the parts need besides the state. */
  #around() {
    return {
      link: this.link,
      file: this.#file,
      module: new URL('../visual-degrees.js', import.meta.url).href,
      hasActions: this.hasAttribute('actions'),
      publishDays: this.publishDays,
      pictureAt: (digest) => this.#pictureAt(digest),
      mayTakeBack: Boolean(this.state.chain) && this.#server.hasSecret(this.run),
      publish: () => this.publish(),
      unpublish: () => this.unpublish(),
    };
  }

  /** The address of a stored capture; "" for a file, which has only its digest. */
  #pictureAt(digest) {
    const { run, chain, isFile } = this.state;
    return run && !chain && !isFile ? this.#server.address(`${runPath(run)}/artifacts/${digest}`) : '';
  }

  /** The address of the sealed file. */
  get #file() {
    const { run, chain, isFile } = this.state;
    if (chain) return chain;
    return run && !isFile ? this.#server.address(`${runPath(run)}/sealed`) : '';
  }

  #tell(name, detail) {
    const init = { detail, bubbles: true, composed: true, cancelable: true };
    return name ? this.dispatchEvent(new CustomEvent(name, init)) : true;
  }
}
