// Steps that run at the same time: what each waits for, what they share, and how a failure ends them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inShort, runSteps, withNeeds } from '../../scripts/graph.mjs';

/** Steps that note when they begin and end, and end when they are told to. */
function bench(...steps) {
  const [log, ends] = [[], new Map()];
  const all = steps.map((step) => ({
    ...step,
    work: (told, giveBack) => new Promise((resolve, reject) => {
      ends.set(step.title, { resolve, reject, told, giveBack });
    }),
  }));
  const onBegin = ({ title }) => log.push(`${title} begins`);
  const onEnd = ({ step, result }) => log.push(`${step.title} ${result.ok ? 'ends' : 'fails'}`);
  const end = async (title, ok = true) => {
    ends.get(title).resolve({ ok });
    await settled();
  };
  return { all, log, ends, end, run: (room = {}) => runSteps(all, { room, onBegin, onEnd }) };
}

/** Until nothing is left to be done but what a test does next. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a step begins once all that it comes after are done', async () => {
  const { log, end, run } = bench({ title: 'a' }, { title: 'b' }, { title: 'c', after: ['a', 'b'] });
  const whole = run();
  await settled();
  await end('b');
  assert.deepEqual(log, ['a begins', 'b begins', 'b ends']);
  await end('a');
  await end('c');
  assert.deepEqual(log.slice(3), ['a ends', 'c begins', 'c ends']);
  assert.deepEqual(await whole, { running: [], waiting: [] });
});

test('what there is one of is used by one at a time, and the first in the list is the next', async () => {
  const uses = ['cargo'];
  const steps = ['a', 'b', 'c'].map((title) => ({ title, uses }));
  const { log, end, run } = bench(...steps, { title: 'd' });
  const whole = run({ cargo: 1 });
  await settled();
  assert.deepEqual(log, ['a begins', 'd begins']);
  await end('a');
  assert.equal(log.at(-1), 'b begins');
  for (const title of ['b', 'c', 'd']) await end(title);
  await whole;
});

test('so many at once as there is room for', async () => {
  const steps = ['a', 'b', 'c', 'd'].map((title) => ({ title, uses: ['stand'] }));
  const { log, end, run } = bench(...steps);
  const whole = run({ stand: 3 });
  await settled();
  assert.deepEqual(log, ['a begins', 'b begins', 'c begins']);
  await end('b');
  assert.equal(log.at(-1), 'd begins');
  for (const title of ['a', 'c', 'd']) await end(title);
  await whole;
});

test('what is given back before the end is there for the next, once', async () => {
  const uses = ['cargo'];
  const { log, ends, end, run } = bench({ title: 'a', uses }, { title: 'b', uses }, { title: 'c', uses });
  const whole = run({ cargo: 1 });
  await settled();
  for (let times = 0; times < 2; times += 1) ends.get('a').giveBack('cargo');
  await settled();
  assert.deepEqual(log, ['a begins', 'b begins']);
  await end('a');
  assert.deepEqual(log.slice(2), ['a ends'], 'it is given back once');
  await end('b');
  await end('c');
  await whole;
});

test('after a failure nothing begins, and what is left is told', async () => {
  const { all, log, end, run } = bench({ title: 'a' }, { title: 'b' }, { title: 'c', after: ['a'] });
  const whole = run();
  await settled();
  await end('a', false);
  assert.deepEqual(await whole, { running: [all[1]], waiting: [all[2]] });
  assert.deepEqual(log, ['a begins', 'b begins', 'a fails']);
});

test('a step that throws has failed, and says why', async () => {
  const ends = [];
  const work = () => {
    throw new Error('no processor');
  };
  await runSteps([{ title: 'a', work }], { room: {}, onEnd: (end) => ends.push(end) });
  assert.equal(ends[0].result.ok, false);
  assert.match(ends[0].result.error.message, /no processor/);
});

test('steps that wait for each other are told, and not waited for', async () => {
  const { run } = bench({ title: 'a', after: ['b'] }, { title: 'b', after: ['a'] });
  await assert.rejects(run(), /never to begin: a, b/);
});

test('a part is taken with all that it comes after, in the order of the list', () => {
  const steps = [
    { title: 'a' }, { title: 'b', after: ['a'] }, { title: 'c', part: 'x', after: ['b'] }, { title: 'd' },
  ];
  const taken = withNeeds(steps, ({ part }) => part === 'x').map(({ title }) => title);
  assert.deepEqual(taken, ['a', 'b', 'c']);
  assert.throws(() => withNeeds([{ title: 'a', after: ['z'] }], () => true), /"z", which is no step/);
});

test('files of one kind are named after it once', () => {
  const steps = ['format', 'end to end: kills', 'Rust tests', 'end to end: down'].map((title) => ({ title }));
  assert.equal(inShort(steps), 'format, Rust tests, end to end (kills, down)');
});
