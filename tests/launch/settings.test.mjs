// What may be set, and how it reaches the sandbox and wrangler.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  investigateLink, parseDevVars, parseSandboxLine, portSetting, providerKeys, varArguments,
} from '../../scripts/settings.mjs';

test('a port is what the environment says, else the usual one', () => {
  assert.equal(portSetting({}, 'PORT', 8787), 8787);
  assert.equal(portSetting({ PORT: '' }, 'PORT', 8787), 8787);
  assert.equal(portSetting({ PORT: '9000' }, 'PORT', 8787), 9000);
});

test('a port that is none is refused by its name', () => {
  for (const PORT of ['0', '65536', 'x', '80.5', '-1', ' 80', '1e3']) {
    assert.throws(() => portSetting({ PORT }, 'PORT', 1), /^Error: PORT must be a number/, PORT);
  }
});

const DEV_VARS = [
  ['plain', 'A=1\nB=two words \n', { A: '1', B: 'two words' }],
  ['Windows line ends', 'A=1\r\nB=2\r\n', { A: '1', B: '2' }],
  ['quotes of all kinds', `A="x y"\nB='#no'\nC=\`z\``, { A: 'x y', B: '#no', C: 'z' }],
  ['comments', '# A=1\nB=2 # why\n  #C=3', { B: '2' }],
  ['export and spaces', 'export A = 1\n  B=2', { A: '1', B: '2' }],
  ['an empty value', 'A=\nB=""\n', { A: '', B: '' }],
  ['an equals sign in the value', 'A=x=y==', { A: 'x=y==' }],
  ['nothing', '', {}],
];
for (const [title, text, expected] of DEV_VARS) {
  test(`.dev.vars: ${title}`, () => assert.deepEqual(parseDevVars(text), expected));
}

test('a key that is set to something means the real providers', () => {
  assert.deepEqual(providerKeys(parseDevVars('GOOGLE_API_KEY=\nPUBLIC=1')), []);
  assert.deepEqual(providerKeys(parseDevVars('# GEMINI_API_KEY=x')), []);
  assert.deepEqual(providerKeys(parseDevVars('AWS_ACCESS_KEY_ID=AKIA')), ['AWS_ACCESS_KEY_ID']);
});

test('a setting becomes one argument, whatever is in it', () => {
  assert.deepEqual(varArguments({ A: 'http://x:1/?a=b c,d', B: 'Éponine "T"', C: 3 }), [
    '--var', 'A:http://x:1/?a=b c,d', '--var', 'B:Éponine "T"', '--var', 'C:3',
  ]);
  assert.throws(() => varArguments({ 'A:B': '1' }), /cannot be the name of a setting/);
});

test("the sandbox's line is read, and anything else is shown", () => {
  const line = { listening: 'http://127.0.0.1:1', world: 'w', example: { a: 'A', b: 'B' } };
  const read = parseSandboxLine(JSON.stringify({ ...line, settings: { K: 'v' } }));
  assert.equal(read.listening, 'http://127.0.0.1:1');
  assert.deepEqual(read.settings, { K: 'v' });
  assert.deepEqual(parseSandboxLine(JSON.stringify(line)).settings, {});
  for (const bad of ['', 'ready', '{}', '{"listening":8788}']) {
    assert.throws(() => parseSandboxLine(bad), /first line is not what was expected/);
  }
});

test('names in a link survive', () => {
  const link = investigateLink('http://h', { a: 'Éponine & Co', b: "O'Hara + 1" });
  const { searchParams } = new URL(link);
  assert.equal(searchParams.get('a'), 'Éponine & Co');
  assert.equal(searchParams.get('b'), "O'Hara + 1");
  assert.ok(!link.includes("'"), 'the link can stand between single quotes');
});
