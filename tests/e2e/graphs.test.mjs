// Fifty results of the sandbox's world, drawn at three widths, with names as wide as a browser draws them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { radiusOf } from '../../public/graph-canvas.js';
import { GraphLayout } from '../../public/graph-layout.js';
import { placeNames } from '../../public/graph-names.js';
import { graphOf } from '../../public/graph.js';
import { blank, reduce } from '../../public/model.js';
import { assertClearChain, assertNamesApart, GRAPH_HEIGHT_PX, WIDTHS_PX } from '../page/graph-checks.mjs';
import { launch, on } from './page.mjs';
import { investigation, ownPair, read } from './support.mjs';

const RESULTS = 50;
const AT_ONCE = 5;

/** A tester starts more runs than a visitor may. */
const NO_LIMITS = Object.fromEntries(
  ['DAILY_SEARCHES', 'DAILY_RECOGNITIONS', 'DAILY_USD', 'LIVE_RUNS_MAX',
    'LIVE_RUNS_PER_CLIENT_MAX', 'STARTS_PER_MINUTE_MAX'].map((name) => [name, 'none']),
);

let pair = null;
let browser = null;

before(async () => {
  [pair, browser] = await Promise.all([ownPair([], NO_LIMITS), launch()]);
});
after(() => Promise.all([pair?.stop(), browser?.close()]));

/** The state of the page after a whole run. */
async function resultOf({ a, b }) {
  const { events } = await read(investigation(pair.base, { a, b }));
  let state = reduce(blank(), { kind: 'starting', a, b });
  state = reduce(state, { kind: 'following', run: events[0].data.runId });
  events.forEach(({ data }, i) => {
    state = reduce(state, { kind: 'event', n: i + 1, event: data });
  });
  return state;
}

/** All pairs of the people whom results name. */
function pairsOf(states) {
  const seen = states.flatMap((state) => graphOf(state).people.filter(({ isSeen }) => isSeen));
  const names = [...new Set(seen.map(({ name }) => name))].sort();
  return names.flatMap((a, i) => names.slice(i + 1).map((b) => ({ a, b })));
}

/** Results of pairs of people of the world: those whom a first result names, and whom the results of some of them name. */
async function results() {
  const first = await resultOf(pair.example);
  const beside = await Promise.all(pairsOf([first]).slice(0, AT_ONCE).map(resultOf));
  const pairs = pairsOf([first, ...beside]);
  const step = Math.max(1, Math.floor(pairs.length / RESULTS));
  const chosen = pairs.filter((_, i) => i % step === 0).slice(0, RESULTS - 1);
  const states = [first];
  while (chosen.length > 0) {
    states.push(...(await Promise.all(chosen.splice(0, AT_ONCE).map(resultOf))));
  }
  return states;
}

/** How wide a browser draws each text. */
async function widthsOf(page, texts) {
  const widths = await page.evaluate((all) => {
    const root = document.querySelector('visual-degrees').shadowRoot;
    const graph = root.querySelector('vd-graph');
    const context = document.createElement('canvas').getContext('2d');
    context.font = `13px ${getComputedStyle(graph).fontFamily}`;
    return all.map((text) => context.measureText(text).width);
  }, texts);
  return new Map(texts.map((text, i) => [text, widths[i]]));
}

test('fifty results at three widths: no name lies on another, and the chain passes through nobody', async () => {
  const states = await results();
  const graphs = states.map(graphOf);
  assert.equal(graphs.length, RESULTS);
  const page = await browser.newPage();
  await page.goto(`${pair.base}/runs/${states[0].run}`);
  await on(page, 'graph').waitFor();
  // The texts that names come to are found by placing them once; what a browser measures is used then.
  const asked = new Set();
  const placed = (measure, check) => graphs.forEach((graph, i) => WIDTHS_PX.forEach((width) => {
    const layout = new GraphLayout();
    layout.resize(width, GRAPH_HEIGHT_PX);
    layout.take(graph);
    layout.settle();
    const radius = ({ person }) => radiusOf(person, layout.nodes.length);
    const given = { width, height: GRAPH_HEIGHT_PX, measure, radiusOf: radius };
    check(placeNames(layout.nodes, given), layout, radius, width, `result ${i + 1}, ${width} px`);
  }));
  const noted = (text) => {
    asked.add(text);
    return Infinity;
  };
  placed(noted, () => {});
  const widths = await widthsOf(page, [...asked]);
  let [chains, named] = [0, 0];
  placed((text) => widths.get(text), (names, layout, radius, width, which) => {
    assertNamesApart(names, width, which);
    assertClearChain(layout, radius, which);
    chains += layout.links.some(({ link }) => link.kind === 'path') ? 1 : 0;
    named += names.length;
  });
  assert.ok(chains >= 60 && named > 500, `${chains} chains, ${named} names`);
});
