// The pictures that a run's tools gave. They have no address of their own: the archive of the trace has them
// by their digests. It is fetched when somebody wants to see one, and not before: it may be large.

import { filesOf, pictureIn } from './archive.js';

export class Pictures {
  #server;
  #run = '';
  #files = null; // promised, of the newest archive
  #addresses = new Map(); // by digest

  constructor(server) {
    this.#server = server;
  }

  /** The address of a picture that is here already, or "". */
  here(run, digest) {
    return run === this.#run ? (this.#addresses.get(digest) ?? '') : '';
  }

  /** Promises the address of a picture, or "" where the archive has none; throws where there is no archive. */
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

  /** While a run goes on, a later archive has more. */
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
