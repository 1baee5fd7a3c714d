// Storage of a tab or this browser. If a page may store nothing (a frame without an origin, a browser setting), each
// access throws: then nothing is stored, and the rest works.

const kept = (of) => ({
  /** Returns "" if absent. */
  get(name) {
    try {
      return of().getItem(name) ?? '';
    } catch {
      return '';
    }
  },
  /** An empty text removes the entry. */
  set(name, value) {
    try {
      if (value) of().setItem(name, value);
      else of().removeItem(name);
    } catch {
      // The entry is then missing later.
    }
  },
});

export const tabStorage = kept(() => sessionStorage);
export const browserStorage = kept(() => localStorage);
