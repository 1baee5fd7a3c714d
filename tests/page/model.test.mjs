// The page's memory, without a browser: what a stream makes of the view.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blank, reduce } from '../../public/model.js';
import { box, fold, httpUrl } from '../../public/safe.js';
import { cardsOf, chainOf, metersOf, portraitOf } from '../../public/views.js';

const VALJEAN = { id: 'c17', name: 'Jean Valjean' };
const COSETTE = { id: 'c4', name: 'Cosette' };
const MARIUS = { id: 'c9', name: 'Marius' };
const FACE = { left: 0.1, top: 0.2, width: 0.1, height: 0.2 };

const evidence = (from, to, sure, more = {}) => ({
  from: from.id,
  to: to.id,
  fromName: from.name,
  toName: to.name,
  edgeConfidence: sure,
  evidence: [
    {
      ref: `ev-${from.id}-${to.id}`,
      imageUrl: 'https://photos.example/1.jpg',
      thumbnailUrl: 'https://photos.example/1-small.jpg',
      contextUrl: 'https://photos.example/page',
      title: '',
      query: `${from.name} event`,
      imageScore: sure,
      faces: [
        { ...from, confidence: 99, box: FACE },
        { ...to, confidence: sure, box: FACE },
      ],
      ...more,
    },
  ],
});

const status = (message, more = {}) => ({ type: 'status', state: 'S2', message, hop: 1, ...more });
const found = (...edge) => ({ type: 'evidence', edge: evidence(...edge) });
const grown = (...path) => ({ type: 'path_update', path, hop: path.length - 1 });
const final = {
  type: 'final',
  path: [VALJEAN, COSETTE, MARIUS],
  edges: [evidence(VALJEAN, COSETTE, 97.2), evidence(COSETTE, MARIUS, 88)],
  confidenceMap: { edges: { 'c17|c4': 97.2, 'c4|c9': 88 }, bottleneck: 88, cumulative: 0.85536 },
  graph: { nodes: [], edges: [], evidence: {} },
  spent: {},
  disclaimer: 'Seen together, not more.',
};

function begun(a = 'Jean Valjean', b = 'Marius') {
  return reduce(reduce(blank(), { kind: 'starting', a, b }), { kind: 'following', run: 's1.k3' });
}

function after(events, state = begun()) {
  return events.reduce(
    (s, event, i) => reduce(s, { kind: 'event', n: s.last + 1, event, at: i }),
    state,
  );
}

const drawn = (state) =>
  chainOf(state).map(
    (item) =>
      ({
        person: item.seen === false ? `(${item.name})` : item.name,
        link: item.confidence,
        gap: '...',
      })[item.kind],
  );

test('a repeated or older event is ignored', () => {
  const once = after([status('one'), status('two')]);
  for (const n of [1, 2]) {
    assert.equal(reduce(once, { kind: 'event', n, event: status('again') }), once);
  }
  assert.equal(reduce(once, { kind: 'event', n: 3, event: status('three') }).log.length, 3);
});

test('an unknown type and unknown members change nothing that is shown', () => {
  const state = after([status('one', { mood: 'calm' }), { type: 'weather', sky: 'blue' }]);
  assert.equal(state.last, 2);
  assert.equal(state.status.message, 'one');
});

test('events that are not what they should be do no harm', () => {
  const odd = [
    null,
    7,
    {},
    { type: 'status' },
    { type: 'evidence' },
    { type: 'evidence', edge: [] },
    { type: 'path_update', path: 'x' },
    { type: 'path_update', path: [null, {}] },
    { type: 'status', spent: 'much', budget: [], frontier: 3 },
  ];
  const state = after(odd.map((event) => event ?? {}));
  assert.deepEqual(state.edges, {});
  assert.deepEqual(drawn(state), ['(Jean Valjean)', '...', '(Marius)']);
  const end = after([{ type: 'final' }]);
  assert.equal(end.outcome.kind, 'final');
  assert.deepEqual(cardsOf(end), { path: [], aside: [] });
});

test('nothing counts after the last word', () => {
  const ended = after([{ type: 'no_path', message: 'None.', reason: 'stopped' }]);
  assert.equal(after([final], ended), ended);
  assert.equal(reduce(ended, { kind: 'connection', value: 'lost' }).connection, 'none');
});

