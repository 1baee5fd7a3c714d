// Asks a server whatever its own description allows and forbids, by the property-based tester
// Schemathesis: as everybody where everybody may start runs, and as the operator and as a stranger
// where runs are the operator's. Arguments go on to it.
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join, resolve as absolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyMemory } from './memory-database.mjs';
import { ownSandbox, ownWorker, STATE } from './support.mjs';

const named = process.env.SCHEMATHESIS || 'schemathesis';
const PROGRAM = named.includes('/') ? absolute(named) : named;
const CONFIG = fileURLToPath(new URL('schemathesis.toml', import.meta.url));
const TOKEN = 'the-operators-token';
/** A tester starts more runs than a visitor may. */
const NO_LIMITS = Object.fromEntries(
  ['DAILY_SEARCHES', 'DAILY_RECOGNITIONS', 'DAILY_USD', 'LIVE_RUNS_MAX',
    'LIVE_RUNS_PER_CLIENT_MAX', 'STARTS_PER_MINUTE_MAX'].map((name) => [name, 'none']),
);
const CHECKS = ['--checks', 'all', '--generation-database', 'none'];

function schemathesis(base, args) {
  return new Promise((resolve, reject) => {
    const all = ['--config-file', CONFIG, 'run', `${base}/openapi.json`, ...CHECKS, ...args];
    // It leaves files of its own behind.
    const child = spawn(PROGRAM, all, { cwd: STATE, stdio: 'inherit' });
    child.once('error', ({ message }) => reject(new Error(`${PROGRAM} does not start: ${message}`)));
    child.once('close', (code) => resolve(code === 0));
  });
}

const sandbox = await ownSandbox([]);
const servers = [];
let isGood = true;
try {
  for (const [who, access, args] of [
    ['everybody', { PUBLIC: '1', PUBLIC_BUDGETS: 'caps' }, []],
    ['the operator', { OPERATOR_TOKEN: TOKEN }, ['--header', `Authorization: Bearer ${TOKEN}`]],
    ['a stranger', { OPERATOR_TOKEN: TOKEN }, []],
  ]) {
    const settings = { ...sandbox.settings, ...NO_LIMITS, ...access };
    // A database without tables answers 503.
    const folder = await mkdtemp(join(STATE, 'described-'));
    await emptyMemory(folder);
    const server = await ownWorker({ settings, folder });
    servers.push(server);
    console.log(`\n== As ${who}`);
    const found = await schemathesis(server.base, [...args, ...process.argv.slice(2)]);
    isGood = found && isGood;
    await server.stop();
  }
} finally {
  await Promise.all([sandbox, ...servers].map((service) => service.stop()));
}
process.exitCode = isGood ? 0 : 1;
