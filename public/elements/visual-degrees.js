// <visual-degrees>: one run and its result, in a page of anybody's. It shows; what a page does around it
// (a form, addresses, offers to go on) it is told by events.

import { newKey, Server } from '../api.js';
import { runPath, shareLink } from '../route.js';
import { RunFollower } from '../run-follower.js';
import { engineOf, readSealed } from '../sealed-file.js';
import { styles } from '../styles.js';
import { subjectOf } from '../subject.js';
import { verify } from '../verification.js';
import { RunView } from './run-view.js';

/** What the stream tells, and the event that tells it here. */
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
  #shown = ''; // the attributes that what is shown came from
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
    // What was set before this module was there stands in front of what it does.
    for (const name of ['run', 'src'].filter((one) => Object.hasOwn(this, one))) {
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.#follower.resume();
    this.#ask();
  }

  disconnectedCallback() {
    // Whoever is moved is in the document again before this comes.
    queueMicrotask(() => !this.isConnected && this.#follower.pause());
  }

  attributeChangedCallback() {
    this.#ask();
  }

  /** For how many days a chain can be published here; 0 where it cannot. */
  get publishDays() {
    return this.#publishDays;
  }

  set publishDays(days) {
    this.#publishDays = days;
    this.#draw();
  }

  /** What is known of the run. */
  get state() {
    return this.#follower.state;
  }

  /** The token of the run that is shown; `null` where there is none. */
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

  /** The address where what is shown can be seen by others; "" where there is none. */
  get link() {
    const { run, chain, isFile } = this.state;
    if (chain) return chain;
    return run && !isFile ? this.#server.address(shareLink(run, this.state)) : '';
  }

  /**
   * Starts a run, of the attributes `a` and `b` unless another question is given (the body of
   * `POST /runs`). Promises its token; refused with a problem that says why. The same `key` twice
   * starts one run.
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
      // Meanwhile something else is to be shown.
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

  /** A run of these people is about to be started. */
  expect(names) {
    this.#begin(this.#wanted());
    this.#follower.expect(names);
    this.#draw();
  }

  /** It will not be. */
  refuse() {
    this.#follower.refused();
    this.#draw();
  }

  /** Stops the run; refused with a problem where it is another's. */
  stop() {
    return this.#follower.stop();
  }

  /** Follows a run; the names are those that its link says. */
  follow(run, names = {}) {
    this.#reflect('src', '');
    this.#reflect('run', run);
    this.#begin(this.#wanted());
    this.#server = new Server(import.meta.url);
    return this.#follower.open(this.#server, run, names);
  }

  /** Shows nothing any more. */
  clear() {
    this.#forget();
    this.#follower.clear();
    this.#draw();
  }

  /** Says why there is nothing to be shown: `address`. */
  miss(why) {
    this.#forget();
    this.#follower.miss(why);
  }

  /** Shows the text of a sealed file, and checks it. */
  showSealed(text) {
    this.#forget();
    return this.#showFile(text, '');
  }

  /** `chain` is where it was published. */
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

  /** Keeps the chain for whoever has its address. */
  async publish() {
    const turn = this.#turn;
    const published = await this.#server.publish(this.run);
    if (turn === this.#turn) this.#follower.published(published);
  }

  /** Takes a published chain back, as its creator. */
  async unpublish() {
    const turn = this.#turn;
    await this.#server.unpublish(this.state.chain, this.run);
    if (turn !== this.#turn) return;
    if (this.state.isFile) this.#follower.miss('unpublished');
    else this.#follower.published({ chain: '', expires: '' });
  }

  /** Brings the result before the eyes and the keyboard. */
  reveal() {
    this.#view.reveal();
  }

  /** Where the keyboard waits while a run goes on. */
  takeFocus() {
    this.#view.takeFocus();
  }

  /** What was asked for before is not to be shown any more, whenever it comes. */
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

  /** What the attributes name. */
  #subject() {
    const [run, src] = [this.getAttribute('run'), this.getAttribute('src')];
    return subjectOf({ run, src }, { here: document.baseURI, home: import.meta.url });
  }

  /** Another run is to be shown than the one that `src` names; a deployment that it names stays. */
  #leaveSource() {
    const { file, run } = this.#subject();
    if (file || (run && run !== this.getAttribute('run'))) this.removeAttribute('src');
  }

  /** Several attributes that change together are one question. */
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

  /** Stops the run, unless the page around this stops it in its own way. */
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

  /** What the parts need beside the state. */
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

  /** The address of a picture that the run keeps; "" where a file tells of it, which has its digest alone. */
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
