// Stores texts for a tab or for this browser. If a page may store nothing (a frame without an origin, a browser
// setting), each access throws. Then nothing is stored, and the rest of the page works.

const kept = (of) => ({
  /** Returns the text of an entry; "" if it is absent. */
  get(name) {
    try {
      return of().getItem(name) ?? '';
    } catch {
      return '';
    }
  },
  /** Sets an entry; an empty text removes it. */
  set(name, value) {
    try {
      if (value) of().setItem(name, value);
      else of().removeItem(name);
    } catch {
      // The entry was not stored, so it is absent later.
    }
  },
});

export const tabStorage = kept(() => sessionStorage);
export const browserStorage = kept(() => localStorage);
