// Shows how to search with an assistant: the address of this server's MCP server, to copy.

import { el } from '../dom.js';
import { copied } from './copied.js';

export class Assistant extends HTMLElement {
  connectedCallback() {
    this.dataset.testid = 'assistant';
  }

  /** `address` is the MCP server's; `isForAll` says whether it accepts requests without a token. */
  offer(address, isForAll) {
    this.hidden = !address;
    if (!address) return;
    const field = el('input', { type: 'text', readonly: true, value: address });
    this.replaceChildren(
      el(
        'details',
        {},
        el('summary', {}, 'Use it from an assistant'),
        el(
          'p',
          {},
          'An assistant that speaks the Model Context Protocol finds chains here by itself, and shows you the ',
          'photo behind each link. Give it this address as an MCP server (Streamable HTTP)',
          isForAll ? '.' : ', with the operator’s token as the header Authorization: Bearer TOKEN.',
        ),
        copied(field, 'Copy address', 'Address for an assistant'),
      ),
    );
  }
}
