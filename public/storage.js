// What a tab, or this browser, keeps. Where a page may keep nothing (a frame without an origin, a setting
// of the browser's) each use throws: then nothing is kept, and all else goes on.

const kept = (of) => ({
  /** "" where there is none. */
  get(name) {
    try {
      return of().getItem(name) ?? '';
    } catch {
      return '';
    }
  },
  /** Nothing is kept of an empty text. */
  set(name, value) {
    try {
      if (value) of().setItem(name, value);
      else of().removeItem(name);
    } catch {
      // Told by nothing being there later.
    }
  },
});

export const tabStorage = kept(() => sessionStorage);
export const browserStorage = kept(() => localStorage);
