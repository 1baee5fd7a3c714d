// Wires the page: address and form in, requests and the stream out, one state in between.

import {
  createRun, health, isOwn, keptRun, newKey, people, stopRun, streamStatus, token,
} from './api.js';
import { Attention } from './attention.js';
import './elements/index.js';
import { blank, reduce } from './model.js';
import { changedSince } from './options.js';
import { pair, renamed } from './pair.js';
import { route, runPath, shareLink } from './route.js';
import { record, text } from './safe.js';
import { follow } from './stream.js';

const $ = (selector) => document.querySelector(selector);
const form = $('vd-form');
const outcome = $('vd-outcome');
const result = $('vd-result');
const offer = $('vd-offer');
const attention = new Attention(document);
const desk = $('.desk');
const views = ['vd-status', 'vd-spend', 'vd-chain', 'vd-evidence'].map($);

let state = blank();
let asked = null; // what was sent last, for "go on"
let attempt = null; // {told, key, human}: a request whose answer never came is sent again as it was
let session = ''; // of the address: it groups runs
let stream = null;
let isStarted = false; // here and just now: what was clicked is gone, and the focus with it
let drawing = false;

function dispatch(action) {
  state = reduce(state, action);
  // A replay brings hundreds of events at once; they are drawn once.
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    draw();
  });
}

function draw() {
  const focused = document.activeElement;
  document.body.dataset.phase = state.phase;
  const kind = state.outcome?.kind;
  if (kind) document.body.dataset.outcome = kind;
  else delete document.body.dataset.outcome;
  // Live, the log stands first; afterwards the result does. Moved in the document and not by
  // style alone, so that the keyboard's order is the eye's order.
  if (state.phase === 'ended') place(() => $('main').append(desk), desk.nextElementSibling);
  else place(() => $('vd-chain').before(desk), desk.nextElementSibling !== $('vd-chain'));
  for (const view of views) view.render(state);
  const isNew = outcome.render(state);
  result.render(state, new URL(address(), location.href).href);
  form.shrink(['running', 'ended'].includes(state.phase), state);
  form.busy(state.phase === 'starting' || state.phase === 'running');
  // What is moved in the document loses the focus.
  if (focused !== document.activeElement) focused?.focus({ preventScroll: true });
  settle(isNew);
  document.title =
    state.a && state.b ? `${state.a} to ${state.b} · Visual Degrees` : 'Visual Degrees';
}

const place = (move, needed) => needed && move();

/** The focus after a drawing: on Stop after a start, on the result if nothing else was touched. */
function settle(isNew) {
  if (state.phase === 'running' && isStarted) $('vd-status').takeFocus();
  if (state.phase !== 'starting') isStarted = false;
  if (!state.outcome) offer.hidden = true;
  if (!isNew) return;
  if (attention.isTaken) offer.hidden = false;
  else outcome.reveal();
}

const address = () => (state.run ? shareLink(state.run, state) : location.pathname);

function takeToken() {
  if (form.token) token.set(form.token);
}

async function start(request) {
  stream?.close();
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
  dispatch({ kind: 'starting', ...typed });
  takeToken();
  try {
    // The operator is asked for no check.
    if (!token.get()) attempt.human ||= await form.human.token();
    const { run, events } = await created(body);
    attempt = null;
    form.settled();
    dispatch({ kind: 'following', run, isOwn: true });
    history.replaceState(null, '', shareLink(run, typed));
    listen(events);
  } catch (problem) {
    if (problem.status !== 0) attempt = null;
    form.human.renew();
    // The run to go on from has expired meanwhile: the pair is searched for anew.
    if (problem.status === 404 && fork) return start({ ...request, fork: null });
    // A token that was refused would be refused again; the field asks for another one.
    if (problem.status === 401) token.set('');
    // Nor is there a field to mend it in.
    if (problem.field === 'sessionId') session = '';
    dispatch({ kind: 'refused' });
    // What is not drawn cannot take the focus.
    draw();
    form.refuse(problem);
  }
}

