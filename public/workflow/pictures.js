// The pictures from a run's tools. They have no addresses of their own, but are in the trace's archive, by digest. The
// archive may be large, and is loaded only when the user opens a picture.

import { filesOf, pictureIn } from './archive.js';

export class Pictures {
  #server;
  #run = '';
  #files = null; // promised, of the newest archive
  #addresses = new Map(); // by digest

  constructor(server) {
    this.#server = server;
  }

  /** The address of an already loaded picture, or "". */
  here(run, digest) {
    return run === this.#run ? (this.#addresses.get(digest) ?? '') : '';
  }

  /** Resolves to the address of a picture, or "" if the archive lacks it; rejects if there is no archive. */
  async fetch(run, digest) {
    if (run !== this.#run) this.#forget(run);
    const known = this.#files && pictureIn(await this.#files, digest);
    const picture = known || pictureIn(await this.#fetchFiles(run), digest);
    if (run !== this.#run || !picture) return '';
    const { type, bytes } = picture;
    if (!this.#addresses.has(digest)) {
      this.#addresses.set(digest, URL.createObjectURL(new Blob([bytes], { type })));
    }
    return this.#addresses.get(digest);
  }

  /** Loads the archive's files. During a run, an archive that is loaded later contains more. */
  async #fetchFiles(run) {
    const files = this.#server.trace(run).then(filesOf);
    this.#files = files;
    try {
      return await files;
    } catch (problem) {
      if (this.#files === files) this.#files = null;
      throw problem;
    }
  }

  #forget(run) {
    for (const address of this.#addresses.values()) URL.revokeObjectURL(address);
    this.#addresses.clear();
    this.#files = null;
    this.#run = run;
  }
}
