// A photo with its faces marked: the edge's two people with a thick ring, the others faintly. Boxes are fractions of
// the picture, so they are placed in percent over it.

import { el, picture } from '../dom.js';
import { placed } from '../tags.js';
import { percent } from '../words.js';

// The shape of the frame, as in style.css. The whole photo fits into it, since a cropped photo proves less.
const FRAME_RATIO = 3 / 2;

export class Photo extends HTMLElement {
  /** `pair` has the ids of the two people of the proof; only two names fit. */
  show(photo, pair, alt) {
    const print = el('div', { class: 'print' });
    const frame = el('div', { class: 'frame' }, print);
    const image = picture([photo.imageUrl, photo.thumbnailUrl].filter(Boolean), {
      alt,
      loading: 'lazy',
      loaded: (img) => {
        const share = fit(print, img);
        print.append(...boxes(photo.faces, pair, share, frame.clientWidth));
        print.classList.add('ready');
      },
      gone: () => frame.replaceChildren(unreachable()),
    });
    if (frame.contains(print)) print.append(image);
    this.replaceChildren(frame);
    if (photo.faces.length > 0) this.append(enlarge(this, photo));
  }
}

const unreachable = () =>
  el('p', { class: 'unreachable' }, 'The photo is no longer reachable at its source.');

/** Creates the button that asks the page to enlarge the photo. */
function enlarge(host, photo) {
  const click = () =>
    host.dispatchEvent(new CustomEvent('vd-enlarge', { detail: photo, bubbles: true }));
  const label = 'Show this photo in large, with all faces';
  return el('button', { type: 'button', class: 'enlarge', 'aria-label': label, title: label, on: { click } }, '⤢');
}

/** Returns the share of the frame's width that the photo takes: a portrait format leaves margins. */
function fit(print, image) {
  const ratio = image.naturalWidth / image.naturalHeight || FRAME_RATIO;
  const share = Math.min(1, ratio / FRAME_RATIO);
  print.style.width = `${share * 100}%`;
  print.style.height = `${Math.min(1, FRAME_RATIO / ratio) * 100}%`;
  return share;
}

function boxes(faces, pair, share, widthPx) {
  const drawn = faces.filter((face) => face.box);
  const proof = drawn.filter((face) => pair.includes(face.id));
  const others = drawn.filter((face) => !pair.includes(face.id));
  const names = proof.length > 2 ? [] : placed(proof.map(tagged), drawn.map(({ box }) => box), share, widthPx);
  return [
    ...others.map((face) => unnamed(face)),
    ...proof.map((face, i) => (names[i] ? named(face, names[i]) : ringed(face))),
  ];
}

const tagged = (face) => ({ box: face.box, letters: label(face).length });

function marked(face, style) {
  const { left, top, width, height } = face.box;
  const node = el('div', { class: style, 'aria-hidden': 'true' });
  node.style.left = `${left * 100}%`;
  node.style.top = `${top * 100}%`;
  node.style.width = `${width * 100}%`;
  node.style.height = `${height * 100}%`;
  return node;
}

function ringed(face) {
  const node = marked(face, 'face proof');
  node.title = label(face);
  return node;
}

function unnamed(face) {
  const node = marked(face, 'face other');
  node.title = face.name;
  return node;
}

function named(face, { isAbove, side }) {
  const node = marked(face, 'face proof');
  const name = el('bdi', {}, face.name);
  const tag = el('span', { class: `tag ${side}` }, name, ` ${percent(face.confidence)}`);
  tag.classList.toggle('above', isAbove);
  node.append(tag);
  return node;
}

const label = (face) => `${face.name} ${percent(face.confidence)}`;
