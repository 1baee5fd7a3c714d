// Wires the page of workflows: a workflow in, its graph, and its run beside its trace.

import { Server, token } from './api.js';
import { Human } from './elements/vd-human.js';
import { record, text } from './safe.js';
import { trustOf } from './trust.js';
import { verify } from './verification.js';
import { withPair } from './workflow/example.js';
import { exactly, readWorkflow, remarksOf } from './workflow/reading.js';
import { Pictures } from './workflow/pictures.js';
import { WorkflowRun } from './workflow/run.js';
import { sealedRunOf } from './workflow/sealed-run.js';
import { questionOf, Starter } from './workflow/starting.js';
import { storedOf } from './workflow/stored.js';
import { WorkflowChoices } from './workflow/wf-choices.js';
import { WorkflowGraph } from './workflow/wf-graph.js';
import { WorkflowHead } from './workflow/wf-head.js';
import { WorkflowOpening } from './workflow/wf-opening.js';
import { WorkflowTrace } from './workflow/wf-trace.js';
import { WorkflowValues } from './workflow/wf-values.js';

const ELEMENTS = {
  'vd-human': Human,
  'wf-opening': WorkflowOpening,
  'wf-choices': WorkflowChoices,
  'wf-head': WorkflowHead,
  'wf-graph': WorkflowGraph,
  'wf-values': WorkflowValues,
  'wf-trace': WorkflowTrace,
};
for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);

/** The example fills in the form of this server of tools, which is the sandbox's. */
const EXAMPLE_SERVER = 'desk';

const $ = (selector) => document.querySelector(selector);
const [opening, choices, head, graphView, values, trace] =
  ['wf-opening', 'wf-choices', 'wf-head', 'wf-graph', 'wf-values', 'wf-trace'].map($);
const server = new Server(location.href);
const starter = new Starter(server, choices.human);
const run = new WorkflowRun(draw);
values.pictures = new Pictures(server);

let prepared = null; // {name, graph, remarks, written, member}: what waits to be run
let chosen = ''; // the node whose values stay
let pointed = ''; // the node that is pointed at
let frame = 0;
let turns = 0; // another number for each thing that is asked for
let pair = {}; // what the server offers as an example of two people
let areClaimsShown = false; // of a file that is not what it says
let isStarted = false; // here and just now: what was clicked is gone, and the focus with it

/** Once a frame, whatever has changed. */
function draw() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    render();
  });
}

function render() {
  const { state } = run;
  const isPrepared = state.phase === 'idle' && prepared !== null;
  const trust = trustOf(state);
  const isWithheld = trust === 'checking' || (trust === 'forged' && !areClaimsShown);
  const graph = isPrepared ? prepared.graph : isWithheld ? null : run.graph;
  const remarks = isPrepared ? prepared.remarks : [];
  document.body.dataset.phase = isPrepared ? 'prepared' : state.phase;
  opening.hidden = isPrepared || state.phase !== 'idle';
  choices.hidden = !isPrepared;
  $('.desk').hidden = isWithheld || (graph === null && state.lines.length === 0 && !isPrepared);
  head.render({ state, graph, mayRunAgain: run.workflow !== null && !isWithheld, isWithheld });
  const node = graph?.nodes.find(({ id }) => id === (pointed || chosen || atHand(state))) ?? null;
  const isChosen = chosen !== '' && node?.id === chosen;
  graphView.render({ graph, state, chosen, remarks });
  values.hidden = graph === null || (isPrepared && node === null);
  values.render({ node, graph, state, isChosen, remarks });
  trace.render({ state, node: graph?.nodes.find(({ id }) => id === chosen) ?? null });
  document.title = trust === 'forged' ? 'Do not believe this · Visual Degrees' : graph ? `${graph.name} · Visual Degrees` : 'Workflows · Visual Degrees';
  if (state.phase === 'running' && isStarted) {
    isStarted = false;
    head.takeFocus();
  }
}

/** Nobody has pointed at a node: then it is the one that is at work, or that has failed. */
const atHand = ({ phase, at, outcome }) => (phase === 'running' ? at : (outcome?.node ?? ''));

/** A text that was given: its graph is shown, and nothing of it is executed. */
function take(written) {
  const sealed = sealedRunOf(written);
  if (sealed && !sealed.problem) {
    showSealed(sealed, written);
    return;
  }
  const read = sealed ?? readWorkflow(written);
  if (read.problem) {
    refuseText(read.problem);
    return;
  }
  prepare({ ...read, name: read.graph.name, written });
}

