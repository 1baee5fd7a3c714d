// The canvas on which a graph is drawn and moves, with touch and mouse input. A frame is drawn only while something
// moves.

import { el } from '../dom.js';
import { drawGraph, radiusOf } from '../graph-canvas.js';
import { GraphLayout } from '../graph-layout.js';
import { Pace } from '../graph-pace.js';
import { Stamps } from '../graph-stamps.js';
import { isProven } from '../graph.js';
import { Faces } from './faces.js';

const COLORS = ['ink', 'soft', 'mark', 'paper'];
/** The greatest distance from a line at which a press counts as on the line, in pixels. */
const NEAR_PX = 10;

export class GraphStage {
  #canvas = el('canvas', { role: 'img', testid: 'graph' });
  #pulses = el('div', { class: 'pulses', 'aria-hidden': 'true' });
  #tints = el('div', { hidden: true }, ...COLORS.map((name) => el('i', { class: name })));
  node = el('div', { class: 'stage' }, this.#canvas, this.#pulses, this.#tints);
  #layout = new GraphLayout();
  #faces = new Faces(() => this.redraw());
  #stamps = new Stamps();
  #pace = new Pace();
  #pressed;
  #pointed = null;
  #frame = 0;
  #isStill = matchMedia('(prefers-reduced-motion: reduce)');
  #observer = new ResizeObserver(() => this.#fit());
  #colors = null;
  #names = []; // where the names were placed in the last drawing

  /** `pressed` are the handlers of a press on a person or on a link: `{person(person), link(link)}`. */
  constructor(pressed) {
    this.#pressed = pressed;
    this.#canvas.addEventListener('pointermove', (event) => this.#hover(event));
    this.#canvas.addEventListener('pointerleave', () => this.#hover(null));
    this.#canvas.addEventListener('click', (event) => this.#click(event));
  }

  /** Starts observing sizes and input. Must be called once the element is in a document. */
  connect() {
    this.#observer.observe(this.#canvas);
  }

  disconnect() {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Draws a graph in the form of `graphOf`; `label` describes it for screen readers. */
  take(graph, label) {
    this.#canvas.setAttribute('aria-label', label);
    this.#layout.take(graph);
    this.redraw();
  }

  /** Draws faces of these people, from the photos of the state's edges. */
  takeFaces(state, people) {
    this.#faces.take(state, people);
  }

  /** Marks a person as pointed at, as the mouse does; nobody if `id` is null. */
  point(id) {
    if (id === this.#pointed) return;
    this.#pointed = id;
    this.redraw();
  }

  redraw() {
    this.#colors = null;
    if (this.#frame === 0 && this.node.isConnected) this.#frame = requestAnimationFrame((now) => this.#draw(now));
  }

  #fit() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0 || height === 0) return;
    const sharpness = Math.min(2, devicePixelRatio || 1);
    this.#canvas.width = Math.round(width * sharpness);
    this.#canvas.height = Math.round(height * sharpness);
    this.#canvas.getContext('2d').setTransform(sharpness, 0, 0, sharpness, 0, 0);
    this.#layout.resize(width, height);
    this.redraw();
  }

  #draw(now) {
    this.#frame = 0;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0) return;
    if (this.#isStill.matches) this.#layout.settle();
    const isMoving = this.#layout.step();
    this.#pace.frame(now, isMoving);
    this.#colors ??= this.#tinted();
    const { nodes, links } = this.#layout;
    this.#names = drawGraph(
      this.#canvas.getContext('2d'),
      { width, height, nodes, links },
      {
        ...this.#colors,
        faces: this.#faces.drawn,
        stamps: this.#stamps,
        pointed: this.#pointed,
        before: this.#names,
        isHasty: isMoving && this.#pace.isBehind,
      },
    );
    this.#pulse(nodes);
    if (isMoving) this.#frame = requestAnimationFrame((later) => this.#draw(later));
  }

  /** Makes people who are searched for pulse. This is done by CSS, so that the canvas need not be redrawn. */
  #pulse(nodes) {
    const searched = nodes.filter(({ person }) => person.isSearched);
    const rings = this.#pulses.children;
    while (rings.length < searched.length) this.#pulses.append(el('span'));
    while (rings.length > searched.length) rings[rings.length - 1].remove();
    searched.forEach(({ x, y, person }, i) => {
      const size = 2 * radiusOf(person, nodes.length);
      rings[i].style.width = `${size}px`;
      rings[i].style.transform = `translate(${x - size / 2}px, ${y - size / 2}px)`;
    });
  }

  /** Reads the colours. A canvas knows no custom properties, so elements that use them are created and read. */
  #tinted() {
    const tints = [...this.#tints.children];
    const colors = tints.map((tint, i) => [COLORS[i], getComputedStyle(tint).color]);
    return { colors: Object.fromEntries(colors), font: getComputedStyle(this.node).fontFamily };
  }

  #hover(event) {
    const pointed = event && this.#personAt(event);
    this.#canvas.style.cursor = event && (pointed || this.#linkAt(event)) ? 'pointer' : '';
    this.point(pointed?.person.id ?? null);
  }

  #click(event) {
    const person = this.#personAt(event)?.person;
    const link = person ? null : this.#linkAt(event);
    if (person) this.#pressed.person(person);
    else if (link) this.#pressed.link(link);
  }

  #personAt({ offsetX, offsetY }) {
    const { nodes } = this.#layout;
    const away = ({ x, y, person }) => {
      const own = Math.hypot(x - offsetX, y - offsetY);
      return own < radiusOf(person, nodes.length) + NEAR_PX ? own : Infinity;
    };
    return nearest(nodes, away, Infinity);
  }

  #linkAt({ offsetX, offsetY }) {
    const away = ({ link, source, target }) =>
      isProven(link.kind) ? distance(source, target, offsetX, offsetY) : Infinity;
    return nearest(this.#layout.links, away, NEAR_PX)?.link ?? null;
  }
}

/**
 * The nearest item of a list, if it is closer than `most`, or else null. This runs on each move of the pointer, for up
 * to a thousand items.
 */
function nearest(list, awayOf, most) {
  let [found, least] = [undefined, most];
  for (const one of list) {
    const away = awayOf(one);
    if (away < least) [found, least] = [one, away];
  }
  return found;
}

/** The distance of a point from a line between two others. */
function distance(from, to, x, y) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(from.x + part * dx - x, from.y + part * dy - y);
}
