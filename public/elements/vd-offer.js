// A discreet link to the result. It is shown if the user is busy elsewhere on the page when the result arrives.

import { el } from '../dom.js';

export class Offer extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    const show = () => {
      this.hidden = true;
      this.dispatchEvent(new CustomEvent('vd-result'));
    };
    this.append(
      el('button', { type: 'button', class: 'primary', on: { click: show } }, 'Show the result'),
    );
  }
}