test('the chain grows from both ends with a gap between', () => {
  const check = (events, expected) => assert.deepEqual(drawn(after(events)), expected);
  check([], ['(Jean Valjean)', '...', '(Marius)']);
  check(
    [found(VALJEAN, COSETTE, 97.2), grown(VALJEAN, COSETTE)],
    ['Jean Valjean', 97.2, 'Cosette', '...', '(Marius)'],
  );
  // B's side may be told towards B or away from B.
  for (const side of [
    [MARIUS, COSETTE],
    [COSETTE, MARIUS],
  ]) {
    check(
      [found(MARIUS, COSETTE, 88), grown(...side)],
      ['(Jean Valjean)', '...', 'Cosette', 88, 'Marius'],
    );
  }
  check(
    [grown(MARIUS, COSETTE), grown(VALJEAN, COSETTE, MARIUS)],
    ['Jean Valjean', null, 'Cosette', null, 'Marius'],
  );
});

test('a typed name stands for the recognised one whatever its case and accents', () => {
  const state = after([grown(VALJEAN, MARIUS)], begun('jean  valjean', 'MÁRIUS'));
  assert.deepEqual(drawn(state), ['Jean Valjean', null, 'Marius']);
});

test('a link is found in either direction of its edge', () => {
  const state = after([found(COSETTE, VALJEAN, 91), grown(VALJEAN, COSETTE)]);
  assert.deepEqual(drawn(state).slice(0, 3), ['Jean Valjean', 91, 'Cosette']);
});

test('final shows the path in its order, the weakest link, and the rest aside', () => {
  const other = { id: 'c5', name: 'Fantine' };
  const state = after([found(VALJEAN, other, 84), found(MARIUS, COSETTE, 88), final]);
  assert.equal(state.phase, 'ended');
  assert.deepEqual(drawn(state), ['Jean Valjean', 97.2, 'Cosette', 88, 'Marius']);
  assert.deepEqual(
    chainOf(state)
      .filter((item) => item.weakest)
      .map((item) => item.confidence),
    [88],
  );
  const { path, aside } = cardsOf(state);
  assert.deepEqual(
    path.map(({ edge }) => [edge.fromName, edge.toName]),
    [
      ['Jean Valjean', 'Cosette'],
      ['Cosette', 'Marius'],
    ],
  );
  assert.deepEqual(
    aside.map(({ photo, edges }) => [photo.ref, ...edges.map(({ toName }) => toName)]),
    [['ev-c17-c5', 'Fantine']],
  );
  assert.equal(state.outcome.bottleneck, 88);
  assert.equal(state.outcome.disclaimer, 'Seen together, not more.');
});

test('beside the chain there is one card a photo, however many links it proves', () => {
  const [fantine, javert] = [{ id: 'c5', name: 'Fantine' }, { id: 'c6', name: 'Javert' }];
  const sharing = (one, other, ...refs) => ({
    type: 'evidence',
    edge: { ...evidence(one, other, 84), evidence: refs.map((ref) => ({ ref })) },
  });
  const shown = [
    sharing(VALJEAN, COSETTE, 'of the chain'),
    sharing(VALJEAN, fantine, 'crowd'),
    sharing(fantine, javert, 'crowd', 'both'),
    sharing(COSETTE, javert, 'of the chain'),
  ];
  const cards = (events) =>
    cardsOf(after(events)).aside.map(({ photo, edges }) => [photo.ref, edges.length]);
  assert.deepEqual(cards([...shown, { ...final, edges: [] }]), [['crowd', 2], ['both', 1]]);
  const none = { type: 'no_path', reason: 'stopped' };
  assert.deepEqual(cards([...shown, none]), [['of the chain', 2], ['crowd', 2], ['both', 1]]);
});

