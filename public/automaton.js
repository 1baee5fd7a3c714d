// Wires the page of automata: opens a file of states, shows its graph, and shows its run beside the page in the run's
// browser.

import { Server } from './api.js';
import { AutomatonChoices } from './automaton/automaton-choices.js';
import { AutomatonDrift } from './automaton/automaton-drift.js';
import { AutomatonPage } from './automaton/automaton-page.js';
import { AutomatonValues } from './automaton/automaton-values.js';
import { HEAD_WORDS } from './automaton/head-words.js';
import { documentOf, readAutomaton, refusedStates } from './automaton/reading.js';
import { AutomatonRun, sealedRunOf } from './automaton/run.js';
import { questionOf } from './automaton/starting.js';
import { aboutOf, storedOf } from './automaton/stored.js';
import { RunPageGraph } from './run-page/run-page-graph.js';
import { RunPageHead } from './run-page/run-page-head.js';
import { RunPageOpening } from './run-page/run-page-opening.js';
import { RunPageTrace } from './run-page/run-page-trace.js';
import { RunPage } from './run-page/run-page.js';
import { exactly } from './run-page/exactly.js';
import { Starter } from './run-page/starter.js';
import { Human } from './elements/vd-human.js';
import { record, text } from './safe.js';

const ELEMENTS = {
  'vd-human': Human,
  'run-page-opening': RunPageOpening,
  'automaton-choices': AutomatonChoices,
  'run-page-head': RunPageHead,
  'run-page-graph': RunPageGraph,
  'automaton-page': AutomatonPage,
  'automaton-values': AutomatonValues,
  'automaton-drift': AutomatonDrift,
  'run-page-trace': RunPageTrace,
};
for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);

const NO_BROWSER = 'This server has no browser, so no automaton can run here now.';

const $ = (selector) => document.querySelector(selector);
const [opening, choices, head, graph, values, trace, page, drift] = [
  'run-page-opening', 'automaton-choices', 'run-page-head', 'run-page-graph', 'automaton-values', 'run-page-trace', 'automaton-page',
  'automaton-drift',
].map($);
const server = new Server(location.href);
let stored = []; // the automata that the operator stores
head.words = HEAD_WORDS;
page.server = server;

const engine = {
  path: '/automaton',
  title: 'Automata',
  run: new AutomatonRun(() => runPage.draw()),
  graphOf: (run) => run.states ?? run.graph,
  sealed: sealedRunOf,
  read: readAutomaton,
  async stored(name) {
    const { parameters = [] } = stored.find((one) => one.name === name) ?? {};
    const named = { name, stored: name, graph: null, remarks: [], parameters, origins: [], given: {} };
    try {
      const read = documentOf(JSON.parse(await server.jsonText(`/automata/${encodeURIComponent(name)}`)), name);
      return read.problem ? named : { ...read, stored: name, given: { parameters: read.given.parameters } };
    } catch {
      // Only the operator can see a stored automaton before it runs; others may start it by its name.
      return named;
    }
  },
  question({ stored: name, written, member }) {
    const automaton = name ?? exactly(written, member);
    return questionOf({ automaton, ...choices.choices });
  },
  found: refusedStates,
  again(run) {
    const read = readAutomaton(run.again);
    const { name, parameters } = run.state.kept ?? {};
    // A stored automaton may be started by its name alone.
    return name && !read.problem ? { ...read, name, stored: name, given: { parameters } } : read;
  },
  draw({ state, graph: shown, node, isChosen, chosenNode, remarks, isPrepared, isWithheld }) {
    values.hidden = shown === null || isWithheld || (isPrepared && node === null);
    values.render({ node: isPrepared ? node : (node ?? lastOf(state, shown)), graph: shown, state, isChosen, remarks });
    page.render({ state, graph: shown });
    drift.render(state);
    trace.render({ state, node: chosenNode, noun: 'state' });
  },
};

/** The state that ran last, which is shown at the end of a run if no state was pointed at. */
const lastOf = ({ at }, shown) => shown?.nodes.find(({ id }) => id === at) ?? null;

const starter = new Starter(server, choices.human);
const runPage = new RunPage({ engine, server, starter, parts: { opening, choices, head, graph, values, trace } });

async function greet() {
  const [told, health] = await Promise.all([
    server.jsonText('/automata').catch(() => ''),
    server.health().catch(() => ({})),
  ]);
  const { automata, secrets, hasBrowser } = storedOf(told);
  stored = automata;
  opening.offer(automata.map((one) => ({ name: one.name, about: aboutOf(one) })));
  choices.offerSecrets(secrets);
  choices.warnOf(hasBrowser ? '' : NO_BROWSER);
  const siteKey = text(record(health.turnstile).siteKey);
  if (siteKey) choices.human.show(siteKey);
  $('#version').textContent = text(health.version) ? `Version ${health.version}` : '';
}

greet();
