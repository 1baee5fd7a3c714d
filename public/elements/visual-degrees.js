// <visual-degrees>: one run and its result, in a page of anybody's. It shows; what a page does around it
// (a form, addresses, offers to go on) it is told by events.

import { newKey, Server } from '../api.js';
import { el } from '../dom.js';
import { runPath, shareLink } from '../route.js';
import { RunFollower } from '../run-follower.js';
import { readSealed } from '../sealed-file.js';
import { styles } from '../styles.js';
import { subjectOf } from '../subject.js';
import { verify } from '../verification.js';
import { LargePhoto } from './large-photo.js';

/** What the stream tells, and the event that tells it here. */
const EVENTS = {
  status: 'vd-status',
  evidence: 'vd-evidence',
  path_update: 'vd-path',
  final: 'vd-final',
  no_path: 'vd-no-path',
  error: 'vd-error',
};
/** What is shown, in the order of an ended run: its parts, and what they are called from outside. */
const PARTS = {
  'vd-outcome': 'outcome',
  'vd-chain': 'chain',
  'vd-verification': 'verification',
  'vd-evidence': 'evidence',
  'vd-graph': 'graph',
  'vd-newest': 'newest',
  'vd-result': 'result',
  'vd-share': 'share',
  'vd-status': 'status',
  'vd-log': 'log',
  'vd-spend': 'spend',
};

const PROOF = ['chain', 'verification', 'evidence', 'newest'];
const REST = ['graph', 'result', 'share', 'log', 'spend'];

export class VisualDegrees extends HTMLElement {
  static observedAttributes = ['run', 'src', 'a', 'b'];

