// When a photo is answered, and when the people whom it may show must be known first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WikimediaDown } from '../../recogniser/people/wikimedia.mjs';
import { recognise, Unready } from '../../recogniser/recogniser.mjs';

const face = (place, side = 100) => ({ box: [0, 0, 0.5, 1], side, description: Float32Array.of(place, 0) });
const person = (number, place) => ({
  number, name: `Person ${number}`, hasSecond: true, portraits: [{ url: 'u', box: [0, 0, 1, 1], description: Float32Array.of(place, 0) }],
});

/** Recognises these faces among 20 candidates, of whom those at the places `unready` are not fetched yet. */
function recogniseAmong(faces, { people = [], unready = [], failure = null }) {
  let asked = 0;
  const describer = { describe: async () => faces };
  const directory = {
    people: async () => {
      asked += 1;
      return { people, unready, failure };
    },
    gallery: () => [],
  };
  const candidates = Array.from({ length: 20 }, (_, place) => ({ number: `Q${place + 1}` }));
  return recognise({ photo: Buffer.from('p'), candidates }, { describer, directory }).then((answer) => ({ answer, asked }));
}

const down = new WikimediaDown('www.wikidata.org: status 429', 60_000);
const isRefusal = (isDown, retryMs) => (error) =>
  error instanceof Unready && error.isDown === isDown && error.retryMs === retryMs;

test('a face is not called nobody before the likeliest candidates are known', async () => {
  await assert.rejects(recogniseAmong([face(5)], { unready: [3] }), isRefusal(false, 3_000));
  await assert.rejects(recogniseAmong([face(5)], { unready: [11], failure: down }), isRefusal(true, 60_000));
  // One face is somebody's, and the other one may be the person who is still being fetched.
  const people = [person('Q1', 0)];
  await assert.rejects(recogniseAmong([face(0), face(5)], { people, unready: [3] }), Unready);
});

test('a photo that shows whom it may show is answered, whoever else is still being fetched', async () => {
  const people = [person('Q1', 0)];
  const { answer } = await recogniseAmong([face(0)], { people, unready: [3, 4], failure: down });
  assert.deepEqual([answer.faces[0].match.number, answer.unready], ['Q1', 2]);
  const { answer: late } = await recogniseAmong([face(5)], { unready: [12, 19] });
  assert.deepEqual([late.faces[0].match, late.unready], [null, 2]);
});

test('nobody is waited for where no face is large enough', async () => {
  const { answer } = await recogniseAmong([face(5, 39)], { unready: [0], failure: down });
  assert.deepEqual([answer.faces[0].match, answer.unready], [null, 0]);
  assert.deepEqual((await recogniseAmong([], { unready: [0] })).answer.faces, []);
});

test('nobody is fetched for a photo that is refused', async () => {
  let asked = 0;
  const describer = {
    describe: () => {
      throw new Error('8 photos are waiting');
    },
  };
  const directory = { people: async () => (asked += 1) };
  await assert.rejects(recognise({ photo: Buffer.from('p'), candidates: [] }, { describer, directory }), /waiting/);
  assert.equal(asked, 0);
});
