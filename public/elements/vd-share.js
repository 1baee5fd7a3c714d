// How to share a result: its link with the expiry, publication, embedding, the file.

import { el } from '../dom.js';
import { until } from '../words.js';
import { copied } from './copied.js';
import { button, sealedFile } from './outcome-parts.js';

export class Share extends HTMLElement {
  #told = '';
  #problem = el('p', { class: 'problem', role: 'alert', hidden: true });

  connectedCallback() {
    this.dataset.testid = 'share';
  }

  render(state, around) {
    const { outcome, kept, chain, expires, isOwn, isFile, run } = state;
    const { link, publishDays, mayTakeBack, hasActions } = around;
    this.hidden = outcome?.kind !== 'final';
    const life = chain ? expires : (kept?.expiresAt ?? '');
    const told = JSON.stringify([run, link, life, isOwn, isFile, publishDays, mayTakeBack, hasActions]);
    if (this.hidden || told === this.#told) return;
    this.#told = told;
    this.#problem.hidden = true;
    const hasFocus = this.contains(this.getRootNode().activeElement);
    this.replaceChildren(...this.#parts(state, around, life));
    // The pressed button is replaced by others, so the first of them takes the focus.
    if (hasFocus) this.querySelector('button')?.focus({ preventScroll: true });
  }

  #parts(state, around, life) {
    const { link, module, file, hasActions } = around;
    const ask = () => this.dispatchEvent(
      new CustomEvent('vd-edit', { detail: {}, bubbles: true, composed: true }),
    );
    return [
      el(
        'div',
        { class: 'actions', part: 'actions' },
        link ? copied(field(link), 'Copy link', 'Link to this result') : null,
        ...this.#publishing(state, around),
        hasActions ? button('Another pair', ask) : null,
      ),
      this.#problem,
      link && life ? el('p', { class: 'small life', testid: 'life' }, lives(state.chain, life)) : null,
      link ? embedding(state, link, module) : null,
      ...sealedFile(state, file),
    ].filter(Boolean);
  }

  /** The creator's controls for publishing, if the operator allows it. */
  #publishing({ isOwn, isFile }, { publishDays, mayTakeBack, publish, unpublish }) {
    const during = (work) => async ({ target }) => {
      target.disabled = true;
      try {
        await work();
      } catch (problem) {
        target.disabled = false;
        this.#problem.textContent = problem.message;
        this.#problem.hidden = false;
      }
    };
    if (mayTakeBack) return [button('Take it back', during(unpublish))];
    if (!isOwn || isFile || !publishDays) return [];
    const press = button('Publish', during(publish));
    press.title = `Keeps this chain for ${publishDays} days, for everybody who has its address`;
    return [press];
  }
}

const lives = (chain, life) =>
  chain ? `Published. This link lives until ${until(life)}.` : `This link lives until ${until(life)}.`;

const field = (value) => el('input', { type: 'text', readonly: true, value });

/** The code for embedding the result in another page. */
function embedding({ run, chain }, link, module) {
  const what = chain ? `src="${chain}"` : `run="${run}"`;
  const snippet = el('textarea', { readonly: true, rows: '3', spellcheck: 'false' });
  snippet.value = `<script type="module" src="${module}"></script>\n<visual-degrees ${what}></visual-degrees>`;
  return el(
    'details',
    { class: 'embed', testid: 'embed' },
    el('summary', {}, 'Embed it in a page of yours'),
    copied(snippet, 'Copy', 'Markup that shows this result in another page'),
  );
}
