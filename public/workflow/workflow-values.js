// What is known of one node: its status, its variables, its last call and answer, its errors.

import { el } from '../dom.js';
import { runPath } from '../route.js';
import { standing } from '../run-page/standing.js';
import { shown } from '../run-page/told-words.js';
import { unreachedOf } from '../run-page/unreached.js';
import { count } from '../words.js';
import { knownOf } from './node-state.js';
import { verdictWords } from './trace-words.js';

const HINT = 'Point at a node, or choose one, to see what it has called and found.';
/** The most characters shown of a value; the trace's archive has more. */
const VALUE_CHARS_MAX = 2_000;

export class WorkflowValues extends HTMLElement {
  #heading = el('h2', { class: 'quiet', tabindex: '-1' });
  #close = el('button', { type: 'button', class: 'plain', testid: 'values-close' }, 'Close');
  #body = el('div', { class: 'known', tabindex: '0', role: 'group', 'aria-label': 'What is known of the node' });
  #drawn = [];
  #unseen = new Map(); // why a picture is missing, by its run and digest
  #last = null;
  pictures = null; // the source of pictures

  connectedCallback() {
    if (this.contains(this.#body)) return;
    this.append(el('div', { class: 'head' }, this.#heading, this.#close), this.#body);
    const leave = () => this.dispatchEvent(new CustomEvent('run-page-leave', { bubbles: true }));
    this.#close.addEventListener('click', leave);
    this.addEventListener('keydown', ({ key }) => key === 'Escape' && leave());
  }

  takeFocus() {
    this.#heading.focus({ preventScroll: true });
  }

  /** `node` may be null; `isChosen` if it stays until it is closed. */
  render({ node, graph, state, isChosen, remarks }) {
    this.#last = { node, graph, state, isChosen, remarks };
    this.#close.hidden = !isChosen;
    this.classList.toggle('open', isChosen);
    const known = node && knownOf(state, node.id);
    const unreached = (node && unreachedOf(graph, state).get(node.id)) ?? '';
    const now = [node, known, remarks.length, isChosen, unreached];
    // The user may be selecting text in the values, so they are redrawn only if something has changed.
    if (now.every((value, i) => value === this.#drawn[i]) && this.#drawn.length > 0) return;
    this.#drawn = now;
    this.#heading.replaceChildren(node ? el('bdi', {}, node.name) : 'Values');
    if (!node) {
      this.#body.replaceChildren(el('p', { class: 'small' }, HINT));
      return;
    }
    const own = remarks.filter((one) => one.node === node.id || one.edge?.from === node.id);
    this.#body.replaceChildren(...[
      el('p', { class: 'small' }, el('bdi', {}, node.kind), ' · ', el('bdi', {}, standing(node, known, unreached))),
      node.line && el('p', { class: 'does' }, el('bdi', {}, node.line)),
      ...own.map(({ detail }) => el('p', { class: 'wrong' }, el('bdi', {}, detail))),
      known.error && el('p', { class: 'wrong', testid: 'node-error' }, text(known.error)),
      ...parts(known, this.#picturesPart(state.run, known.pictures)),
    ].filter(Boolean));
  }

  #picturesPart(run, digests) {
    if (digests.length === 0) return null;
    const own = part('Pictures', ...digests.map((digest) => this.#picture(run, digest)).filter(Boolean));
    const missing = digests.filter((digest) => !this.pictures.here(run, digest));
    if (missing.length === 0) return own;
    const words = `Show ${missing.length === 1 ? 'the picture' : `${missing.length} pictures`}`;
    const show = ({ target }) => {
      target.disabled = true;
      this.#show(run, missing);
    };
    own.append(el('button', { type: 'button', class: 'plain', testid: 'pictures', on: { click: show } }, words));
    return own;
  }

  #picture(run, digest) {
    const address = this.pictures.here(run, digest);
    const why = this.#unseen.get(`${run} ${digest}`);
    if (address) return el('img', { src: address, alt: 'What a tool gave', testid: 'picture' });
    return why ? el('p', { class: 'small' }, el('bdi', {}, why)) : null;
  }

  /** Loads the pictures one after the other, since the first one loads the archive for all. */
  async #show(run, digests) {
    for (const digest of digests) {
      try {
        if (await this.pictures.fetch(run, digest)) continue;
        this.#unseen.set(`${run} ${digest}`, 'It is not in the archive of the trace.');
      } catch (problem) {
        this.#unseen.set(`${run} ${digest}`, `It could not be fetched. ${problem.message}`);
      }
    }
    this.#drawn = [];
    this.render(this.#last);
    // The pressed button was removed and has lost the focus, so the focus is set here.
    if (document.activeElement === document.body) this.#body.focus();
  }
}

/** Short parts, and those that say how the node's visit went, come first. */
function parts({ decision, children, notes, call, calls, result, retries, verdicts, variables, warnings }, pictures) {
  return [
    verdicts.length > 0 && part('Checks', el('ul', {}, ...verdicts.map(judged))),
    warnings.length > 0 && part('Warnings', ...warnings.map((one) => el('p', {}, text(one)))),
    decision && part('Decision', el('p', {}, el('bdi', {}, decision))),
    children.length > 0 && part('Runs of other engines', ...children.map(child)),
    call && part(calls > 1 ? `Last of ${calls} calls` : 'Call', ...called(call)),
    result && part('Answer', ...answered(result)),
    pictures,
    notes.length > 0 && part('Found', ...notes.map((note) => el('p', {}, el('bdi', {}, note)))),
    retries.length > 0 && part('Retries', el('ol', {}, ...retries.map(retried))),
    variables.size > 0 && part('Variables', el('dl', { testid: 'variables' }, ...[...variables].flatMap(pair))),
  ];
}

const part = (name, ...inner) => el('section', {}, el('h3', {}, name), ...inner);

const child = ({ run, message }) =>
  el('p', {}, el('bdi', {}, message), ...(run ? [' ', el('a', { href: runPath(run) }, 'See it')] : []));

const called = ({ name, server, args }) => [
  el('p', {}, el('code', {}, el('bdi', {}, name)), ...(server ? [' of ', el('bdi', {}, server)] : [])),
  args !== null && value(args),
].filter(Boolean);

function answered({ text: told, bytes, images }) {
  const more = [bytes > VALUE_CHARS_MAX && `${bytes} bytes in all`, images > 0 && count(images, 'picture')];
  const said = more.filter(Boolean).join(', ');
  return [value(told || '(no text)'), said && el('p', { class: 'small' }, said)].filter(Boolean);
}

const retried = ({ attempt, error }) =>
  el('li', {}, `Attempt ${attempt ?? '?'} after: `, el('bdi', {}, shown(error)));

const judged = ({ name, word, reasoning }) => el(
  'li', { class: word === 'pass' ? '' : 'wrong' },
  el('bdi', {}, name), ': ', el('strong', {}, el('bdi', {}, verdictWords(word))),
  ...(reasoning ? [', ', text(reasoning)] : []),
);

const text = (words) => el('bdi', {}, shown(words, VALUE_CHARS_MAX));

/** Allows line breaks in a long name where its words end. */
const breakable = (name) => name.split(/(?<=[._])/).flatMap((word) => [el('wbr'), word]).slice(1);

const pair = ([name, set]) => [el('dt', {}, el('bdi', {}, ...breakable(name))), el('dd', {}, value(set))];

/** Any value as text; JSON is formatted. */
function value(set) {
  const words = typeof set === 'string' ? set : (JSON.stringify(set, null, 1) ?? '');
  return el('pre', { dir: 'auto' }, shown(words, VALUE_CHARS_MAX));
}
