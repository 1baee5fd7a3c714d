// Shows the last picture of the page in the run's browser, and marks the place of the last action after that picture.

import { shown } from '../run-page/told-words.js';
import { el, setText } from '../dom.js';
import { runPath } from '../route.js';

const SVG = 'http://www.w3.org/2000/svg';
const ADDRESS_CHARS_MAX = 200;

export class AutomatonPage extends HTMLElement {
  #image = el('img', { decoding: 'async', testid: 'page-picture' });
  #marker = marker();
  #frame = el('div', { class: 'screen' }, this.#image, this.#marker);
  #address = el('p', { class: 'address', testid: 'page-address' });
  #where = el('p', { class: 'small', testid: 'page-click' });
  #drawn = [];
  #last = null;
  server = null; // the server from which pictures are loaded

  connectedCallback() {
    if (this.contains(this.#frame)) return;
    const heading = el('div', { class: 'head' }, el('h2', { class: 'quiet' }, 'The page'));
    this.append(heading, this.#address, this.#frame, this.#where);
    this.#image.addEventListener('load', () => {
      this.#frame.hidden = false;
      this.#mark();
    });
    this.#image.addEventListener('error', () => {
      this.#frame.hidden = true;
      setText(this.#where, 'Its picture could not be fetched.');
    });
  }

  render({ state, graph }) {
    const { picture, look, click, run, isFile } = state;
    this.hidden = look === null && picture === null;
    if (this.hidden) {
      this.#forget();
      return;
    }
    const now = [run, picture, look, click, isFile];
    if (now.every((value, i) => value === this.#drawn[i]) && this.#drawn.length > 0) return;
    this.#drawn = now;
    this.#last = { state, graph };
    const url = look?.url || picture?.url || 'A page without an address';
    this.#address.replaceChildren(el('bdi', {}, shown(url, ADDRESS_CHARS_MAX)));
    const address = picture && !isFile ? this.server.address(`${runPath(run)}/artifacts/${picture.digest}`) : '';
    if (!address) this.#forgetPicture();
    else {
      this.#image.alt = `The page ${shown(picture.url, ADDRESS_CHARS_MAX)}, as it was looked at`;
      // Two pages may look alike and then have the same picture, which is already loaded.
      if (this.#image.src !== address) this.#image.src = address;
    }
    this.#mark();
  }

  /**
   * Marks the last action's point, which is in the page's own pixels. If the page was scrolled since the picture, the
   * point may be outside of the picture.
   */
  #mark() {
    const { state, graph } = this.#last ?? {};
    if (!state) return;
    const { picture, click, look, isFile } = state;
    const { naturalWidth: width, naturalHeight: height } = this.#image;
    const isSeen = Boolean(click?.isPictured) && width > 0 && isWithin(click.point, width, height);
    this.#marker.toggleAttribute('hidden', !isSeen);
    if (isSeen) {
      this.#marker.style.left = `${(click.point.x / width) * 100}%`;
      this.#marker.style.top = `${(click.point.y / height) * 100}%`;
    }
    if (isFile && picture) {
      setText(this.#where, `A sealed file has no pictures; the digest of this one is ${picture.digest}.`);
      return;
    }
    if (!picture) {
      setText(this.#where, 'No picture is kept of it.');
      return;
    }
    const parts = [click && clickWords(click, graph, isSeen, width > 0), look?.url !== picture.url && EARLIER];
    setText(this.#where, parts.filter(Boolean).join(' '));
  }

  #forget() {
    this.#drawn = [];
    this.#last = null;
    this.#forgetPicture();
  }

  #forgetPicture() {
    this.#frame.hidden = true;
    this.#marker.toggleAttribute('hidden', true);
    this.#image.removeAttribute('src');
    this.#image.alt = '';
  }
}

const EARLIER = 'The picture is of an earlier look.';

const isWithin = ({ x, y }, width, height) => x >= 0 && y >= 0 && x <= width && y <= height;

function clickWords({ point, node, line, isPictured }, graph, isSeen, isLoaded) {
  const name = graph?.nodes.find(({ id }) => id === node)?.name ?? 'a state';
  const [x, y] = [Math.round(point.x), Math.round(point.y)];
  const what = `Action ${line} of ${shown(name, 120)} was done at ${x}, ${y}`;
  if (!isPictured) return `${what}, on a page of which no picture is kept.`;
  return isSeen || !isLoaded ? `${what}: the cross.` : `${what}, outside of what this picture shows.`;
}

/** A cross in a ring, visible on light and dark pages. */
function marker() {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({ viewBox: '-20 -20 40 40', class: 'clicked', 'aria-hidden': 'true' })) {
    svg.setAttribute(name, value);
  }
  for (const layer of ['under', 'over']) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', layer);
    path.setAttribute('d', 'M-18 0H-5M5 0H18M0 -18V-5M0 5V18M12 0A12 12 0 1 1 -12 0A12 12 0 1 1 12 0');
    svg.append(path);
  }
  svg.toggleAttribute('hidden', true);
  return svg;
}