/** A run that somebody kept: nothing of it is asked of a server. */
function showSealed(sealed, written) {
  leave();
  areClaimsShown = false;
  opening.clear();
  if (location.search) history.pushState(null, '', '/workflow');
  run.show(sealed, verify(written));
  render();
  head.takeFocus();
  scrollTo(0, 0);
}

async function showExample() {
  const turn = turns;
  try {
    const written = withPair(await server.jsonText('/example-workflow.json'), pair);
    if (turn === turns) take(written);
  } catch (problem) {
    if (turn === turns) refuseText(problem.message);
  }
}

/** Where it is seen, whatever is shown. */
function refuseText(words) {
  if (!opening.hidden) opening.refuse(words);
  else if (!choices.hidden) choices.refuse({ message: words });
  else say(words);
}

/** Says something over a run. */
function say(words) {
  $('#said').textContent = words;
  $('#said').hidden = words === '';
}

function prepare(what) {
  leave();
  prepared = what;
  opening.clear();
  choices.show(prepared);
  if (location.search) history.pushState(null, '', '/workflow');
  render();
  choices.takeFocus();
  scrollTo(0, 0);
}

/** Nothing is shown, chosen or waited for any more. */
function leave() {
  turns += 1;
  run.clear();
  [prepared, chosen, pointed] = [null, '', ''];
  choices.busy(false);
  say('');
}

async function start() {
  turns += 1;
  const turn = turns;
  const { written, member, graph, name } = prepared;
  if (choices.token) token.set(choices.token);
  choices.clear();
  choices.busy(true);
  try {
    const workflow = written === undefined ? name : exactly(written, member);
    const started = await starter.start(questionOf({ workflow, ...choices.choices }));
    if (turn !== turns) return;
    isStarted = true;
    choices.settled();
    chosen = '';
    history.pushState(null, '', `/workflow?${new URLSearchParams({ run: started })}`);
    run.expect(graph, prepared.workflow);
    run.begin(server, started);
    scrollTo(0, 0);
  } catch (problem) {
    if (turn === turns) refuse(problem);
  } finally {
    if (turn === turns) choices.busy(false);
  }
}

/** What the server finds wrong in the workflow is shown at its nodes and edges. */
function refuse(problem) {
  const found = remarksOf(problem.finding, prepared.graph, problem.message);
  if (found.length > 0) {
    prepared.remarks = found;
    choices.remark(found, prepared.graph, 'What the server refuses in it:');
  }
  render();
  // Said once: where it is listed at its node, the form only says what has come of it.
  choices.refuse(found.length > 0 ? { ...problem, message: 'It was not started: see what is marked above.' } : problem);
}

async function stop() {
  try {
    await run.stop();
  } catch (problem) {
    say(problem.message);
  }
}

/** The workflow of the run that is shown, to be run once more. */
function again() {
  const { workflow } = run;
  const written = prepared?.written ?? JSON.stringify(workflow);
  take(written);
}

function choose(id) {
  chosen = id;
  pointed = '';
  render();
  values.takeFocus();
  graphView.reveal(id, values);
}

function arrive() {
  leave();
  const named = new URLSearchParams(location.search).get('run');
  if (named !== null) run.open(server, named);
  draw();
}

async function greet() {
  const [told, health] = await Promise.all([
    server.jsonText('/workflows').catch(() => ''),
    server.health().catch(() => ({})),
  ]);
  const { workflows, servers, mayChooseServers } = storedOf(told);
  opening.offer(workflows, servers.includes(EXAMPLE_SERVER));
  choices.offerServers(mayChooseServers || token.get() ? servers : []);
  pair = record(health.example);
  const siteKey = text(record(health.turnstile).siteKey);
  if (siteKey) choices.human.show(siteKey);
  $('#version').textContent = text(health.version) ? `Version ${health.version}` : '';
}

const on = (name, listener) => document.addEventListener(name, ({ detail }) => listener(detail));
on('wf-text', take);
on('wf-example', showExample);
on('wf-stored', (name) => prepare({ name, graph: null, remarks: [] }));
on('wf-start', start);
on('wf-stop', stop);
on('wf-again', again);
on('wf-claims', () => {
  areClaimsShown = true;
  render();
});
on('wf-choose', choose);
on('wf-show', (id) => graphView.focusOn(id));
on('wf-point', (id) => {
  pointed = id;
  draw();
});
on('wf-leave', () => {
  const id = chosen || pointed;
  [chosen, pointed] = ['', ''];
  render();
  graphView.focusOn(id);
});
on('wf-other', () => {
  leave();
  if (location.search) history.pushState(null, '', '/workflow');
  render();
  opening.takeFocus();
});
addEventListener('popstate', arrive);
greet();
// After what has been done by now: a slow device should answer in between.
setTimeout(arrive);