test('what a chain is worth is kept as sentences and chains, and nothing else of it', () => {
  const certificate = {
    proven: [{ message: '2 photos of A with B', photos: 2 }, { message: 7 }, null],
    excluded: [{ message: 'no photo of A with C among 9 looked at' }],
    open: 'nonsense',
  };
  const otherPaths = [{ path: [VALJEAN, MARIUS] }, { path: [VALJEAN] }, 'nonsense'];
  const { outcome } = after([{ ...final, certificate, otherPaths }]);
  assert.deepEqual(outcome.certificate.proven, ['2 photos of A with B']);
  assert.deepEqual(outcome.certificate.excluded, ['no photo of A with C among 9 looked at']);
  assert.deepEqual(outcome.certificate.open, []);
  assert.deepEqual(
    outcome.certificate.others.map((path) => path.map((one) => one.name)),
    [['Jean Valjean', 'Marius']],
  );
  assert.deepEqual(after([final]).outcome.certificate.others, []);
});

test('an edge told again in short keeps the photo it had', () => {
  const short = {
    ...evidence(VALJEAN, COSETTE, 97.2),
    evidence: [{ ref: 'ev-c17-c4', imageScore: 97.2 }],
  };
  const state = after([found(VALJEAN, COSETTE, 97.2), { ...final, edges: [short] }]);
  const [{ edge }] = cardsOf(state).path;
  assert.equal(edge.photos.length, 1);
  assert.equal(edge.photos[0].imageUrl, 'https://photos.example/1.jpg');
  assert.equal(edge.photos[0].faces.length, 2);
});

test('an edge told again with a better photo shows that first', () => {
  const better = evidence(VALJEAN, COSETTE, 97, { ref: 'ev9' });
  const again = { ...better, evidence: [...better.evidence, ...evidence(VALJEAN, COSETTE, 90).evidence] };
  const state = after([found(VALJEAN, COSETTE, 90), { type: 'evidence', edge: again }]);
  const { photos, confidence } = Object.values(state.edges)[0];
  assert.deepEqual(photos.map((photo) => photo.score), [97, 90]);
  assert.equal(confidence, 97);
});

test('only http and https addresses are kept', () => {
  const check = (value, expected) => assert.equal(httpUrl(value), expected);
  check('https://photos.example/a.jpg', 'https://photos.example/a.jpg');
  check('http://photos.example/', 'http://photos.example/');
  for (const bad of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'data:image/png;base64,AA',
    '//photos.example/a',
    '/a.jpg',
    'blob:https://photos.example/1',
    '',
    null,
    7,
    {},
  ])
    check(bad, '');
  const state = after([
    {
      type: 'evidence',
      edge: evidence(VALJEAN, COSETTE, 90, {
        imageUrl: 'javascript:alert(1)',
        thumbnailUrl: 'data:text/html,x',
        contextUrl: 'javascript:alert(1)',
      }),
    },
  ]);
  const [photo] = Object.values(state.edges)[0].photos;
  assert.deepEqual([photo.imageUrl, photo.thumbnailUrl, photo.contextUrl], ['', '', '']);
  assert.equal(portraitOf(state, 'c17'), null);
});

test('a face box is cut to its picture or left out', () => {
  assert.deepEqual(box({ left: -0.25, top: 0.5, width: 0.5, height: 1 }), {
    left: 0,
    top: 0.5,
    width: 0.25,
    height: 0.5,
  });
  for (const bad of [
    null,
    {},
    { left: 2, top: 0, width: 1, height: 1 },
    { left: 0, top: 0, width: 0, height: 1 },
    { left: '0', top: 0, width: 1, height: 1 },
  ]) {
    assert.equal(box(bad), null);
  }
});

test('a portrait is cut from the largest face', () => {
  const large = { left: 0, top: 0, width: 0.5, height: 0.5 };
  const state = after([
    found(VALJEAN, COSETTE, 97),
    found(COSETTE, MARIUS, 88, {
      imageUrl: 'https://photos.example/2.jpg',
      faces: [{ ...COSETTE, confidence: 88, box: large }],
    }),
  ]);
  assert.deepEqual(portraitOf(state, 'c4').box, large);
  assert.equal(portraitOf(state, 'c4').urls[0], 'https://photos.example/2.jpg');
});

