// The heading of the atlas's page, which names what is shown, and the links that start a run from there.

import { el } from '../dom.js';
import { pageOf } from '../wikidata.js';
import { percent } from '../words.js';
import { furtherAddress, personAddress } from './addresses.js';
import { noChainWords, photosWords } from './told-words.js';

const HOME = 'Who was seen with whom';

export class AtlasHead extends HTMLElement {
  #heading = el('h1', { tabindex: '-1' }, HOME);
  #facts = el('p', { class: 'facts', testid: 'facts' });
  #told = '';

  connectedCallback() {
    if (!this.contains(this.#heading)) this.replaceChildren(this.#heading, this.#facts);
  }

  /** Shows the heading for `shown`. An unchanged heading is not written again, since it would be read aloud again. */
  render(shown) {
    const told = JSON.stringify([shown.page, shown.typed, shown.person, shown.chain]);
    if (told === this.#told) return;
    this.#told = told;
    const { heading, facts } = HEADS[shown.page](shown);
    this.#heading.replaceChildren(...heading);
    this.#facts.replaceChildren(...facts);
    this.#facts.hidden = facts.length === 0;
  }

  /** Moves the focus to the heading after a step, so that it is read aloud and the list is one key away. */
  takeFocus() {
    this.#heading.focus();
  }
}

const HEADS = {
  refused: () => ({ heading: [HOME], facts: [] }),
  home: ({ typed }) =>
    typed
      ? { heading: ['Found for “', el('bdi', {}, typed), '”'], facts: [] }
      : {
          heading: [HOME],
          facts: ['Every line is a photo in which a run recognised both. Begin with somebody, and walk on from there.'],
        },
  person: ({ person, neighbours }) => ({
    heading: [el('bdi', {}, person.name)],
    facts: [
      part(person.photos > 0 ? `Seen in ${photosWords(person.photos)}` : ''),
      person.wikidata ? part(elsewhere(pageOf(person.wikidata), person.wikidata)) : null,
      neighbours > 0 ? null : part('with nobody who is known here'),
      part(further(person)),
    ].filter(Boolean),
  }),
  path: ({ chain }) => ({
    heading: [walk(chain.a), el('span', { class: 'and' }, ' to '), walk(chain.b)],
    facts: [
      ...(chain.path.length > 0 ? [part(linksWords(chain))] : [part(noChainWords(chain))]),
      part(further(chain.a, chain.b)),
    ],
  }),
};

const part = (content) => (content ? el('span', {}, content) : null);
const walk = ({ id, name }) => el('a', { href: personAddress(id) }, el('bdi', {}, name));
const elsewhere = (href, words) => el('a', { href, target: '_blank', rel: 'noreferrer noopener' }, words);
const further = (from, to = null) => {
  const words = to ? 'Search further' : 'Search further from here';
  return el('a', { href: furtherAddress(from, to), testid: 'further' }, words);
};

/** The number of links, and the confidence of the weakest. */
function linksWords({ edges, weakest }) {
  const links = edges.length === 1 ? 'One link' : `${edges.length} links`;
  const weak = edges.length > 1 ? edges.find(({ key }) => key === weakest) : null;
  if (!weak) return `${links}.`;
  return el(
    'span', {}, `${links}; the weakest is `, el('bdi', {}, weak.fromName), ' with ', el('bdi', {}, weak.toName),
    `, ${percent(weak.confidence)}.`,
  );
}
