// The protocol's official conformance suite: every scenario for clients that is not about authorisation,
// in both eras. Declared out: elicitation and client state, which a workflow has nobody to answer.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { client, packages } from './support.mjs';

const suite = join(packages, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const DECLARED_OUT = ['elicitation-sep1034-client-defaults', 'sep-2322-client-request-state'];
const table = [];

function runSuite(args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [suite, ...args], { timeout: 120_000 }, (error, stdout, stderr) => {
      // eslint-disable-next-line no-control-regex
      const output = `${stdout}${stderr}`.replace(/\x1b\[[0-9;]*m/g, '');
      resolve({ ok: !error, output });
    });
  });
}

/** Each scenario for clients with the revisions that the suite itself names for it. */
async function scenarios() {
  const { output } = await runSuite(['list']);
  const [, clients] = output.split('Client scenarios');
  const [listed] = clients.split('Authorization server scenarios');
  const rows = [...listed.matchAll(/^\s*- (?<name>\S+) \[(?<versions>[^\]]+)\]/gm)];
  return rows
    .map(({ groups }) => ({ name: groups.name, versions: groups.versions.split(',') }))
    .filter(({ name, versions }) => !name.startsWith('auth/') && !versions.includes('extension'))
    .filter(({ name }) => !DECLARED_OUT.includes(name));
}

const all = await scenarios();

test('the suite names the scenarios that are known', () => {
  assert.ok(all.length >= 9, JSON.stringify(all));
});

for (const { name, versions } of all) {
  for (const version of versions) {
    test(`${name} in ${version}`, async () => {
      const args = ['client', '--command', client, '--scenario', name, '--spec-version', version];
      const { ok, output } = await runSuite(args);
      const counts = /Passed: (\d+)\/(\d+), (\d+) failed, (\d+) warnings/.exec(output);
      const [, passed, checks, failed, warnings] = counts ?? [];
      table.push({ scenario: name, revision: version, passed, checks, failed, warnings });
      assert.ok(ok && failed === '0' && warnings === '0', output);
    });
  }
}

after(() => {
  console.table(table);
  console.log(`Declared out: ${DECLARED_OUT.join(', ')}.`);
});
