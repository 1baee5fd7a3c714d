// Wires the page: reads the address and the form, shows the run in one <visual-degrees>, and handles its events.

import { newKey, Server, token } from './api.js';
import { Attention } from './attention.js';
import './visual-degrees.js';
import './form-elements.js';
import { takeFiles } from './dropped.js';
import { changedSince } from './options.js';
import { pair, renamed } from './pair.js';
import { forgetRun, hearOfOtherTabs, recentRuns, rememberRun } from './recent-runs.js';
import { route, shareLink } from './route.js';
import { list, number, record, text } from './safe.js';
import { isWithheld, trustOf } from './trust.js';

const $ = (selector) => document.querySelector(selector);
/** Why a link waits for a press. */
const WITH_TOKEN = 'This link asks for this search. It would be started with your token: look at it, then start it.';
const FROM_ELSEWHERE =
  'Another page may have opened this link, so the search waits for you: look at it, then press “Find the chain”.';

const form = $('vd-form');
const view = $('visual-degrees');
const offer = $('vd-offer');
const ideas = $('vd-ideas');
const attention = new Attention(document);
const server = new Server(location.href);

let asked = null; // what was sent last, for "go on"
let attempt = null; // {told, key, human}: a request without an answer is repeated unchanged
let session = ''; // of the address: it groups runs
let named = ''; // the names of the run that is shown
let kept = null; // data from its record
let connection = 'none';
let turns = 0; // incremented with each request: stale answers are ignored
let isStarted = false; // just now, here: the clicked element was removed, and lost the focus
let suggests = false; // whether the server knows who may be meant by a name

function follow({ detail: { isNew } }) {
  const { state } = view;
  document.body.dataset.phase = state.phase;
  document.body.dataset.trust = trustOf(state);
  // A file's own claims are not used before it is checked, nor if it is forged.
  const shown = isWithheld(state) ? { ...state, a: '', b: '' } : state;
  const names = JSON.stringify(pair(shown));
  // A link may not name the people of its run; the run's events do.
  if (names !== named && shown.a && !form.isOpen) form.fill(pair(shown));
  named = names;
  // Fill in the options that the run was started with.
  if (state.kept && state.kept !== kept && !form.isOpen) form.fill({ options: state.kept.options });
  kept = state.kept;
  // Errors from the lost connection end with it.
  if (connection === 'lost' && state.connection === 'open') form.clear();
  connection = state.connection;
  if (isNew && !state.isFile && !state.outcome.why) remember(state);
  form.shrink(shown);
  form.busy(state.phase === 'starting' || state.phase === 'running');
  settle(isNew);
  document.title = titleOf(shown);
}

function titleOf(state) {
  if (trustOf(state) === 'forged') return 'Do not believe this · Visual Degrees';
  return state.a && state.b ? `${state.a} to ${state.b} · Visual Degrees` : 'Visual Degrees';
}

function remember(state) {
  rememberRun(state);
  showRecent();
}

function showRecent() {
  ideas.remember(recentRuns(), (run) => {
    forgetRun(run);
    showRecent();
  });
}

/** Sets the focus after drawing: on Stop after a start, on the result if nothing else was touched. */
function settle(isNew) {
  const { state } = view;
  if (state.phase === 'running' && isStarted) view.takeFocus();
  if (state.phase !== 'starting') isStarted = false;
  if (!state.outcome) offer.hidden = true;
  if (!isNew) return;
  if (attention.isTaken) offer.hidden = false;
  // In a separate task: setting the focus lays out the whole page at once.
  else setTimeout(() => view.state.outcome && view.reveal());
}

function takeToken() {
  if (form.token) token.set(form.token);
}

async function start(request) {
  turns += 1;
  const turn = turns;
  form.close();
  form.clear();
  asked = request;
  const { personA, personB, options, fork } = request;
  const what = fork ? { fork: { run: fork, options } } : { personA, personB, options };
  const body = session ? { ...what, sessionId: session } : what;
  const told = JSON.stringify(body);
  if (attempt?.told !== told) attempt = { told, key: newKey(), human: '' };
  const typed = pair({ ...options, a: personA, b: personB });
  attention.release();
  isStarted = true;
  view.expect(typed);
  takeToken();
  try {
    // The operator needs no check.
    if (!token.get()) attempt.human ||= await form.human.token();
    // The user has gone back meanwhile and wants no run any more.
    if (turn !== turns) return;
    const run = await created({ ...body, names: typed }, attempt);
    // The run exists, and the user may find it again.
    if (turn !== turns) {
      remember({ ...typed, run });
      return;
    }
    attempt = null;
    form.settled();
    // Back returns to where it was started; a link that starts a run would start another.
    const isLink = location.pathname.startsWith('/investigate');
    history[isLink ? 'replaceState' : 'pushState'](null, '', shareLink(run, typed));
  } catch (problem) {
    if (turn !== turns) return;
    if (problem.status !== 0) attempt = null;
    form.human.renew();
    // The run to go on from has expired meanwhile: search for the pair from scratch.
    if ([404, 410].includes(problem.status) && fork) {
      start({ ...request, fork: null });
      return;
    }
    // A refused token would be refused again; the field asks for another one.
    if (problem.status === 401) token.set('');
    // There is no field to correct it in.
    if (problem.field === 'sessionId') session = '';
    // An element that is not drawn cannot take the focus.
    view.refuse();
    form.refuse(problem);
  }
}

