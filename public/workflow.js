// Wires the page of workflows: opens a workflow, shows its graph, and its run beside its trace.

import { Server, token } from './api.js';
import { DeskGraph } from './desk/desk-graph.js';
import { DeskHead } from './desk/desk-head.js';
import { DeskOpening } from './desk/desk-opening.js';
import { DeskTrace } from './desk/desk-trace.js';
import { Desk } from './desk/desk.js';
import { exactly } from './desk/exactly.js';
import { Starter } from './desk/starter.js';
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
  'desk-opening': DeskOpening,
  'workflow-choices': WorkflowChoices,
  'desk-head': DeskHead,
  'desk-graph': DeskGraph,
  'workflow-values': WorkflowValues,
  'desk-trace': DeskTrace,
};
for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);

/** The MCP server that the example puts into the form: the sandbox's. */
const EXAMPLE_SERVER = 'desk';
const EXAMPLE = 'fills in a form twice, reads it, and looks for a chain';

const $ = (selector) => document.querySelector(selector);
const [opening, choices, head, graph, values, trace] =
  ['desk-opening', 'workflow-choices', 'desk-head', 'desk-graph', 'workflow-values', 'desk-trace'].map($);
const server = new Server(location.href);
let pair = {}; // the server's example of two people
head.words = HEAD_WORDS;
values.pictures = new Pictures(server);

const engine = {
  path: '/workflow',
  title: 'Workflows',
  run: new WorkflowRun(() => desk.draw()),
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
const desk = new Desk({ engine, server, starter, parts: { opening, choices, head, graph, values, trace } });

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