test('spending is kept when the last event says nothing about it', () => {
  const spent = { searchCalls: 2, runtimeMs: 4210, usd: 0.019, photos: { looked: 9 } };
  const state = after([
    status('one', { spent, budget: { searchCalls: 20, runtimeMs: 120000 } }),
    final,
  ]);
  assert.deepEqual(state.spent, spent);
  assert.deepEqual(
    metersOf(state).map(({ key, value, limit }) => [key, value, limit]),
    [
      ['searchCalls', 2, 20],
      ['runtimeMs', 4210, 120000],
      ['usd', 0.019, null],
    ],
  );
});

test('dollars are held against their budget where there is one', () => {
  const usd = (events, state) => metersOf(after(events, state)).find(({ key }) => key === 'usd');
  const said = status('one', { spent: { usd: 0.019 }, budget: { usd: 0.5 } });
  assert.deepEqual(usd([said, final]), { key: 'usd', label: 'Cost', value: 0.019, limit: 0.5 });
  assert.equal(usd([status('one', { budget: { usd: 0.5 } })]).value, 0);
  assert.equal(usd([status('one', { spent: { searchCalls: 1 } })]), undefined);
  const kept = { state: 'S7', spent: { usd: 0.5 }, meta: { budgets: { usd: 0.5 } } };
  const shown = reduce(begun(), { kind: 'kept', record: kept });
  assert.deepEqual(metersOf(shown).map(({ value, limit }) => [value, limit]), [[0.5, 0.5]]);
});

test('the clock goes on between two events of a live run, never past its limit', () => {
  const said = status('one', { spent: { runtimeMs: 4000 }, budget: { runtimeMs: 10000 } });
  const live = reduce(reduce(begun(), { kind: 'event', n: 1, event: said, at: 100 }), {
    kind: 'connection',
    value: 'open',
  });
  assert.equal(metersOf(live, 1100)[0].value, 5000);
  assert.equal(metersOf(live, 99100)[0].value, 10000);
  assert.equal(metersOf(reduce(live, { kind: 'connection', value: 'lost' }), 1100)[0].value, 4000);
});

test('no_path names the unknown and takes suggestions in either shape', () => {
  const { outcome } = after([
    {
      type: 'no_path',
      message: 'None.',
      reason: 'unknown_person',
      unknown: ['b', 'z'],
      suggestions: ['Marius', { id: 'c4', name: 'Cosette', side: 'b' }, {}, 3],
      graph: {},
      spent: {},
    },
  ]);
  assert.deepEqual(outcome.unknown, ['b']);
  assert.deepEqual(outcome.suggestions, [
    { name: 'Marius', side: null },
    { name: 'Cosette', side: 'b' },
  ]);
});

test('an error says whether later helps only when the stream does', () => {
  const check = (retryable, expected) =>
    assert.equal(after([{ type: 'error', message: 'No.', retryable }]).outcome.retryable, expected);
  check(true, true);
  check(false, false);
  check(undefined, false);
  check('yes', false);
});

test('a kept record stands in for events that are gone', () => {
  const record = {
    meta: { personA: 'Jean Valjean', personB: 'Marius' },
    state: 'S6',
    path: final.path,
    edges: final.edges,
  };
  const { outcome, a } = reduce(begun('', ''), { kind: 'kept', record });
  assert.equal(a, 'Jean Valjean');
  assert.equal(outcome.kind, 'final');
  assert.equal(outcome.bottleneck, 88);
  assert.ok(Math.abs(outcome.cumulative - 0.85536) < 1e-9);
  const failed = reduce(begun(), { kind: 'kept', record: { state: 'S7', path: [] } }).outcome;
  assert.deepEqual([failed.kind, failed.finished], ['no_path', true]);
});

test('a kept record with an edge missing claims no confidence for the whole', () => {
  const record = { state: 'S6', path: final.path, edges: [final.edges[0]] };
  const { outcome } = reduce(begun(), { kind: 'kept', record });
  assert.deepEqual([outcome.bottleneck, outcome.cumulative], [null, null]);
});

test('names fold as the recogniser binds them, never by substring', () => {
  assert.equal(fold('  Éponine  Thénardier '), fold('eponine-thenardier'));
  assert.equal(fold('J. K. Rowling'), fold('JK Rowling'));
  assert.notEqual(fold('Jean'), fold('Jean Valjean'));
  assert.notEqual(fold('will.i.am'), fold('William'));
  assert.notEqual(fold('राम'), fold('रमा'));
});