  #view = el('div', { class: 'view', part: 'view' });
  #scene = el('div', { class: 'scene' });
  #desk = el('div', { class: 'desk' });
  #large = new LargePhoto();
  #parts = {};
  #shown = ''; // the attributes that what is shown came from
  #isAsked = false;
  #publishDays = 0;
  #checked = ''; // the text of the file that is shown
  #server = new Server(import.meta.url);
  #follower = new RunFollower({
    onChange: () => this.#draw(),
    onEvent: (event) => this.#tell(EVENTS[event.type], event),
  });

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    for (const [name, part] of Object.entries(PARTS)) {
      this.#parts[part] = el(name, { part, hidden: true });
    }
    const {
      status, outcome, chain, verification, evidence, graph, newest, result, share, log, spend,
    } = this.#parts;
    this.#desk.append(log, spend);
    this.#scene.append(graph, newest);
    this.#view.append(
      status, outcome, chain, verification, evidence, this.#scene, result, share, this.#desk,
    );
    root.append(this.#view);
    status.addEventListener('vd-stop', () => this.#stopped());
    verification.addEventListener('vd-check', () => this.#follower.check(verify(this.#checked)));
    this.#view.append(this.#large.node);
    this.#view.addEventListener('vd-enlarge', ({ detail }) => this.#large.show(detail));
    this.#view.addEventListener('vd-show', ({ detail }) => this.#show(detail));
    root.adoptedStyleSheets = styles();
  }

  connectedCallback() {
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
    this.expect(names);
    try {
      const run = await this.#server.createRun({ ...body, names: undefined }, key, human);
      this.#shown = this.#wanted({ run });
      this.#reflect('run', run);
      this.#follower.begin(this.#server, run);
      return run;
    } catch (problem) {
      this.#follower.refused();
      this.#tell('vd-error', problem);
      throw problem;
    }
  }

  /** A run of these people is about to be started. */
  expect(names) {
    this.#shown = '';
    this.#isAsked = false;
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
    this.#shown = this.#wanted({ run });
    this.#reflect('run', run);
    return this.#follower.open(this.#server, run, names);
  }

  /** Shows nothing any more. */
  clear() {
    for (const name of ['run', 'src']) this.removeAttribute(name);
    this.#shown = this.#wanted();
    this.#follower.clear();
    this.#draw();
  }

  /** Says why there is nothing to be shown: `address`. */
  miss(why) {
    this.#isAsked = false;
    this.#follower.miss(why);
  }

  /** Shows the text of a sealed file, and checks it; `chain` is where it was published. */
  async showSealed(text, chain = '') {
    const { file, problem } = readSealed(text);
    this.#isAsked = false;
    if (!file) {
      this.#follower.miss('unreadable', {}, problem);
      return;
    }
    this.#follower.show(file, chain);
    this.#checked = text;
    await this.#follower.check(verify(text));
  }

  /** Keeps the chain for whoever has its address. */
  async publish() {
    this.#follower.published(await this.#server.publish(this.run));
  }

  /** Takes a published chain back, as its creator. */
  async unpublish() {
    await this.#server.unpublish(this.state.chain, this.run);
    this.#follower.published({ chain: '', expires: '' });
  }

  /** Brings the result before the eyes and the keyboard. */
  reveal() {
    this.#parts.outcome.reveal();
  }

  /** Where the keyboard waits while a run goes on. */
  takeFocus() {
    this.#parts.status.takeFocus();
  }

  #reflect(name, value) {
    if (value) this.setAttribute(name, value);
    else this.removeAttribute(name);
  }

  #wanted({ run = this.getAttribute('run'), src = this.getAttribute('src') } = {}) {
    return JSON.stringify([run || null, src || null]);
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
    const [run, src] = [this.getAttribute('run'), this.getAttribute('src')];
    this.#shown = this.#wanted();
    const names = { a: this.getAttribute('a') ?? '', b: this.getAttribute('b') ?? '' };
    const subject = subjectOf({ run, src }, { here: document.baseURI, home: import.meta.url });
    this.#server = new Server(subject.server);
    if (subject.run) {
      this.#follower.open(this.#server, subject.run, names);
      return;
    }
    this.#follower.clear();
    if (!subject.file) return;
    this.#follower.expect(names);
    const shown = this.#shown;
    try {
      const text = await this.#server.sealedText(subject.file);
      if (shown === this.#shown) await this.showSealed(text, subject.chain);
    } catch (problem) {
      if (shown !== this.#shown) return;
      if (problem.status === 404 && subject.chain) this.#follower.miss('unpublished', names);
      else this.#follower.miss('unreadable', names, problem.message);
    }
  }

  /** Whoever shows this may stop the run in their own way. */
  async #stopped() {
    if (!this.#tell('vd-stop', null)) return;
    try {
      await this.stop();
    } catch (problem) {
      this.#tell('vd-error', problem);
    }
  }

  #show(key) {
    const { newest, evidence } = this.#parts;
    if (this.state.phase === 'ended') {
      evidence.reveal(key);
      return;
    }
    newest.choose(key);
    newest.render(this.state);
  }

  #draw() {
    const { state } = this;
    const { outcome, status } = this.#parts;
    // First: a focused button that goes has the page laid out at once, and so far little has changed.
    status.render(state);
    const isEnding = state.phase === 'ended' && this.#view.dataset.phase !== 'ended';
    if (isEnding) this.#makeRoom();
    this.#view.dataset.phase = state.phase;
    this.#view.dataset.outcome = state.outcome?.kind ?? '';
    const isNew = outcome.render(state, this.#around());
    this.#render(PROOF);
    // The proof first: what stands below it may take a moment more.
    if (isNew) setTimeout(() => this.#render(REST));
    else this.#render(REST);
    this.#tell('vd-change', { isNew });
  }

  #render(names) {
    const around = this.#around();
    for (const name of names) this.#parts[name].render(this.state, around);
  }

  /** What the result pushes down is put there anew, and shown after it: nobody sees it fly away. */
  #makeRoom() {
    const focused = this.shadowRoot.activeElement;
    const { result, share } = this.#parts;
    const below = [this.#scene, result, share, this.#desk];
    const isUsed = below.some((node) => node.contains(focused));
    this.#view.append(...below);
    if (!isUsed) for (const name of REST) this.#parts[name].hidden = true;
    // What is moved in the document loses the focus.
    if (isUsed) focused.focus({ preventScroll: true });
  }

  /** What the parts need beside the state. */
  #around() {
    return {
      link: this.link,
      file: this.#file,
      module: new URL('../visual-degrees.js', import.meta.url).href,
      hasActions: this.hasAttribute('actions'),
      publishDays: this.publishDays,
      publish: () => this.publish(),
      unpublish: () => this.unpublish(),
    };
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
