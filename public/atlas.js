// Wires the page of the atlas: reads the address, shows the people whom it names and all seen with them, and follows
// links between them.

import { Server, token } from './api.js';
import { pathAddress, personAddress, placeOf, searchAddress } from './atlas/addresses.js';
import { askFor } from './atlas/asking.js';
import { AtlasGraph } from './atlas/atlas-graph.js';
import { AtlasHead } from './atlas/atlas-head.js';
import { AtlasList } from './atlas/atlas-list.js';
import { AtlasPeople } from './atlas/atlas-people.js';
import { AtlasPhoto } from './atlas/atlas-photo.js';
import { AtlasView } from './atlas/atlas-view.js';
import { neighboursOf, peopleOf, sizeOf, suggestionOf } from './atlas/reading.js';
import { sizeWords } from './atlas/told-words.js';
import { Walked } from './atlas/walked.js';
import { setText } from './dom.js';
import { LargePhoto } from './elements/large-photo.js';
import { Chain } from './elements/vd-chain.js';
import { Evidence } from './elements/vd-evidence.js';
import { Person } from './elements/vd-person.js';
import { Photo } from './elements/vd-photo.js';
import { Portrait } from './elements/vd-portrait.js';

const ELEMENTS = {
  'vd-person': Person,
  'vd-photo': Photo,
  'vd-portrait': Portrait,
  'vd-chain': Chain,
  'vd-evidence': Evidence,
  'atlas-head': AtlasHead,
  'atlas-people': AtlasPeople,
  'atlas-graph': AtlasGraph,
  'atlas-list': AtlasList,
  'atlas-photo': AtlasPhoto,
};
for (const [name, element] of Object.entries(ELEMENTS)) customElements.define(name, element);

/** Whether a problem is temporary, so that asking again makes sense. */
const isPassing = ({ status }) => status === 0 || status === 429 || status >= 500;

const $ = (selector) => document.querySelector(selector);
const parts = {
  main: $('main'),
  head: $('atlas-head'),
  people: $('atlas-people'),
  chain: $('vd-chain'),
  around: $('.around'),
  graph: $('atlas-graph'),
  list: $('atlas-list'),
  photo: $('atlas-photo'),
  evidence: $('vd-evidence'),
  find: $('[data-testid="find"]'),
  chainTo: $('[data-testid="chain-to"]'),
  operator: $('.operator'),
  problem: $('.problem'),
  again: $('.again'),
  said: $('[role="status"][data-testid="said"]'),
};
const server = new Server(location.href);
const walked = new Walked();
const view = new AtlasView(parts, walked);
const large = new LargePhoto();
document.body.append(large.node);

let turns = 0; // incremented with each request, so that answers to older ones are ignored
let depth = history.state?.depth ?? 0; // the number of steps that lead back within the atlas

/** Shows what the address names. `isWalk` if the user has just followed a link to it. */
async function arrive(isWalk = false) {
  turns += 1;
  const turn = turns;
  large.close();
  parts.main.setAttribute('aria-busy', 'true');
  try {
    const shown = await askFor(placeOf(location.href), { server, walked });
    if (turn !== turns) return;
    if (shown.meant) {
      history.replaceState(history.state, '', personAddress(shown.meant.id));
      await arrive(isWalk);
      return;
    }
    calm();
    view.show(shown);
    for (const form of [parts.find, parts.chainTo]) form.querySelector('vd-person').fill('');
    if (isWalk) parts.head.takeFocus();
  } catch (problem) {
    if (turn !== turns) return;
    view.show({ page: 'refused' });
    refuse(problem);
  } finally {
    if (turn === turns) parts.main.removeAttribute('aria-busy');
  }
}

function walkTo(address) {
  depth += 1;
  history.pushState({ depth }, '', address);
  arrive(true);
}

function refuse(problem) {
  // The server would refuse the same token again, so it is forgotten and the field asks for another one.
  if (problem.status === 401) token.set('');
  parts.operator.hidden = problem.status !== 401;
  parts.again.hidden = !isPassing(problem);
  parts.problem.hidden = false;
  setText(parts.problem, problem.message);
}

function calm() {
  for (const part of [parts.problem, parts.again, parts.operator]) part.hidden = true;
  setText(parts.problem, '');
}

/** Shows the size of the atlas. If that fails, nothing is shown, since the main request reports the failure. */
async function measure() {
  const size = await server.atlas().then(sizeOf).catch(() => null);
  setText($('.size'), size ? sizeWords(size) : '');
}

/** Loads more people who were seen with the person in the middle; the keyboard focus moves to the first of them. */
async function more() {
  const { id } = view.shown;
  const known = walked.around(id);
  if (!known?.next || parts.list.isWaiting) return;
  const turn = turns;
  parts.list.wait(true);
  try {
    const told = neighboursOf(await server.atlasPerson(id, known.next));
    if (!told || turn !== turns) return;
    walked.add(told);
    calm();
    view.draw();
    parts.list.takeFocus(known.edges.length);
  } catch (problem) {
    if (turn === turns) refuse(problem);
  } finally {
    parts.list.wait(false);
  }
}

/** Handles a name chosen from the list, or typed and submitted. */
function listen(form, { chosen, typed }) {
  const field = form.querySelector('vd-person');
  field.suggestFrom(async (text, signal) => peopleOf(await server.atlasPeople(text, signal)).map(suggestionOf));
  field.addEventListener('vd-chosen', ({ detail }) => chosen(detail));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    field.rest();
    const name = field.meant.name.trim();
    if (name) typed(name);
    else form.querySelector('input').focus();
  });
}

const chainTo = (other) => walkTo(pathAddress(view.shown.id, other));
listen(parts.find, { chosen: ({ id }) => walkTo(personAddress(id)), typed: (name) => walkTo(searchAddress(name)) });
listen(parts.chainTo, { chosen: ({ id }) => chainTo(id), typed: chainTo });

parts.operator.addEventListener('submit', (event) => {
  event.preventDefault();
  token.set($('#token').value);
  $('#token').value = '';
  measure();
  arrive(true);
});
parts.again.addEventListener('click', () => {
  measure();
  arrive(true);
});

/** A click on a link within the atlas is a step of the walk; with a modifier key the browser handles it. */
parts.main.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="/atlas"]');
  const isPlain = !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || !isPlain) return;
  event.preventDefault();
  walkTo(link.getAttribute('href'));
});
parts.main.addEventListener('atlas-walk', ({ detail: id }) => {
  if (id !== view.shown.id) walkTo(personAddress(id));
});
parts.main.addEventListener('vd-show', ({ detail: key }) => view.showPhoto(key));
parts.main.addEventListener('vd-enlarge', ({ detail }) => large.show(detail));
parts.main.addEventListener('atlas-more', more);
parts.main.addEventListener('atlas-point', ({ detail: id }) => parts.graph.point(id));
parts.main.addEventListener('atlas-back', () => depth > 0 && history.back());

/** The keys of the list work in the list and on the heading above it, but not elsewhere on the page. */
parts.main.addEventListener('keydown', (event) => {
  const { key, target } = event;
  const isTheirs = target.closest('h1, atlas-list') && !(event.altKey || event.ctrlKey || event.metaKey);
  const isPress = target.closest('button') && (key === ' ' || key === 'Enter');
  if (isTheirs && !isPress && parts.list.press(key, target)) event.preventDefault();
});

addEventListener('popstate', ({ state }) => {
  depth = state?.depth ?? 0;
  arrive(true);
});

measure();
arrive();
