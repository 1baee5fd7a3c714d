// `npm run doctor`: sends each configured provider one cheap request, and prints a line for each. With an address it
// checks a deployed Worker: `npm run doctor -- https://NAME.workers.dev`.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWorker } from './build.mjs';
import { checkMachine } from './checks.mjs';
import { contactOf } from './contact.mjs';
import { isProgram } from './places.mjs';
import { freePorts } from './ports.mjs';
import { endAll, endAllOnSignals, isEnding } from './processes.mjs';
import { say, sayFailure, Stop } from './say.mjs';
import { buildSandbox, startSandbox, startWorker } from './services.mjs';
import { devVars, providerKeys } from './settings.mjs';
import { setUp } from './setup.mjs';

/** The longest time for all checks, in milliseconds. A provider may take 15 s, and there may be twelve. */
const LIMIT_MS = 200_000;
/** The settings that enable all providers that the sandbox simulates. */
const ALL = {
  IMAGE_SEARCH: 'brave,commons,google,openverse,serpapi,serper',
  PLANNER: 'gemini,workers-ai,openai',
};

/** The lines about a Worker's health, and whether all is well. */
export function report(health) {
  const missing = health.missing ?? [];
  const wrong = health.wrong ?? [];
  const checks = health.checks ?? [];
  const lines = [
    ...missing.map((what) => `MISSING  ${what}`),
    ...wrong.map((what) => `WRONG    ${what}: runs that need it are refused`),
    ...checks.map(({ works, message }) => `${works ? 'ok     ' : 'FAILS  '}  ${message}`),
  ];
  const isWell = missing.length === 0 && wrong.length === 0 && checks.length > 0 && checks.every(({ works }) => works);
  return { lines, isWell };
}

async function doctor(args) {
  const [address] = args;
  if (address === undefined) return examineHere();
  if (address === '--sandbox') return examineSandbox();
  if (!/^https?:\/\//.test(address)) {
    throw new Stop(`"${address}" is no address; give https://..., --sandbox or nothing.`);
  }
  const vars = await devVars();
  return deepHealth(address, process.env.OPERATOR_TOKEN ?? vars.OPERATOR_TOKEN ?? '');
}

/** Checks the providers of `.dev.vars`, by a local Worker. */
async function examineHere() {
  const vars = await devVars();
  if (providerKeys(vars).length === 0) {
    throw new Stop('.dev.vars holds no key of a provider; .dev.vars.example shows what may be set.');
  }
  return examine(await contactOf(vars, say));
}

/** Checks all providers of the sandbox, by a local Worker. */
async function examineSandbox() {
  const program = await buildSandbox();
  const [port] = await freePorts(1);
  const sandbox = await startSandbox({ program, port });
  // An explicitly named file keeps wrangler from reading .dev.vars, which may contain real keys.
  return examine({ ...sandbox.settings, ...ALL }, true);
}

async function examine(settings, withoutDevVars = false) {
  await setUp();
  await buildWorker();
  const folder = await mkdtemp(join(tmpdir(), 'visual-degrees-'));
  try {
    const [port] = await freePorts(1);
    const token = randomUUID();
    const noVars = join(folder, 'no.vars');
    await writeFile(noVars, '');
    const worker = await startWorker({
      port,
      persist: folder,
      settings: { ...settings, OPERATOR_TOKEN: token },
      mayLack: true,
      args: withoutDevVars ? ['--env-file', noVars] : [],
    });
    return await deepHealth(worker.base, token);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function deepHealth(base, token) {
  const options = {
    headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(LIMIT_MS),
  };
  const answer = await fetch(new URL('/health?deep=1', base), options).catch((error) => {
    const why = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new Stop(`${base} cannot be reached (${why}).`);
  });
  const health = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Stop(health.detail ?? `${base} answers HTTP ${answer.status}.`);
  if (!health.status) throw new Stop(`${base} answers, but not as this Worker does.`);
  return health;
}

if (isProgram(import.meta.url)) {
  endAllOnSignals();
  try {
    await checkMachine();
    const { lines, isWell } = report(await doctor(process.argv.slice(2)));
    process.stdout.write(`${lines.join('\n')}\n`);
    await endAll();
    process.exit(isWell ? 0 : 1);
  } catch (error) {
    if (!isEnding()) {
      sayFailure(error);
      await endAll();
      process.exit(1);
    }
  }
}
