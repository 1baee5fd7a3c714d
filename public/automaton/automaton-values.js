// Shows what is known of one state: its checks, its actions with their status, its errors, and what models changed in
// it.

import { standing } from '../run-page/standing.js';
import { shown } from '../run-page/told-words.js';
import { unreachedOf } from '../run-page/unreached.js';
import { el } from '../dom.js';
import { proofWords } from './event-words.js';
import { knownOf } from './state-known.js';

const HINT = 'Point at a state, or choose one, to see its checks and its actions.';
const TEXT_CHARS_MAX = 2_000;
const PARTS_SHOWN_MAX = 200;
const SIGNS = {
  waiting: ['', ''],
  running: ['●', 'running'],
  done: ['✓', 'done'],
  failed: ['✕', 'failed'],
  stopped: ['■', 'under way when the run ended'],
  unknown: ['?', 'nobody knows whether it was carried out'],
};

export class AutomatonValues extends HTMLElement {
  #heading = el('h2', { class: 'quiet', tabindex: '-1' });
  #close = el('button', { type: 'button', class: 'plain', testid: 'values-close' }, 'Close');
  #body = el('div', { class: 'known', tabindex: '0', role: 'group', 'aria-label': 'What is known of the state' });
  #drawn = [];

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

  /** Shows a state; nothing if `node` is null. `isChosen` says whether it stays until the user closes it. */
  render({ node, graph, state, isChosen, remarks }) {
    this.#close.hidden = !isChosen;
    this.classList.toggle('open', isChosen);
    const known = node && knownOf(state, node.id);
    const unreached = (node && unreachedOf(graph, state).get(node.id)) ?? '';
    const now = [node, known, remarks.length, isChosen, unreached];
    // The user may be selecting text in the values, so they are redrawn only if something has changed.
    if (now.every((value, i) => value === this.#drawn[i]) && this.#drawn.length > 0) return;
    const isOther = node?.id !== this.#drawn[0]?.id;
    this.#drawn = now;
    this.#heading.replaceChildren(node ? el('bdi', {}, node.name) : 'Checks and actions');
    if (!node) {
      this.#body.replaceChildren(el('p', { class: 'small' }, HINT));
      return;
    }
    const { scrollTop } = this.#body;
    const stands = standing(node, known, unreached);
    const own = remarks.filter((one) => one.node === node.id);
    this.#body.replaceChildren(...[
      el('p', { class: 'small', testid: 'standing' }, [node.kind, stands, known.mark].filter(Boolean).join(' · ')),
      node.view.description && el('p', {}, text(node.view.description)),
      ...own.map(({ detail }) => el('p', { class: 'wrong' }, text(detail))),
      known.error && !isTold(known) && el('p', { class: 'wrong', testid: 'state-error' }, text(known.error)),
      ...parts(node.view, known),
    ].filter(Boolean));
    this.#body.scrollTop = isOther ? 0 : scrollTop;
    this.#reveal();
  }

  /** Scrolls the current action into view, if there are more actions than fit. */
  #reveal() {
    const at = this.#body.querySelector('[data-status="running"], [data-status="failed"]');
    if (!at) return;
    const [inner, outer] = [at.getBoundingClientRect(), this.#body.getBoundingClientRect()];
    if (inner.bottom > outer.bottom) this.#body.scrollTop += inner.bottom - outer.bottom;
    if (inner.top < outer.top) this.#body.scrollTop += inner.top - outer.top;
  }
}

/** Whether one of the state's actions already shows the state's error. */
const isTold = ({ actions, error }) => [...actions.values()].some(({ message }) => message === error);

function parts({ checks, actions, end, isContinuous, isUnproven, each }, known) {
  const written = actions.map((one) => one.written).join('\n');
  return [
    known.warnings.length > 0 && part('Warnings', ...known.warnings.map((one) => el('p', {}, text(one)))),
    part('It is entered when', checkList(checks, known.unmet)),
    part('Then it does', actionList(actions, known.actions)),
    end && part('And the run ends with', el('p', {}, text(end))),
    each && part('For each', el('p', {}, 'The actions are done for each ', el('code', {}, text(each, 300)), '.')),
    isContinuous && part('Again', el('p', {}, 'It runs again as long as its checks hold.')),
    (known.proof || isUnproven) && part('Proof', el('p', {}, `Kept: ${proofWords(known.proof)}.`)),
    written && el(
      'details', {},
      el('summary', {}, 'As it is written'), el('pre', { dir: 'auto' }, shown(written, TEXT_CHARS_MAX)),
    ),
  ];
}

const part = (name, ...inner) => el('section', {}, el('h3', {}, name), ...inner);

function checkList(checks, unmet) {
  const none = unmet === null ? 'It has no checks.' : 'It has no checks, so it never holds.';
  if (checks.length === 0) return el('p', {}, none);
  const rows = checks.slice(0, PARTS_SHOWN_MAX).map(({ words, is, note }, i) => el(
    'li', { class: i === unmet ? 'wrong' : '' },
    `${words} `, el('code', {}, text(is, 300)), note && ` (${note})`, i === unmet && ' · this did not hold at the last look',
  ));
  return el('ul', { class: 'checks', testid: 'checks' }, ...rows);
}

function actionList(actions, known) {
  if (actions.length === 0) return el('p', {}, 'Nothing.');
  const rows = actions.slice(0, PARTS_SHOWN_MAX).map((one, i) => actionRow(one, known.get(i + 1)));
  return el('ol', { class: 'actions', testid: 'actions' }, ...rows);
}

function actionRow({ verb, about }, known = {}) {
  const { status = 'waiting', point = null, isFallback = false, isUnchanged = false, message = '' } = known;
  const [sign, word] = SIGNS[status] ?? SIGNS.waiting;
  const place = point && `at ${Math.round(point.x)}, ${Math.round(point.y)}`;
  const fallback = isFallback && 'by the fallback: its selector is gone';
  const told = [word, place, fallback, isUnchanged && '· nothing was seen to change'].filter(Boolean).join(' ');
  const row = el(
    'li', {},
    el('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
    el('span', { class: 'does' }, el('b', {}, el('bdi', {}, verb)), ' ', el('code', {}, text(about, 300))),
    told && el('span', { class: 'told' }, told),
    message && el('span', { class: 'told wrong' }, text(message)),
  );
  row.dataset.status = status;
  return row;
}

const text = (words, most = TEXT_CHARS_MAX) => el('bdi', {}, shown(words, most));
