// Shows at the end of a run where the automaton no longer fits its pages, what models made, and how the new file
// differs from the old one.

import { shown } from '../run-page/told-words.js';
import { el } from '../dom.js';
import { runPath } from '../route.js';
import { list, number, record, text } from '../safe.js';
import { callOf } from './calls.js';
import { checkOf, viewOf } from './states.js';

const SHOWN_MAX = 20;

export class AutomatonDrift extends HTMLElement {
  #drawn = null;

  render({ outcome, run, isFile, made }) {
    const drift = outcome?.drift ?? null;
    this.hidden = drift === null;
    if (drift === this.#drawn) return;
    this.#drawn = drift;
    if (drift === null) {
      this.replaceChildren();
      return;
    }
    const failures = list(drift.failures).map(record);
    const names = [['Made by models', drift.made], ['Made anew', drift.regenerated]];
    const isChanged = names.some(([, all]) => list(all).length > 0);
    const download = { href: `${runPath(run)}/automaton`, download: true, testid: 'kept-states' };
    this.replaceChildren(...[
      el('h2', { class: 'quiet' }, headingOf(failures.length > 0, isChanged)),
      failures.length > 0 && el(
        'ol', { class: 'failures', testid: 'failures' }, ...failures.slice(0, SHOWN_MAX).map(failure),
      ),
      ...names.map(([words, all]) => named(words, list(all).map(text))),
      isChanged && !isFile && el(
        'p', { class: 'links' },
        'Download ', el('a', download, 'the new file of states'), ', which runs without a model.',
      ),
      isChanged && difference(record(drift.difference), made),
    ].filter(Boolean));
  }
}

const headingOf = (hasFailures, isChanged) => {
  if (!hasFailures) return 'What was made';
  return isChanged ? 'What did not fit, and what was made' : 'What did not fit';
};

const own = (words, most = 300) => el('bdi', {}, shown(words, most));

function named(words, names) {
  if (names.length === 0) return null;
  const shownNames = names.slice(0, SHOWN_MAX).flatMap((name, i) => [i > 0 ? ', ' : '', own(name, 120)]);
  return el('p', {}, `${words}: `, ...shownNames, names.length > SHOWN_MAX && ` and ${names.length - SHOWN_MAX} more`);
}

/** Describes a failed check or action by its state and page, and by the nearest match for what it looks for. */
function failure({ state, check, action, page, gone, nearest, says }) {
  const { url, title } = record(page);
  return el(
    'li', {},
    el('p', {}, el('b', {}, own(text(record(state).name) || 'A state', 120)), ', ', ...partOf(check, action)),
    el(
      'p', { class: 'small' },
      'On ', own(text(url) || 'a page without an address', 200), ...(text(title) ? [' (', own(title, 120), ')'] : []),
    ),
    text(says) && el('p', {}, own(says)),
    text(gone) && el('p', { class: 'small' }, 'Gone: ', el('code', {}, own(gone))),
    text(gone) && nearestOf(record(nearest)),
  );
}

function partOf(check, action) {
  if (check) {
    const { words, is } = checkOf(record(check).is);
    return [`check ${(number(record(check).position) ?? 0) + 1} did not hold: ${words} `, el('code', {}, own(is))];
  }
  const { verb, about } = callOf(record(action).is);
  return [`action ${number(record(action).line) ?? '?'} failed: `, own(verb), ' ', el('code', {}, own(about))];
}

function nearestOf({ selector, text: words, likeness_permille: likeness }) {
  if (!text(selector)) return el('p', { class: 'small' }, 'Nothing on the page is like it.');
  const percent = Math.round((number(likeness) ?? 0) / 10);
  return el(
    'p', { class: 'small' }, 'Nearest to it: ', el('code', {}, own(selector)),
    ...(text(words) ? [' with the text ', own(words, 120)] : []), `, ${percent} % alike`,
  );
}

/** Shows how the new file differs from the old one. */
function difference({ added, removed, changed, left_out: leftOut }) {
  const rows = [
    ...list(added).map((state) => el('li', {}, el('ins', {}, 'New state: ', own(viewOf(state).name, 120)))),
    ...list(removed).map((name) => el('li', {}, el('del', {}, 'State that is gone: ', own(text(name), 120)))),
    ...list(changed).map(record).map(({ name, checks, actions }) => el(
      'li', {}, own(text(name), 120),
      el('ul', {}, ...lines(record(checks), checkWords), ...lines(record(actions), actionWords)),
    )),
  ];
  if (rows.length === 0) return null;
  return el(
    'details', { open: true }, el('summary', {}, 'The new file beside the old one'),
    el('ul', { class: 'difference', testid: 'difference' }, ...rows.slice(0, 5 * SHOWN_MAX)),
    number(leftOut) > 0 && el('p', { class: 'small' }, `${leftOut} more are not shown.`),
  );
}

const checkWords = (one) => [`${checkOf(one).words} `, own(checkOf(one).is)];
const actionWords = (one) => [own(`${callOf(one).verb} ${callOf(one).about}`)];

const lines = ({ removed, added }, words) => [
  ...list(removed).map((one) => el('li', {}, el('del', {}, '− ', ...words(one)))),
  ...list(added).map((one) => el('li', {}, el('ins', {}, '+ ', ...words(one)))),
];
