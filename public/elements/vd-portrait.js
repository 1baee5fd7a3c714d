// A square cut out of an evidence photo around one face; the person's initials if there is none.

import { el, picture } from '../dom.js';

// The margin around the face box, which alone would cut hair and chin.
const ROOM = 1.75;

export class Portrait extends HTMLElement {
  #shown = null;

  /** `portrait` is `{urls, box}` or null. */
  show(name, portrait) {
    const wanted = JSON.stringify([name, portrait]);
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    this.setAttribute('aria-hidden', 'true');
    this.replaceChildren(el('span', { class: 'initials' }, initials(name)));
    if (!portrait) return;
    const image = picture(portrait.urls, {
      loaded: (img) => {
        cut(img, portrait.box);
        img.classList.add('ready');
      },
      gone: () => image.remove(),
    });
    this.append(image);
  }
}

function cut(image, box) {
  const { naturalWidth: width, naturalHeight: height } = image;
  if (!width || !height) return;
  const wanted = Math.max(box.width * width, box.height * height) * ROOM;
  const side = Math.min(wanted, width, height);
  const left = edge((box.left + box.width / 2) * width - side / 2, width - side);
  const top = edge((box.top + box.height / 2) * height - side / 2, height - side);
  image.style.width = `${(width / side) * 100}%`;
  image.style.height = `${(height / side) * 100}%`;
  image.style.left = `${(-left / side) * 100}%`;
  image.style.top = `${(-top / side) * 100}%`;
}

const edge = (value, most) => Math.min(Math.max(0, value), Math.max(0, most));

function initials(name) {
  const words = name.split(/\s+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return ends.map((word) => [...word][0].toUpperCase()).join('') || '?';
}
