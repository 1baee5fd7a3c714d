// Answers a look: whether the page is quiet, and what it shows. An empty page in which no address was opened cannot
// change, so it counts as having been quiet for this long before the first look.
const QUIET_BEFORE_MS = 60000;
const isUnopened = () => location.href === 'about:blank' && bodyOf(page) !== null && firstChild(bodyOf(page)) === null;
let changedAt = performance.now() - (isUnopened() ? QUIET_BEFORE_MS : 0);
let changes = 0;
const note = () => {
  changedAt = performance.now();
  changes += 1;
};
// Returns whether a change only adds or removes the covers of a screenshot, which does not count as a change of the
// page.
const isOwn = ({ target: changed, addedNodes, removedNodes }) => {
  const nodes = [...addedNodes, ...removedNodes];
  return changed === lastCovers || (nodes.length > 0 && nodes.every((node) => node === lastCovers));
};
const watchPage = (records) => {
  if (records.every(isOwn)) return;
  note();
  noteEffect();
};
const observer = new MutationObserver(watchPage);
const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true };
observer.observe(page, WATCHED);
const watchedRoots = new WeakSet();
// Watches shadow trees for changes, too, which those of the document do not tell.
const watchRoots = () => {
  for (const root of rootsIn(page)) {
    if (watchedRoots.has(root)) continue;
    watchedRoots.add(root);
    observer.observe(root, WATCHED);
  }
};
addEventListener('scroll', note, { capture: true, passive: true });

const TITLE_CHARS = 200;
const ADDRESS_CHARS_MAX = 8192;

const safely = (list) => {
  try {
    return list();
  } catch {
    return null;
  }
};

const FRAMES_MAX = 50;
// Returns what a look needs to go on in the frames that can be seen.
const listFrames = (elements) => {
  const frames = [];
  for (const element of elements) {
    const seen = windowOn(element);
    const selector = seen === null ? '' : shortAddress(element);
    const number = seen === null ? 0 : numberOf(element);
    if (selector === '' || number === 0) continue;
    frames.push({ number, selector: whole(selector), ...seen });
    if (frames.length >= FRAMES_MAX) break;
  }
  return frames;
};

const look = (wish) => {
  const quiet = performance.now() - changedAt;
  const isLoading = readyState(page) === 'loading';
  if (quiet < wish.quiet || (isLoading && wish.quiet > 0)) return { quiet: isLoading ? 0 : quiet };
  const { href } = location;
  reach = wish.reach;
  room = MORE_CHARS_MAX;
  view = wish.view ?? wholeView();
  place = wish.place ?? { x: scrollX, y: scrollY, scale: 1 };
  watchRoots();
  const listed = wish.lists ? safely(listItems) ?? { items: null, frames: [] } : { items: [], frames: [] };
  return {
    quiet,
    url: href.length > ADDRESS_CHARS_MAX ? null : whole(href),
    title: handedOver(titleOf(page), TITLE_CHARS),
    items: listed.items,
    isCut: listed.isCut === true,
    frames: listFrames(listed.frames),
    found: wish.queries.map((query) => answerTo(query)),
    elements: wish.elements && wish.lists ? safely(listElements) ?? [] : [],
    hosts: collectHosts(false),
    tried: takeTried(),
  };
};

globalThis.visualDegrees = {
  page, look, aim, ready, released, isUnchangedByDrop, scrolled, hasStartedDrag, focusTarget, through, disarm, frameElement,
  takeHosts, learnRoot, extract, aimBox, aimOpener, boxState, wantOption, aimOption, optionState, show, inspect, cover, uncover,
  aimFiles, giveFiles, learnReceiver, dropFiles, readFile, ...typing,
};
return globalThis.visualDegrees;
