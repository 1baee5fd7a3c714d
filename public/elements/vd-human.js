// The check that somebody is human, where the server asks for one before a run begins.

/** Somebody has to click, perhaps: then they know what they wait for. */
const WAIT_MS_MAX = 20_000;

export class Human extends HTMLElement {
  #frame = null;
  #token = '';
  #waiting = [];

  /** Shows the widget of this public key. */
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

  /** A token that was not sent yet, once there is one; empty where none is asked for, or none comes. */
  async token() {
    if (!this.#frame || this.#token) return this.#token;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      setTimeout(() => resolve(''), WAIT_MS_MAX);
    });
  }

  /** Each token is good once. */
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
