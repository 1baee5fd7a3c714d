// The graph of what is run: drawn, with keyboard navigation along its edges, or as a list if it is too large. It
// scrolls in its own box, so that touch, wheel and keyboard work as on any page.

import { el, setText } from '../dom.js';
import { Drawing } from './drawing.js';
import { count } from '../words.js';
import { CARD, layoutOf, NODES_DRAWN_MAX } from './layout.js';
import { LongList } from './long-list.js';
import { move, ways } from './moves.js';
import { blankRun } from './run-state.js';

const KEYS = ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End'];
const SCALE = { least: 0.25, most: 1.6, step: 1.25, atFirst: 0.85 };
const AROUND_PX = 60;
const BESIDE_PX = 12;
const HELP = 'Arrow keys go along the edges, Enter opens what is known of one.';

export class RunPageGraph extends HTMLElement {
  #heading = el('h2', { class: 'quiet' }, 'The graph');
  #note = el('p', { class: 'small', hidden: true, testid: 'too-large' });
  #legend = el('p', { class: 'small legend', testid: 'legend' });
  #help = el('p', { class: 'small help', id: 'graph-help' }, HELP);
  #follow = el('button', { type: 'button', 'aria-pressed': 'true', testid: 'follow' }, 'Follow');
  #tools = el('div', { class: 'tools', role: 'group', 'aria-label': 'View of the graph' });
  #sized = el('div', { class: 'sized' });
  #stage = el(
    'div', { class: 'stage', role: 'group', 'aria-label': 'Graph', 'aria-describedby': 'graph-help' }, this.#sized,
  );
  #shown = null; // a Drawing or a LongList
  #graph = null;
  #ways = null;
  #scale = 1;
  #tabbed = ''; // the one node that the Tab key reaches
  #came = '';
  #followed = '';
  #isStill = matchMedia('(prefers-reduced-motion: reduce)');
  #last = { state: blankRun(), chosen: '', remarks: [] };

  connectedCallback() {
    if (this.contains(this.#stage)) return;
    const button = (label, words, click) =>
      el('button', { type: 'button', 'aria-label': label, title: label, on: { click } }, words);
    this.#tools.append(
      button('Smaller', '−', () => this.#zoom(this.#scale / SCALE.step)),
      button('Larger', '+', () => this.#zoom(this.#scale * SCALE.step)),
      button('The whole graph', 'Whole', () => this.#zoom(this.#whole())),
      this.#follow,
    );
    this.append(el('div', { class: 'head' }, this.#heading, this.#tools), this.#note, this.#stage, this.#legend, this.#help);
    this.#follow.addEventListener('click', () => this.#setFollowing(!this.#isFollowing));
    this.#stage.addEventListener('click', ({ target }) => this.#choose(idAt(target)));
    this.#stage.addEventListener('focusin', ({ target }) => this.#focused(idAt(target)));
    this.#stage.addEventListener('pointerover', ({ target, pointerType }) => {
      if (pointerType === 'mouse') this.#tell('run-page-point', idAt(target));
    });
    this.#stage.addEventListener('pointerleave', () => this.#tell('run-page-point', ''));
    this.#stage.addEventListener('keydown', (event) => this.#press(event));
    this.#stage.addEventListener('pointerdown', (event) => this.#drag(event));
    this.#stage.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  /** Shows a graph; nothing if `graph` is null. */
  render({ graph, state, chosen, remarks }) {
    this.hidden = graph === null;
    if (graph !== this.#graph) this.#take(graph);
    this.#last = { state, chosen, remarks };
    if (!graph) return;
    this.#follow.hidden = state.phase !== 'running';
    // The failed node is scrolled to even if all events came at once.
    const goal = state.phase === 'running' ? state.at : (state.outcome?.node ?? '');
    if (goal) this.#followTo(goal);
    else this.#followed = '';
    this.#shown.render(this.#last);
  }

  /** Moves the focus to a node. */
  focusOn(id) {
    this.#shown?.turnTo?.(id);
    this.#retab(id);
    this.#shown?.render(this.#last);
    this.#shown?.buttonOf(id)?.focus();
  }

  /** Scrolls until a node is no longer covered by the element `over`. */
  reveal(id, over) {
    const card = this.#shown?.buttonOf(id);
    if (!card || getComputedStyle(over).position !== 'sticky') return;
    const covered = () => card.getBoundingClientRect().bottom + BESIDE_PX - over.getBoundingClientRect().top;
    if (covered() > 0) this.#stage.scrollBy({ top: covered(), behavior: 'instant' });
    // The last nodes cannot be scrolled higher inside the graph's box, so the page is scrolled.
    if (covered() > 0) scrollBy({ top: covered(), behavior: 'instant' });
  }

  /** Shows a new graph. If it belongs to the same family as the shown one, the scroll position, zoom and focus stay. */
  #take(graph) {
    const before = graph?.family && graph.family === this.#graph?.family ? this.#place() : null;
    this.#graph = graph;
    this.#sized.replaceChildren();
    this.#shown = null;
    if (!graph) return;
    this.#make(graph);
    if (before) this.#takeUp(before);
    else this.#begin();
  }

  #make(graph) {
    const noun = graph.noun ?? 'node';
    const layout = layoutOf(graph);
    const turned = () => {
      this.#setFollowing(false);
      this.#retab('');
      this.#shown.render(this.#last);
    };
    this.#shown = layout ? new Drawing(graph, layout) : new LongList(graph, turned);
    this.#ways = ways(graph, layout?.rows ?? graph.nodes.map(({ id }) => [id]));
    this.#sized.append(this.#shown.node);
    this.#note.hidden = layout !== null;
    this.#tools.hidden = layout === null;
    const isMany = graph.nodes.length > NODES_DRAWN_MAX;
    const size = isMany ? `has ${count(graph.nodes.length, noun)}` : `has ${noun}s that are very tangled`;
    setText(this.#legend, (layout && graph.note) || '');
    setText(this.#note, layout ? '' : `It ${size}: too much to be drawn. They stand here as a list.`);
    this.#stage.setAttribute('aria-label', `Graph of ${count(graph.nodes.length, noun)}`);
  }

  #begin() {
    const { layout } = this.#shown;
    this.#retab('');
    this.#setFollowing(true);
    if (!layout) this.#size(1, '', '');
    else this.#zoom(Math.min(1, Math.max(SCALE.atFirst, this.#stage.clientWidth / layout.width)));
    this.#stage.scrollTo(layout ? this.#besideTheFirst(layout) : 0, 0);
  }

  #place() {
    const { scrollLeft, scrollTop } = this.#stage;
    return { scrollLeft, scrollTop, tabbed: this.#tabbed, hasFocus: this.#stage.contains(document.activeElement) };
  }

  #takeUp({ scrollLeft, scrollTop, tabbed, hasFocus }) {
    if (this.#shown.layout) this.#zoom(this.#scale);
    this.#shown.turnTo?.(tabbed);
    this.#retab(tabbed);
    this.#stage.scrollTo(scrollLeft, scrollTop);
    if (hasFocus) this.#shown.buttonOf(this.#tabbed)?.focus({ preventScroll: true });
    this.#followed = '';
  }

  /** Centres the first node, if the graph is wider than its box. */
  #besideTheFirst({ cards }) {
    return (cards[0].x + CARD.width / 2) * this.#scale - this.#stage.clientWidth / 2;
  }

  #whole() {
    const { width, height } = this.#shown.layout;
    const [inWidth, inHeight] = [this.#stage.clientWidth / width, (innerHeight * 0.7) / height];
    return Math.min(1, inWidth, inHeight);
  }

  /** Zooms around the centre. */
  #zoom(scale) {
    const { layout, node } = this.#shown;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#stage;
    const before = this.#scale;
    this.#scale = Math.min(SCALE.most, Math.max(SCALE.least, scale));
    node.style.transform = `scale(${this.#scale})`;
    this.#size(this.#scale, `${layout.width * this.#scale}px`, `${layout.height * this.#scale}px`);
    const kept = (scroll, size) => ((scroll + size / 2) * this.#scale) / before - size / 2;
    this.#stage.scrollTo(kept(scrollLeft, clientWidth), kept(scrollTop, clientHeight));
  }

  #size(scale, width, height) {
    this.#scale = scale;
    this.#sized.style.width = width;
    this.#sized.style.height = height;
  }

  get #isFollowing() {
    return this.#follow.getAttribute('aria-pressed') === 'true';
  }

  #setFollowing(isOn) {
    this.#follow.setAttribute('aria-pressed', String(isOn));
    this.#followed = '';
    if (isOn && this.#last.state.phase === 'running') this.#followTo(this.#last.state.at);
  }

  #followTo(id) {
    if (!id || id === this.#followed || !this.#isFollowing) return;
    this.#followed = id;
    this.#shown.turnTo?.(id);
    const card = this.#shown.buttonOf(id);
    if (!card) return;
    const [outer, inner] = [this.#stage.getBoundingClientRect(), card.getBoundingClientRect()];
    // On a small screen the bottom of the stage may be below the window. So only the visible part of the stage counts.
    const isSeen = outer.top + CARD.height + 2 * AROUND_PX < innerHeight;
    const bottom = isSeen ? Math.min(outer.bottom, innerHeight) : outer.bottom;
    const behavior = this.#isStill.matches ? 'auto' : 'smooth';
    const by = (low, high, from, to) =>
      (low < from + AROUND_PX ? low - from - AROUND_PX : Math.max(0, high - to + AROUND_PX));
    const top = by(inner.top, inner.bottom, outer.top, bottom);
    const left = by(inner.left, inner.right, outer.left, outer.right);
    if (top !== 0 || left !== 0) this.#stage.scrollBy({ top, left, behavior });
  }

  #press(event) {
    const id = idAt(event.target);
    if (!id || !KEYS.includes(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#setFollowing(false);
    const to = move(this.#ways, id, event.key, this.#came);
    if (to === id) return;
    this.#came = id;
    this.focusOn(to);
  }

  #focused(id) {
    if (!id) return;
    this.#retab(id);
    this.#tell('run-page-point', id);
  }

  #choose(id) {
    if (!id) return;
    this.#setFollowing(false);
    this.#tell('run-page-choose', id);
  }

  /** Makes one node reachable by the Tab key; the arrow keys lead on from there. */
  #retab(id) {
    const ids = this.#shown?.ids ?? [];
    const next = ids.includes(id) ? id : (ids[0] ?? '');
    this.#shown?.buttonOf(this.#tabbed)?.setAttribute('tabindex', '-1');
    this.#shown?.buttonOf(next)?.setAttribute('tabindex', '0');
    this.#tabbed = next;
  }

  /** Drags the graph with the mouse. */
  #drag(event) {
    this.#setFollowing(false);
    // The pointer is captured only outside of buttons, since a captured pointer causes no click.
    const isPaper = !event.target.closest('button') && this.#shown?.layout;
    if (event.pointerType !== 'mouse' || event.button !== 0 || !isPaper) return;
    const moved = ({ movementX, movementY }) => this.#stage.scrollBy(-movementX, -movementY);
    const over = () => this.#stage.removeEventListener('pointermove', moved);
    this.#stage.setPointerCapture(event.pointerId);
    this.#stage.addEventListener('pointermove', moved);
    this.#stage.addEventListener('pointerup', over, { once: true });
    this.#stage.addEventListener('pointercancel', over, { once: true });
  }

  #wheel(event) {
    this.#setFollowing(false);
    if (!event.ctrlKey || !this.#shown?.layout) return;
    event.preventDefault();
    this.#zoom(this.#scale * (event.deltaY < 0 ? SCALE.step : 1 / SCALE.step));
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

const idAt = (target) => target.closest?.('.card')?.dataset.id ?? '';
