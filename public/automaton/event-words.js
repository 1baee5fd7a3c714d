// Converts the events of an automaton's run to words, in the form of ../run-page/told-words.js.

import { amounts, asText, own, reasonWords } from '../run-page/told-words.js';
import { list, number, record, text } from '../safe.js';
import { count, dollars, seconds } from '../words.js';
import { callOf } from './calls.js';
import { viewOf } from './states.js';

const fileWords = ({ name, bytes, digest }) =>
  (text(digest) ? [': the file ', own(text(name)), ` (${count(number(bytes) ?? 0, 'byte')}) is kept`] : []);

/** The words for why a run failed or requested a new state. */
const REASONS = {
  __proto__: null,
  no_states_provided: 'it has no states',
  no_states_timeout: 'no state passed for longer than it waits',
  multiple_states: 'several states passed at once',
  state_timeout: 'one state passed for longer than it may',
  recursion_limit: 'it executed as many states as it may',
  action: 'an action failed',
  refused: 'an action was refused',
  unknown_outcome: 'an action was sent, and nobody knows what came of it',
  synthesis: 'no state could be made',
  browser: 'the browser is gone',
  time_limit: 'its time was over',
  budget: 'its budget was spent',
  interrupted: 'the server was interrupted, and could not go on with it',
};
const DECISIONS = {
  __proto__: null,
  run: 'it is executed',
  repeat: 'it was the last one, which is waited for to end',
  wait: 'waits for one',
  end: 'that is the end',
  ask: 'a model is asked',
};
const PAUSES = {
  __proto__: null, transition: 'before it looks', spacing: 'before the next action', wanted: 'as the state says',
};
const QUESTIONS = {
  __proto__: null,
  prompt: 'which of the prompts fits the page',
  triggers: 'which triggers tell this state',
  action: 'what is done next',
};
const PROOFS = {
  __proto__: null, second_visit: 'it passed a second time', reload: 'its checks held again after a reload',
};
const TROUBLES = ['warning', 'action_failed', 'recovering', 'state_dropped', 'failed'];

export const reasonOf = (reason) => reasonWords(REASONS, reason);
export const questionWords = (about) => QUESTIONS[about] ?? text(about);
export const proofWords = (proof) => PROOFS[proof] ?? 'nothing has proven it yet';

/** Whether an event reports a problem, which the trace marks. */
export const isTrouble = ({ type, payload }) =>
  TROUBLES.includes(type) || (type === 'answered' && Boolean(record(payload).refused));

const whole = (value) => number(value) ?? '?';
const short = (call) => {
  const { verb, about } = callOf(text(call));
  return [own(verb), ' ', own(about)];
};
const stateWords = (state) => {
  const { name, checks, actions } = viewOf(state);
  return [own(name), `: ${count(checks.length, 'check')}, ${count(actions.length, 'action')}`];
};

const WORDS = {
  __proto__: null,
  automaton_started: ({ states }) => [`The run begins: ${count(number(states) ?? 0, 'state')}`],
  warning: ({ message }) => ['Warning: ', own(text(message))],
  waiting: ({ ms, pause }) => [`Waits ${seconds(number(ms) ?? 0)}`, PAUSES[pause] ? ` ${PAUSES[pause]}` : ''],
  looked: ({ url, passed, decision }) => [
    'Looks at ', own(text(url) || 'a page without an address'),
    `: ${passing(list(passed).length)}, ${DECISIONS[decision] ?? text(decision)}`,
  ],
  state_entered: () => ['Is entered'],
  action_begun: ({ line, call }) => [`Action ${whole(line)}: `, ...short(call)],
  round_begun: ({ position, count: all }) => [`Element ${(number(position) ?? 0) + 1} of ${number(all) ?? 0}`],
  action_done: ({ line, point, fallback, unchanged, values, file }) => [
    `Action ${whole(line)} is done`,
    point ? ` at ${list(point).map((side) => Math.round(number(side) ?? 0)).join(', ')}` : '',
    fallback === true ? ', by the place that the file has as a fallback: its selector is gone' : '',
    unchanged === true ? '; nothing was seen to change' : '',
    ...(list(values).length > 0 ? [': ', own(list(values).map(text).join(' · '))] : []),
    ...fileWords(record(file)),
  ],
  action_failed: ({ line, tried, message }) => [
    `Action ${whole(line)} ${tried === false ? 'was not tried' : 'failed'}: `, own(text(message)),
  ],
  investigation: ({ message, run }) => ['Investigation: ', own(text(message)), text(run) ? ' ' : '', own(text(run))],
  recovering: ({ line }) => [`Nobody knows whether action ${whole(line)} was carried out: the page is looked at`],
  state_left: () => ['Is left'],
  making: ({ reason }) => [`A state is to be made, because ${reasonOf(reason)}`],
  offered: ({ triggers }) => [`The page offers ${count(list(triggers).length, 'trigger')}`],
  asked: ({ about, attempt }) => [
    `A model is asked ${questionWords(about)}${number(attempt) > 1 ? ` (${attempt} times by now)` : ''}`,
  ],
  answered: ({ model, text: says, refused }) => [
    own(text(model) || 'A model'), ' answers: ', own(text(says) || 'nothing'),
    ...(text(refused) ? [' · this does not count: ', own(refused)] : []),
  ],
  state_made: ({ state }) => ['A model made the state ', ...stateWords(state)],
  state_changed: ({ state }) => ['Made anew: ', ...stateWords(state)],
  state_kept: ({ state, proof }) => ['Kept: ', ...stateWords(state), `; ${proofWords(proof)}`],
  state_dropped: () => ['The state that was being made is given up'],
  trace_bounded: ({ events }) => [`After ${whole(events)} events only failures and the end are told`],
  completed: ({ message, spent }) => ['Completed: ', own(text(message)), spentWords(spent)],
  stopped: ({ spent }) => [`The run was stopped${spentWords(spent)}`],
  failed: ({ reason, message, spent }) => [
    `The run failed, because ${reasonOf(reason)}`, ...(text(message) ? [': ', own(message)] : []), spentWords(spent),
  ],
};

const passing = (passed) => (passed === 0 ? 'no state passes' : `${count(passed, 'state passes', 'states pass')}`);

/** The words of an event, as a list of texts and `{own}`; empty for an unknown kind. */
export const wordsOf = ({ type, payload }) => (WORDS[type]?.(record(payload)) ?? []).filter((one) => one !== '');

/** The words for what a run has spent, in the last line of its trace. */
export function spentWords(value) {
  const { states, actions, looks, asks, statesMade, runtimeMs, usd } = record(value);
  return amounts([
    [states, (n) => count(n, 'state')],
    [actions, (n) => count(n, 'action')],
    [looks, (n) => count(n, 'look')],
    [asks, (n) => count(n, 'question to models', 'questions to models')],
    [statesMade, (n) => count(n, 'state made', 'states made')],
    [runtimeMs, (n) => seconds(n)],
    // A smaller amount would be shown as zero, so it is left out.
    [number(usd) >= 0.0005 ? usd : 0, (n) => dollars(n)],
  ]);
}

export const heardOf = (name, words) => [name, asText(words)].filter(Boolean).join(': ');
