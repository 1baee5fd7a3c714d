// Wires the page of searches: reads the address and the form, shows the run in one <visual-degrees>, and handles its
// events.

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
/** The words shown if a link does not start its run at once, but waits until the user starts it. */
const WITH_TOKEN = 'This link asks for this search. It would be started with your token: look at it, then start it.';
const FROM_ELSEWHERE =
  'Another page may have opened this link, so the search waits for you: look at it, then press “Find the chain”.';

const form = $('vd-form');
const view = $('visual-degrees');
const offer = $('vd-offer');
const ideas = $('vd-ideas');
const attention = new Attention(document);
const server = new Server(location.href);

let asked = null; // the question of the last request, to go on from its run
let attempt = null; // {told, key, human}: the last request, repeated unchanged if it got no answer
let session = ''; // the session in the address, which groups runs
let named = ''; // the names of the run that is shown
let kept = null; // the data from the run's record that the form was filled with
let connection = 'none';
let turns = 0; // incremented with each request, so that answers to older ones are ignored
let isStarted = false; // whether a run was just started here: the clicked element was removed and lost the focus
let suggests = false; // whether the server suggests people for a typed name

function follow({ detail: { isNew } }) {
  const { state } = view;
  document.body.dataset.phase = state.phase;
  document.body.dataset.trust = trustOf(state);
  // A file's own names are used only once the file is checked, and never if it is forged.
  const shown = isWithheld(state) ? { ...state, a: '', b: '' } : state;
  const names = JSON.stringify(pair(shown));
  // A link need not name the people of its run, but the run's events do, so the form is filled in from the events.
  if (names !== named && shown.a && !form.isOpen) form.fill(pair(shown));
  named = names;
  // Fill in the options that the run was started with.
  if (state.kept && state.kept !== kept && !form.isOpen) form.fill({ options: state.kept.options });
  kept = state.kept;
  // Errors about the lost connection are cleared once it is open again.
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

/**
 * Sets the focus after drawing: on Stop after a start, and on a new result unless the user has touched anything since
 * the start.
 */
function settle(isNew) {
  const { state } = view;
  if (state.phase === 'running' && isStarted) view.takeFocus();
  if (state.phase !== 'starting') isStarted = false;
  if (!state.outcome) offer.hidden = true;
  if (!isNew) return;
  if (attention.isTaken) offer.hidden = false;
  // This is a task of its own, since setting the focus lays out the whole page at once.
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
    // The operator's requests need no check for humans.
    if (!token.get()) attempt.human ||= await form.human.token();
    // The user has gone back meanwhile, so the run must not be started any more.
    if (turn !== turns) return;
    const run = await created({ ...body, names: typed }, attempt);
    // The run exists, so it is remembered for the user even if something else is shown by now.
    if (turn !== turns) {
      remember({ ...typed, run });
      return;
    }
    attempt = null;
    form.settled();
    // "Back" returns to the address where the run was started. If that address is a link that starts a run, it is
    // replaced instead, since going back to it would start another run.
    const isLink = location.pathname.startsWith('/investigate');
    history[isLink ? 'replaceState' : 'pushState'](null, '', shareLink(run, typed));
  } catch (problem) {
    if (turn !== turns) return;
    if (problem.status !== 0) attempt = null;
    form.human.renew();
    // The run that this one was to continue has expired meanwhile, so the pair is searched for from scratch.
    if ([404, 410].includes(problem.status) && fork) {
      start({ ...request, fork: null });
      return;
    }
    // The server would refuse the same token again, so it is forgotten and the form asks for another one.
    if (problem.status === 401) token.set('');
    // The session has no field in which the user could correct it, so it is dropped.
    if (problem.field === 'sessionId') session = '';
    // An element can take the focus only once it is drawn, so the view is drawn first.
    view.refuse();
    form.refuse(problem);
  }
}

/**
 * Creates the run. A link's run is requested at once, and only a refusal shows that the server requires a check for
 * humans.
 */
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

/** Suggests people whom an unrecognised name may mean; no people if suggestions are unavailable. */
async function lookUp({ detail: { name, tell } }) {
  await greeted;
  if (suggests) tell(await server.people(name).catch(() => []));
}

/** Starts a new run that reuses the answers of the shown one, so that only new calls are paid for. */
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

/** Shows a sealed file. The page's address stays, since a file has none of its own. */
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
  // Text that the user has typed into the form stays.
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
  // Text that the user has typed before this module loaded stays.
  else if (location.search) form.fill(here);
  if (here.page === 'investigate' && (here.a || here.b)) takeLink();
}

/**
 * Starts a link's run at once if the visitor opened the link. If another page may have opened it, the run waits until
 * the user starts it.
 */
function takeLink() {
  const isOwn = mayStart();
  // The link still waits after the page is reloaded.
  if (!isOwn) history.replaceState({ waits: true }, '');
  // A link's sender must not spend with the visitor's token.
  if (token.get()) form.offer(WITH_TOKEN, isOwn);
  else if (isOwn) form.submit();
  else form.offer(FROM_ELSEWHERE, false);
}

/**
 * Whether the link may start its run at once. Only the server knows which page led here, and it writes that into the
 * page's head.
 */
function mayStart() {
  const isTold = document.querySelector('meta[name=vd-link][content=starts]') !== null;
  const [{ type = '' } = {}] = performance.getEntriesByType('navigation');
  // A page reached by going back starts nothing.
  return isTold && !history.state?.waits && type !== 'back_forward';
}

form.addEventListener('vd-start', ({ detail }) => start(detail));
view.addEventListener('vd-change', follow);
view.addEventListener('vd-stop', (event) => {
  // The form is sent by script, so that it includes the token and shows refusals.
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
// A prerendered page must not spend money before the user sees it.
if (document.prerendering) document.addEventListener('prerenderingchange', arrive, { once: true });
// The page starts after the current tasks, so that a slow device can respond in between.
else setTimeout(arrive);