/** A link starts its run at once: only then is it known that the server asks for a check first. */
async function created(body) {
  const { key, human } = attempt;
  try {
    const run = await createRun(body, key, human);
    if (human) form.human.renew();
    return run;
  } catch (problem) {
    if (problem.status !== 403 || human) throw problem;
    await greeted;
    attempt.human = await form.human.token();
    if (!attempt.human) throw problem;
    const run = await createRun(body, key, attempt.human);
    form.human.renew();
    return run;
  }
}

function listen(events) {
  const { run } = state;
  stream = follow(events, {
    onEvent: (n, event) => dispatch({ kind: 'event', n, event, at: performance.now() }),
    onConnection: (value) => dispatch({ kind: 'connection', value }),
    onGone: () => showKept(run),
  });
}

/** A shared link: its record says whether it still lives, its stream replays it from the start. */
async function open({ run, ...here }) {
  form.fill(pair(here));
  dispatch({ kind: 'starting', ...pair(here) });
  dispatch({ kind: 'following', run, isOwn: isOwn(run) });
  const events = `${runPath(run)}/events`;
  try {
    const kept = await keptRun(run);
    // A run that has only just begun may not have reached the store yet: its stream knows better.
    if (!kept && (await streamStatus(events)) !== 200) {
      dispatch({ kind: 'expired' });
      return;
    }
    if (kept) takeNames(kept);
  } catch {
    // The record is for names and for later; the stream may work although it cannot be read.
  }
  listen(events);
}

async function showKept(run) {
  const kept = await keptRun(run).catch(() => null);
  if (run !== state.run || state.outcome) return;
  dispatch(kept ? { kind: 'kept', record: kept } : { kind: 'expired' });
}

function takeNames(kept) {
  dispatch({ kind: 'names', record: kept });
  form.fill(pair(state));
}

async function stop() {
  dispatch({ kind: 'stopping', value: true });
  takeToken();
  try {
    await stopRun(state.run);
    form.clear();
    form.settled();
  } catch (problem) {
    dispatch({ kind: 'stopping', value: false });
    form.refuse(problem);
  }
}

function again({ detail }) {
  const typed = renamed(state, detail);
  if (!typed.a || !typed.b) return form.edit();
  form.fill(typed);
  return start(form.asked());
}

/** A new run with the answers of this one at hand: only what is new is paid for. */
function goOn() {
  const { a, b, run } = state;
  if (!a || !b) return form.edit();
  form.fill(pair(state));
  const options = changedSince(asked?.options ?? {}, form.asked().options);
  return start({ personA: a, personB: b, options, fork: run });
}

async function greet() {
  const said = await health().catch(() => ({}));
  form.example({ a: text(record(said.example).a), b: text(record(said.example).b) });
  if (record(said.providers).people === 'wikidata') form.suggestFrom(people);
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

function arrive() {
  const here = route(location.href);
  session = here.session ?? '';
  if (here.page === 'run') open(here);
  else form.fill(here.a || here.b ? here : { options: here.options });
  if (here.page !== 'investigate' || !(here.a || here.b)) return;
  // Whoever sent the link does not spend with the token of whoever opens it.
  if (token.get()) form.offer();
  else form.submit();
}

form.addEventListener('vd-start', ({ detail }) => start(detail));
$('vd-status').addEventListener('vd-stop', stop);
$('vd-chain').addEventListener('vd-show', ({ detail }) => $('vd-evidence').reveal(detail));
offer.addEventListener('vd-result', () => outcome.reveal());
outcome.addEventListener('vd-retry', again);
outcome.addEventListener('vd-go-on', goOn);
for (const words of [outcome, result]) {
  words.addEventListener('vd-edit', ({ detail }) => form.edit(detail.option));
}

draw();
const greeted = greet();
// A page that the browser prepares in advance must not spend money before anybody looks at it.
if (document.prerendering) document.addEventListener('prerenderingchange', arrive, { once: true });
else arrive();