/** Creates the run. A link starts it at once, and learns only from the refusal that the server requires a check. */
async function created(body, tried) {
  const { key, human } = tried;
  try {
    const run = await view.start(body, { key, human });
    if (human) form.human.renew();
    return run;
  } catch (problem) {
    if (problem.status !== 403 || human) throw problem;
    const turn = turns;
    await greeted;
    tried.human = await form.human.token();
    if (!tried.human || turn !== turns) throw problem;
    const run = await view.start(body, { key, human: tried.human });
    form.human.renew();
    return run;
  }
}

async function stop() {
  takeToken();
  try {
    await view.stop();
    form.clear();
    form.settled();
  } catch (problem) {
    form.refuse(problem);
  }
}

function again({ detail }) {
  const typed = renamed(view.state, detail);
  if (!typed.a || !typed.b) return form.edit();
  form.fill(typed);
  return start(form.asked());
}

/** Suggests whom an unrecognised name may mean; nothing if suggestions are unavailable. */
async function lookUp({ detail: { name, tell } }) {
  await greeted;
  if (suggests) tell(await server.people(name).catch(() => []));
}

/** Starts a new run that reuses this one's answers: only new calls are paid for. */
function goOn() {
  const { a, b, run } = view.state;
  if (!a || !b) return form.edit();
  form.fill(pair(view.state));
  const before = asked?.options ?? view.state.kept?.options ?? {};
  const options = changedSince(before, form.asked().options);
  return start({ personA: a, personB: b, options, fork: run });
}

async function greet() {
  const said = await server.health().catch(() => ({}));
  const pairs = [said.example, ...list(said.examples)].map((one) => ({
    a: text(record(one).a), b: text(record(one).b),
  }));
  form.example(pairs[0]);
  ideas.offer(pairs.filter(({ a, b }, i) => a && b && pairs.findIndex((one) => one.a === a && one.b === b) === i));
  suggests = record(said.providers).people === 'wikidata';
  if (suggests) {
    form.suggestFrom((typed, signal) => server.people(typed, signal));
  }
  if (said.capture === true) form.offerCaptures();
  const tools = text(said.tools);
  $('vd-assistant').offer(tools && new URL('/mcp', location.href).href, tools === 'everybody');
  view.publishDays = number(record(said.publish).days) ?? 0;
  const siteKey = text(record(said.turnstile).siteKey);
  if (siteKey) form.human.show(siteKey);
  const missing = Array.isArray(said.missing) ? said.missing.map(String) : [];
  $('#missing').hidden = missing.length === 0;
  $('#missing').textContent =
    missing.length === 0
      ? ''
      : `This deployment is not complete; missing settings: ${missing.join(', ')}.`;
  $('#version').textContent = text(said.version) ? `Version ${said.version}` : '';
}

/** Shows a file at the current address; it has none of its own. */
function showFile(text) {
  turns += 1;
  attention.release();
  if (location.pathname !== '/') history.pushState(null, '', '/');
  form.close();
  view.showSealed(text);
}

/** After back or forward, shows what the address names, and starts nothing. */
function comeBack() {
  turns += 1;
  const here = route(location.href);
  form.close();
  form.clear();
  if (['run', 'chain', 'nowhere'].includes(here.page)) return arrive();
  view.clear();
  // Text that was typed there stays.
  return location.search ? form.fill(here) : undefined;
}

function arrive() {
  document.documentElement.classList.remove('arriving');
  const here = route(location.href);
  session = here.session ?? '';
  if (here.page === 'run') {
    form.fill(pair(here));
    view.follow(here.run, pair(here));
  } else if (here.page === 'chain') {
    view.clear();
    view.src = here.chain;
  }
  else if (here.page === 'nowhere') view.miss('address');
  // Text that was typed before this loaded stays.
  else if (location.search) form.fill(here);
  if (here.page === 'investigate' && (here.a || here.b)) takeLink();
}

/** A link starts its run if the visitor opened it, and waits for a press if another page may have. */
function takeLink() {
  const isOwn = mayStart();
  // It still waits after a reload.
  if (!isOwn) history.replaceState({ waits: true }, '');
  // A link's sender must not spend with the visitor's token.
  if (token.get()) form.offer(WITH_TOKEN, isOwn);
  else if (isOwn) form.submit();
  else form.offer(FROM_ELSEWHERE, false);
}

/** Only the server knows which page led here; it says so in the page's head. */
function mayStart() {
  const isTold = document.querySelector('meta[name=vd-link][content=starts]') !== null;
  const [{ type = '' } = {}] = performance.getEntriesByType('navigation');
  // Going back starts nothing.
  return isTold && !history.state?.waits && type !== 'back_forward';
}

form.addEventListener('vd-start', ({ detail }) => start(detail));
view.addEventListener('vd-change', follow);
view.addEventListener('vd-stop', (event) => {
  // With the token in the form, and with refusals shown there.
  event.preventDefault();
  stop();
});
view.addEventListener('vd-retry', again);
view.addEventListener('vd-look-up', lookUp);
view.addEventListener('vd-go-on', goOn);
view.addEventListener('vd-edit', ({ detail }) => form.edit(detail.option));
offer.addEventListener('vd-result', () => view.reveal());
ideas.addEventListener('vd-pick', ({ detail }) => form.pick(detail));
showRecent();
hearOfOtherTabs(showRecent);
takeFiles(document, $('#sealed-file'), showFile);
addEventListener('popstate', comeBack);
const greeted = greet();
// A prerendered page must not spend money before it is visible.
if (document.prerendering) document.addEventListener('prerenderingchange', arrive, { once: true });
// After the current tasks: a slow device should respond in between.
else setTimeout(arrive);
