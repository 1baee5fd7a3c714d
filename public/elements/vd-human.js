// The check for humans, which a server may require before a run.

/** The longest wait for a token from the widget, in milliseconds. If the widget needs a click, the user sees that. */
const WAIT_MS_MAX = 20_000;

export class Human extends HTMLElement {
  #frame = null;
  #token = '';
  #waiting = [];

  /** Shows the widget with this site key. */
  show(siteKey) {
    if (this.#frame) return;
    this.#frame = document.createElement('iframe');
    this.#frame.title = 'The check that you are human';
    this.#frame.src = `/turnstile?${new URLSearchParams({ key: siteKey })}`;
    addEventListener('message', ({ origin, source, data }) => {
      const isWidget = origin === location.origin && source === this.#frame.contentWindow;
      if (isWidget && typeof data?.humanToken === 'string') this.#take(data.humanToken);
    });
    this.append(this.#frame);
    this.hidden = false;
  }

  /** Resolves to an unused token; empty if none is required or available. */
  async token() {
    if (!this.#frame || this.#token) return this.#token;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      setTimeout(() => resolve(''), WAIT_MS_MAX);
    });
  }

  /** Requests a new token from the widget, since each token is valid once. */
  renew() {
    if (!this.#frame) return;
    this.#token = '';
    this.#frame.contentWindow?.postMessage('renew', location.origin);
  }

  #take(token) {
    this.#token = token;
    if (!token) return;
    for (const resolve of this.#waiting.splice(0)) resolve(token);
  }
}
