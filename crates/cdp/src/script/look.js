// Answers a look: whether the page is quiet, and what it shows. An empty page in which no address was opened cannot
// change, so it counts as having been quiet for this long before the first look.
const QUIET_BEFORE_MS = 60000;
const isUnopened = () => location.href === 'about:blank' && bodyOf(page) !== null && firstChild(bodyOf(page)) === null;
let changedAt = performance.now() - (isUnopened() ? QUIET_BEFORE_MS : 0);
const note = () => {
  changedAt = performance.now();
};
// Returns whether a change only adds or removes the covers of a screenshot, which does not count as a change of the
// page.
const isOwn = ({ addedNodes, removedNodes }) =>
  [...addedNodes, ...removedNodes].length > 0 && [...addedNodes, ...removedNodes].every((node) => node === lastCovers);
const watchPage = (records) => {
  if (!records.every(isOwn)) note();
};
new MutationObserver(watchPage).observe(page, { subtree: true, childList: true, attributes: true, characterData: true });
addEventListener('scroll', note, { capture: true, passive: true });

const TITLE_CHARS = 200;
const ADDRESS_CHARS_MAX = 8192;

const tried = (list) => {
  try {
    return list();
  } catch {
    return null;
  }
};

const look = (wish) => {
  const quiet = performance.now() - changedAt;
  const isLoading = readyState(page) === 'loading';
  if (quiet < wish.quiet || (isLoading && wish.quiet > 0)) return { quiet: isLoading ? 0 : quiet };
  const { href } = location;
  reach = wish.reach;
  room = MORE_CHARS_MAX;
  return {
    quiet,
    url: href.length > ADDRESS_CHARS_MAX ? null : whole(href),
    title: handedOver(titleOf(page), TITLE_CHARS),
    items: tried(listItems),
    found: wish.queries.map((query) => isAnswered(query)),
    elements: wish.elements ? tried(listElements) ?? [] : [],
  };
};

globalThis.visualDegrees = {
  look, aim, ready, released, show, inspect, cover, uncover, ...typing,
};
return globalThis.visualDegrees;
