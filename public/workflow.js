// Wires the page of workflows: opens a workflow, shows its graph, and its run beside its trace.

import { Server, token } from './api.js';
import { RunPageGraph } from './run-page/run-page-graph.js';
import { RunPageHead } from './run-page/run-page-head.js';
import { RunPageOpening } from './run-page/run-page-opening.js';
import { RunPageTrace } from './run-page/run-page-trace.js';
import { RunPage } from './run-page/run-page.js';
import { exactly } from './run-page/exactly.js';
import { Starter } from './run-page/starter.js';
import { Human } from './elements/vd-human.js';
import { record, text } from './safe.js';
import { withPair } from './workflow/example.js';
import { HEAD_WORDS } from './workflow/head-words.js';
import { Pictures } from './workflow/pictures.js';
import { readWorkflow, remarksOf } from './workflow/reading.js';
import { WorkflowRun } from './workflow/run.js';
import { sealedRunOf } from './workflow/sealed-run.js';
import { questionOf } from './workflow/starting.js';
import { aboutOf, storedOf } from './workflow/stored.js';
import { WorkflowChoices } from './workflow/workflow-choices.js';
import { WorkflowValues } from './workflow/workflow-values.js';

const ELEMENTS = {
  'vd-human': Human,
  'run-page-opening': RunPageOpening,
  'workflow-choices': WorkflowChoices,
  'run-page-head': RunPageHead,
  'run-page-graph': RunPageGraph,
  'workflow-values': WorkflowValues,
  'run-page-trace': RunPageTrace,
};
for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);

/** The MCP server that the example puts into the form: the sandbox's. */
const EXAMPLE_SERVER = 'desk';
const EXAMPLE = 'fills in a form twice, reads it, and looks for a chain';

const $ = (selector) => document.querySelector(selector);
const [opening, choices, head, graph, values, trace] =
  ['run-page-opening', 'workflow-choices', 'run-page-head', 'run-page-graph', 'workflow-values', 'run-page-trace'].map($);
const server = new Server(location.href);
let pair = {}; // the server's example of two people
head.words = HEAD_WORDS;
values.pictures = new Pictures(server);

const engine = {
  path: '/workflow',
  title: 'Workflows',
  run: new WorkflowRun(() => runPage.draw()),
  graphOf: (run) => run.graph,
  sealed: sealedRunOf,
  read(written) {
    const read = readWorkflow(written);
    return read.problem ? read : { ...read, name: read.graph.name, document: read.workflow, written };
  },
  stored: async (name) => ({ name, graph: null, remarks: [] }),
  example: async () => withPair(await server.jsonText('/example-workflow.json'), pair),
  question({ written, member, name }) {
    const workflow = written === undefined ? name : exactly(written, member);
    return questionOf({ workflow, ...choices.choices });
  },
  found: (problem, prepared) => remarksOf(problem.finding, prepared.graph, problem.message),
  again: (run, prepared) => engine.read(prepared?.written ?? JSON.stringify(run.document)),
  draw({ state, graph: shown, node, isChosen, chosenNode, remarks, isPrepared }) {
    values.hidden = shown === null || (isPrepared && node === null);
    values.render({ node, graph: shown, state, isChosen, remarks });
    trace.render({ state, node: chosenNode });
  },
};
const starter = new Starter(server, choices.human);
const runPage = new RunPage({ engine, server, starter, parts: { opening, choices, head, graph, values, trace } });

async function greet() {
  const [told, health] = await Promise.all([
    server.jsonText('/workflows').catch(() => ''),
    server.health().catch(() => ({})),
  ]);
  const { workflows, servers, mayChooseServers } = storedOf(told);
  const stored = workflows.map((one) => ({ name: one.name, about: aboutOf(one) }));
  opening.offer(stored, servers.includes(EXAMPLE_SERVER) ? EXAMPLE : '');
  choices.offerServers(mayChooseServers || token.get() ? servers : []);
  pair = record(health.example);
  const siteKey = text(record(health.turnstile).siteKey);
  if (siteKey) choices.human.show(siteKey);
  $('#version').textContent = text(health.version) ? `Version ${health.version}` : '';
}

greet();
