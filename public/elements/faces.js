// Small round pictures of people, cut out of the photos in which they were recognised.

import { picture } from '../dom.js';
import { portraitOf } from '../views.js';

/** The side of a face's picture in pixels. It is twice the drawn size, for high-density screens. */
const SIDE_PX = 68;
/** The most people with faces in a graph. If there are more, there is no space for faces. */
const FACES_MAX = 60;
/** How many times larger a face's picture is than the face's box. The box alone would cut off hair and chin. */
const ROOM = 1.5;

export class Faces {
  /** The canvases with faces, by the id of the person. */
  drawn = new Map();
  #asked = new Map();
  #onFace;

  /** `onFace()` is called whenever a face was loaded. */
  constructor(onFace) {
    this.#onFace = onFace;
  }

  /** Loads the faces of these people. Each is loaded once, even if a sharper photo is found later. */
  take(state, people) {
    for (const id of this.#asked.keys()) {
      if (people.some((person) => person.id === id)) continue;
      this.#asked.delete(id);
      this.drawn.delete(id);
    }
    if (people.length > FACES_MAX) return;
    for (const { id } of people) {
      if (this.#asked.has(id)) continue;
      const portrait = portraitOf(state, id);
      if (portrait) this.#fetch(id, portrait);
    }
  }

  #fetch(id, { urls, box }) {
    const mine = Symbol(id);
    this.#asked.set(id, mine);
    // The small copy of a photo is sharp enough and loads faster, so it is tried first.
    picture([...urls].reverse(), {
      loaded: (image) => {
        if (this.#asked.get(id) !== mine) return;
        this.drawn.set(id, cut(image, box));
        this.#onFace();
      },
    });
  }
}

function cut(image, box) {
  const { naturalWidth: width, naturalHeight: height } = image;
  const side = Math.min(Math.max(box.width * width, box.height * height) * ROOM, width, height);
  const left = within((box.left + box.width / 2) * width - side / 2, width - side);
  const top = within((box.top + box.height / 2) * height - side / 2, height - side);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE_PX;
  canvas.height = SIDE_PX;
  const context = canvas.getContext('2d');
  context.beginPath();
  context.arc(SIDE_PX / 2, SIDE_PX / 2, SIDE_PX / 2, 0, 2 * Math.PI);
  context.clip();
  context.drawImage(image, left, top, side, side, 0, 0, SIDE_PX, SIDE_PX);
  return canvas;
}

const within = (value, most) => Math.min(Math.max(0, value), Math.max(0, most));
