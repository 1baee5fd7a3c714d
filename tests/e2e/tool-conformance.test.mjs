// The protocol's official conformance suite against the MCP server, in every revision that it tests.
// What does not apply to a server that has tools alone, and its own tools, is named with its reason.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ensureMcpPackages } from '../../scripts/mcp-packages.mjs';
import { root } from '../../scripts/places.mjs';
import { BASE, STATE } from './support.mjs';

const suite = join(root, 'tests', 'mcp', 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const LIMIT_MS = 120_000;

const OTHER_TOOLS = 'calls a tool that only a server made for the suite has';
const OTHER_FEATURES = 'is about resources, prompts, completion or logging, which an MCP server does not have';
const ASKS_CLIENTS = 'has the server ask its client for something, which this one never does';
const EXTENSION = 'is of an extension of the protocol that this server does not declare';

/** Scenarios that do not apply, by how their names begin. */
const DO_NOT_APPLY = [
  [/^tools-call-/, OTHER_TOOLS], [/^json-schema-2020-12$/, OTHER_TOOLS], [/^server-sse-polling$/, OTHER_TOOLS],
  [/^http-custom-header-server-validation$/, 'needs a tool with an argument that is sent as a header; there is none'],
  [/^(completion|resources|prompts|logging|sep-2164)-/, OTHER_FEATURES],
  [/^elicitation-/, ASKS_CLIENTS], [/^input-required-result-/, ASKS_CLIENTS], [/^(tasks|sep-2640)-/, EXTENSION],
];

/** Checks that do not apply within scenarios that do. */
const DO_NOT_APPLY_ALONE = [
  // They call tools for tests, which ask the client for something and log.
  'sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream', 'sep-2575-server-no-log-without-loglevel',
  // They list prompts and resources.
  'sep-2549-prompts-list-caching-hints', 'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
];

before(ensureMcpPackages);

/** Runs the suite; promises the checks that it made, by scenario. */
async function runSuite(version) {
  const folder = await mkdtemp(join(STATE, 'conformance-'));
  const args = [
    suite, 'server', '--url', `${BASE}/mcp`, '--suite', 'all', '--spec-version', version, '--output-dir', folder,
  ];
  await new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: LIMIT_MS }, resolve);
  });
  const scenarios = new Map();
  for (const name of await readdir(folder)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name);
    scenarios.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')));
  }
  return scenarios;
}

for (const [version, least] of [['2025-06-18', 4], ['2025-11-25', 6], ['2026-07-28', 6]]) {
  test(`every scenario of ${version} that applies to an MCP server`, async () => {
    const scenarios = await runSuite(version);
    const applied = [...scenarios].filter(([name]) => !DO_NOT_APPLY.some(([begin]) => begin.test(name)));
    assert.ok(applied.length >= least, [...scenarios.keys()].join(' '));
    const wrong = ({ status }) => ['FAILURE', 'WARNING'].includes(status);
    const table = applied.map(([scenario, checks]) => ({
      scenario,
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      'not for tools alone': checks.filter((check) => wrong(check) && DO_NOT_APPLY_ALONE.includes(check.id)).length,
      failed: checks.filter((check) => wrong(check) && !DO_NOT_APPLY_ALONE.includes(check.id)).map(({ id }) => id).join(' '),
    }));
    console.table(table);
    assert.deepEqual(table.filter(({ failed }) => failed !== ''), []);
  });
}
