// The people who were recognised, around A and around B, until they join: as a picture, and as a list of
// its links for the keyboard and for those who do not see it.

import { arrange, el, setText } from '../dom.js';
import { drawGraph, radiusOf } from '../graph-canvas.js';
import { GraphLayout } from '../graph-layout.js';
import { graphOf, linksInWords } from '../graph.js';
import { count, percent } from '../words.js';
import { Faces } from './faces.js';

const COLORS = ['ink', 'soft', 'mark', 'paper'];
/** So near to a line a finger means it, in pixels. */
const NEAR_PX = 10;

export class Graph extends HTMLElement {
  #heading = el('h2', { class: 'quiet' });
  #canvas = el('canvas', { role: 'img', testid: 'graph' });
  #pulses = el('div', { class: 'pulses', 'aria-hidden': 'true' });
  #tints = el('div', { hidden: true }, ...COLORS.map((name) => el('i', { class: name })));
  #summary = el('summary');
  #list = el('ul', { class: 'links', testid: 'links' });
  #fold = el('details', { class: 'as-list', testid: 'as-list' });
  #layout = new GraphLayout();
  #faces = new Faces(() => this.#redraw());
  #graph = { people: [], links: [] };
  #told = '';
  #rows = new Map();
  #pointed = null;
  #frame = 0;
  #isStill = matchMedia('(prefers-reduced-motion: reduce)');
  #observer = new ResizeObserver(() => this.#fit());
  #colors = null;
  #names = []; // where they stood when they were drawn last

  connectedCallback() {
    if (!this.contains(this.#canvas)) {
      const stage = el('div', { class: 'stage' }, this.#canvas, this.#pulses, this.#tints);
      this.#fold.append(this.#summary, this.#list);
      this.#fold.addEventListener('toggle', () => this.#write());
      this.append(this.#heading, stage, this.#fold);
      this.#canvas.addEventListener('pointermove', (event) => this.#point(event));
      this.#canvas.addEventListener('pointerleave', () => this.#point(null));
      this.#canvas.addEventListener('click', (event) => this.#click(event));
    }
    this.#observer.observe(this.#canvas);
  }

  disconnectedCallback() {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  render(state) {
    const graph = graphOf(state);
    this.hidden = graph.people.length === 0 || (state.phase === 'ended' && graph.links.length === 0);
    setText(this.#heading, state.phase === 'ended' ? 'Everybody who was seen' : 'Seen so far');
    this.#faces.take(state, graph.people);
    const told = JSON.stringify(graph);
    if (told === this.#told) return;
    this.#told = told;
    this.#graph = graph;
    this.#layout.take(graph);
    const said = `${count(graph.people.length, 'person', 'people')}, ${count(graph.links.length, 'link')}`;
    this.#canvas.setAttribute('aria-label', `A graph of ${said}; the list below says the same.`);
    setText(this.#summary, `As a list: ${said}`);
    this.#write();
    this.#redraw();
  }

  /** While it is open. A row is made once; a link that became part of the chain is marked and moved. */
  #write() {
    if (!this.#fold.open) return;
    const rows = linksInWords(this.#graph).map((link) => {
      const row = this.#rows.get(link.key) ?? this.#row(link);
      this.#rows.set(link.key, row);
      row.className = link.kind;
      setText(row.querySelector('.sure'), said(link));
      return row;
    });
    arrange(this.#list, rows);
    for (const [key, row] of this.#rows) if (!rows.includes(row)) this.#rows.delete(key);
  }

  #row({ key, kind, fromName, toName }) {
    const names = [el('bdi', {}, fromName), ' with ', el('bdi', {}, toName), ' '];
    const sure = el('span', { class: 'sure' });
    if (!isProven(kind)) return el('li', {}, ...names, sure);
    const press = { type: 'button', class: 'plain', on: { click: () => this.#show(key) } };
    return el('li', {}, el('button', press, ...names, sure));
  }

  #show(key) {
    this.dispatchEvent(new CustomEvent('vd-show', { detail: key, bubbles: true }));
  }

  #fit() {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0 || height === 0) return;
    const sharpness = Math.min(2, devicePixelRatio || 1);
    this.#canvas.width = Math.round(width * sharpness);
    this.#canvas.height = Math.round(height * sharpness);
    this.#canvas.getContext('2d').setTransform(sharpness, 0, 0, sharpness, 0, 0);
    this.#layout.resize(width, height);
    this.#redraw();
  }

  #redraw() {
    this.#colors = null;
    if (this.#frame === 0 && this.isConnected) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0) return;
    if (this.#isStill.matches) this.#layout.settle();
    const isMoving = this.#layout.step();
    this.#colors ??= this.#tinted();
    const { nodes, links } = this.#layout;
    this.#names = drawGraph(
      this.#canvas.getContext('2d'),
      { width, height, nodes, links },
      { ...this.#colors, faces: this.#faces.drawn, pointed: this.#pointed, before: this.#names },
    );
    this.#pulse(nodes);
    if (isMoving) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  /** Whoever is searched for pulses: by style, so that nothing has to be drawn for it. */
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

  /** A canvas knows no custom properties: what they come to is read from elements that have them. */
  #tinted() {
    const tints = [...this.#tints.children];
    const colors = tints.map((tint, i) => [COLORS[i], getComputedStyle(tint).color]);
    return { colors: Object.fromEntries(colors), font: getComputedStyle(this).fontFamily };
  }

  #point(event) {
    const pointed = event && this.#personAt(event);
    this.#canvas.style.cursor = event && (pointed || this.#linkAt(event)) ? 'pointer' : '';
    const id = pointed?.person.id ?? null;
    if (id === this.#pointed) return;
    this.#pointed = id;
    this.#redraw();
  }

  /** The photo of a line, or the surest one of a person. */
  #click(event) {
    const person = this.#personAt(event)?.person;
    const key = person ? this.#bestOf(person.id) : this.#linkAt(event)?.key;
    if (key) this.#show(key);
  }

  #bestOf(id) {
    const own = linksInWords(this.#graph).filter(({ from, to }) => from === id || to === id);
    return own.find(({ kind }) => isProven(kind))?.key;
  }

  #personAt({ offsetX, offsetY }) {
    const { nodes } = this.#layout;
    const away = ({ x, y }) => Math.hypot(x - offsetX, y - offsetY);
    const near = nodes.filter((node) => away(node) < radiusOf(node.person, nodes.length) + NEAR_PX);
    return near.sort((one, other) => away(one) - away(other))[0];
  }

  #linkAt({ offsetX, offsetY }) {
    const away = ({ source, target }) => distance(source, target, offsetX, offsetY);
    const near = this.#layout.links.filter(({ link }) => isProven(link.kind));
    const nearest = near.sort((one, other) => away(one) - away(other))[0];
    return nearest && away(nearest) < NEAR_PX ? nearest.link : null;
  }
}

/** From a point to a line between two others. */
function distance(from, to, x, y) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(from.x + part * dx - x, from.y + part * dy - y);
}

const UNPROVEN = { guess: 'a guess, not seen', hint: 'a hint, not seen' };
const isProven = (kind) => !(kind in UNPROVEN);

const said = ({ kind, confidence }) =>
  UNPROVEN[kind] ?? `${percent(confidence)}${kind === 'path' ? ', in the chain' : ''}`;
