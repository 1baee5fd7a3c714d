// The events of a workflow's run in words: see ../run-page/told-words.js. Texts are cut: the trace's archive has them in
// full.

import { isRun } from '../api.js';
import { amounts, literal, own, reasonWords } from '../run-page/told-words.js';
import { number, record, text } from '../safe.js';
import { count, dollars, seconds } from '../words.js';
import { OUTPUTS } from './node-words.js';

/** Why a run failed. */
const FAILURES = {
  __proto__: null,
  node_failed: 'a node failed after its retries',
  unknown_outcome: 'a call was sent, and nobody knows what came of it',
  check_failed: 'a check failed',
  step_limit: 'it made more steps than it may',
  time_limit: 'its time was over',
  budget: 'its budget was spent',
  interrupted: 'the server was interrupted, and could not go on with it',
};

/** Why a loop was left. */
const LEFT = { __proto__: null, condition_met: 'its condition holds', max_iterations: 'it may have no more' };
/** The results of a check. */
const VERDICTS = { __proto__: null, pass: 'passed', fail: 'failed', warn: 'warns' };
const TROUBLES = ['warning', 'retry', 'node_failed', 'failed'];

export const verdictWords = (word) => VERDICTS[word] ?? text(word);

/** Whether an event reports trouble. */
export const isTrouble = ({ type, payload }) =>
  TROUBLES.includes(type) || (type === 'check_evaluated' && record(payload).verdict !== 'pass');

export const failureWords = (reason) => reasonWords(FAILURES, reason);

/** A name as typed and as resolved; only once if both are the same. */
const taken = (typed, as, name) => (
  text(typed) === text(name)
    ? [`Finds the ${as} `, own(text(name))]
    : ['Takes ', own(text(typed)), ` to be the ${as} `, own(text(name))]
);

const WORDS = {
  __proto__: null,
  workflow_started: ({ nodes }) => [`The run begins: ${count(number(nodes) ?? 0, 'node')}`],
  warning: ({ message }) => ['Warning: ', own(text(message))],
  node_started: () => ['Starts'],
  node_evaluated: ({ type }) => [type === 'End Loop' ? 'Goes back to its loop' : 'Decides'],
  node_skipped: () => ['Is switched off, and passed over'],
  tool_call: ({ name, server, args }) => [
    'Calls ', own(text(name)), ...(text(server) ? [' of ', own(text(server))] : []),
    ...(args === null || args === undefined ? [] : [' with ', own(args)]),
  ],
  tool_result: ({ name, text: answer, image_count: images }) => [
    own(text(name)), ' answers: ', own(text(answer) || 'nothing'),
    ...(images > 0 ? [` and ${count(number(images) ?? 0, 'picture')}`] : []),
  ],
  target_resolved: ({ target, x, y }) => ['Finds ', own(text(target)), ` at ${number(x)}, ${number(y)}`],
  app_resolved: ({ user_input: typed, resolved_name: name }) => taken(typed, 'app', name),
  element_resolved: ({ target, resolved_name: name }) => taken(target, 'element', name),
  vision_summary: ({ image_count: images, vlm_model: model, summary_json: summary }) => [
    ...(text(model) ? ['The model ', own(model)] : ['A model']),
    ` looked at ${count(number(images) ?? 0, 'picture')}: `, own(text(summary)),
  ],
  retry: ({ attempt, error }) => [`Is tried again (${number(attempt) ?? '?'}): `, own(text(error))],
  variable_set: ({ variable, value }) => [own(text(variable)), ' = ', literal(value)],
  branch_evaluated: branchWords,
  loop_iteration: ({ iteration }) => [`Round ${(number(iteration) ?? 0) + 1} begins`],
  loop_exited: ({ reason, iterations_completed: rounds }) => [
    `Is left after ${count(number(rounds) ?? 0, 'round')}: `,
    LEFT[reason] ?? own(text(reason) || 'no reason was given'),
  ],
  investigation: childWords,
  automaton: childWords,
  node_completed: () => ['Is done'],
  node_failed: ({ error }) => ['Failed: ', own(text(error))],
  trace_bounded: ({ events }) => [`After ${number(events) ?? 'so many'} events only failures and the end are told`],
  check_evaluated: ({ check_name: name, verdict, reasoning }) => [
    'Check ', own(text(name)), ': ', own(verdictWords(verdict)), ...(text(reasoning) ? [', ', own(text(reasoning))] : []),
  ],
  completed: ({ spent }) => [`The run is completed${spentWords(spent)}`],
  stopped: ({ spent }) => [`The run was stopped${spentWords(spent)}`],
  failed: ({ reason, message, spent }) => [
    `The run failed, because ${failureWords(reason)}`,
    // The node's own event has just reported its failure, so it is not repeated.
    ...(text(message) && reason !== 'node_failed' ? [': ', own(text(message))] : []),
    spentWords(spent),
  ],
};

/** The words of an event, as a list of texts, `{own}` and `{run}`; empty for an unknown kind. */
export function wordsOf({ type, payload }) {
  return WORDS[type]?.(record(payload)) ?? [];
}

function childWords({ run, message }) {
  return [own(text(message)), ...(isRun(run) ? [' ', { run }] : [])];
}

function branchWords({ resolved_left: left, resolved_right: right, result, output_taken: output }) {
  const compared = typeof result === 'boolean'
    ? ['Compares ', literal(left), ' with ', literal(right), ', goes on by ']
    : ['Goes on by '];
  return [...compared, own(outputWords(output))];
}

const outputWords = (output) => OUTPUTS[output] ?? text(output).replace(/^SwitchCase\((.*)\)$/s, '$1');

/** What a run has spent, for its last line. */
export function spentWords(value) {
  const { steps, tool_calls: calls, chats, investigations: begun, runtime_ms: runtime, usd } = record(value);
  const parts = [
    [steps, (n) => count(n, 'step')],
    [calls, (n) => count(n, 'tool call')],
    [chats, (n) => count(n, 'answer of a model', 'answers of models')],
    // The amount counts child runs of any engine. Its name is from when there was only one kind.
    [begun, (n) => count(n, 'run begun', 'runs begun')],
    [runtime, (n) => seconds(n)],
    // A smaller amount would be shown as zero, so it is left out.
    [number(usd) >= 0.0005 ? usd : 0, (n) => dollars(n)],
  ];
  return amounts(parts);
}
