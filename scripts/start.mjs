// `npm start`: sets up, builds, starts the sandbox and `wrangler dev`, prints the page's address, and ends all on
// Ctrl-C. Arguments are passed to the sandbox: `npm start -- --world FILE`. With `--real`, real people are searched for.
import { randomBytes } from 'node:crypto';
import { aboutBrowser, browserSettings, startBrowser } from './browser.mjs';
import { checkMachine } from './checks.mjs';
import { makeTables } from './database.mjs';
import { ownSettings } from './own-settings.mjs';
import { root, stateFolder, USUAL_PORT } from './places.mjs';
import { checkFree, HOST } from './ports.mjs';
import { exampleSecrets, storeExamples } from './examples.mjs';
import { endAll, endAllOnSignals, isEnding, run } from './processes.mjs';
import { prepare } from './prepare.mjs';
import { askContact, checkReached, realSettings, startOwnRecogniser } from './real.mjs';
import { say, sayFailure, sinceStart, Stop } from './say.mjs';
import { buildSandbox, startSandbox, startWorker } from './services.mjs';
import { choices, devVars, investigateLink, portSetting, providerKeys } from './settings.mjs';

/** The argument for real people without a key. */
const REAL = '--real';
/** Matches the arguments with which the sandbox only prints something and exits. */
const ANSWERED_AT_ONCE = /^(--help|-h|--check(=.*)?)$/;

async function start(args) {
  await checkMachine();
  const vars = await devVars();
  const keys = providerKeys(vars);
  const isAsked = args.includes(REAL);
  const sandboxArgs = args.filter((arg) => arg !== REAL);
  const real = isAsked || keys.length > 0;
  if (real && sandboxArgs.length > 0) {
    const why = keys.length > 0 ? `.dev.vars holds ${keys.join(', ')}` : `${REAL} is there, too`;
    throw new Stop(`"${sandboxArgs[0]}" is for the sandbox, but ${why}.`);
  }
  if (sandboxArgs.some((arg) => ANSWERED_AT_ONCE.test(arg))) return askSandbox(sandboxArgs);
  const ports = await freeChosenPorts(real);

  if (isAsked) Object.assign(vars, await askContact(vars));
  const own = real ? await ownSettings(vars, process.env, say) : {};
  if (isAsked) {
    Object.assign(own, realSettings(vars));
    await checkReached(vars, own.CONTACT ?? vars.CONTACT);
  }
  const persist = stateFolder(ports.worker);
  let browsing = null;
  const begin = () => {
    browsing = real ? null : startBrowser();
    // A failure of the browser is reported where its promise is awaited. Until then it must not end the process.
    browsing?.catch(() => {});
  };
  const program = await prepare({ withSandbox: !real, begin });

  const sandbox = program && (await startSandbox({ program, port: ports.sandbox, args: sandboxArgs }));
  const browser = await browsing;
  const recogniser = real && isOwn({ ...vars, ...own }) ? await startOwnRecogniser(vars, own.CONTACT ?? vars.CONTACT) : null;
  Object.assign(own, recogniser?.settings);
  say(sandbox ? aboutSandbox(sandbox) : aboutKeys(keys));
  if (sandbox) say(aboutBrowser(browser));
  // Runs with the sandbox cost nothing, so anybody may start one.
  const token = randomBytes(16).toString('hex');
  const settings = sandbox
    ? {
      ...sandbox.settings, ...exampleSecrets(sandbox.listening), ...browserSettings(browser, token),
      ...choices(process.env),
      PUBLIC: '1', MCP: process.env.MCP ?? 'on', MEMORY: process.env.MEMORY ?? 'on',
      ATLAS: process.env.ATLAS ?? 'public',
    }
    : own;
  const memory = settings.MEMORY ?? vars.MEMORY ?? 'off';
  if (memory !== 'off') await makeTables(persist);
  const worker = await startWorker({
    port: ports.worker, persist, settings, mayLack: real,
  });
  if (sandbox && browser) await storeExamples(worker.base, token, sandbox.listening);
  tellAddress(worker.base, sandbox?.example ?? worker.health.example);
  if (browser) say(`The operator's token, which automata of your own need: ${token}`);
  if (real) say(aboutReadiness({ ...vars, ...settings }, worker.health));
  say(`Ready after ${sinceStart()}. Ctrl-C ends everything.`);
  const beside = [sandbox, browser, recogniser?.service];
  await Promise.race([worker.gone, ...beside.flatMap((service) => service?.gone ?? [])]);
}

/** Checks whether the chosen ports are free, before anything that takes time. */
async function freeChosenPorts(real) {
  const worker = portSetting(process.env, 'PORT', USUAL_PORT);
  const sandbox = portSetting(process.env, 'SANDBOX_PORT', 8788);
  if (!real && worker === sandbox) throw new Stop('PORT and SANDBOX_PORT must differ.');
  await checkFree(worker, 'PORT');
  if (!real) await checkFree(sandbox, 'SANDBOX_PORT');
  return { worker, sandbox };
}

async function askSandbox(args) {
  const { ok } = await run(await buildSandbox(), args, { cwd: root, tee: true });
  process.exitCode = ok ? 0 : 1;
}

function aboutSandbox({ listening, world, people, photos }) {
  return `The sandbox stands in for every provider at ${listening}: ${world}, ${people} people in `
    + `${photos} photos.`;
}

/** Whether the own recogniser is asked, and none is named that runs elsewhere. */
function isOwn({ RECOGNISER, REFERENCES_BASE }) {
  return RECOGNISER.split(',').some((name) => name.trim() === 'references') && !REFERENCES_BASE;
}

function aboutKeys(keys) {
  if (keys.length === 0) return 'Wikimedia Commons, Wikidata and the own recogniser answer. Nothing of it costs money.';
  return `.dev.vars holds ${keys.join(', ')}: real providers answer, and their calls COST MONEY.`;
}

function aboutReadiness(settings, { missing = [], wrong = [] }) {
  if (missing.length > 0) return `No run can start yet; .dev.vars lacks: ${missing.join(', ')}.`;
  if (wrong.length > 0) say(`Runs that need it cannot start yet; .dev.vars is wrong in: ${wrong.join(', ')}.`);
  return settings.PUBLIC === '1'
    ? `Whoever uses this machine may start runs (PUBLIC=1); nobody else reaches ${HOST}.`
    : 'Starting a run needs the OPERATOR_TOKEN; the page asks for it.';
}

function tellAddress(base, example) {
  const link = investigateLink(base, example?.a ? example : { a: 'NAME', b: 'NAME' });
  process.stdout.write(`
  Page            ${base}/
  A run           ${link}
  The same, raw   curl -N '${link}'
  A workflow      ${base}/workflow
  An automaton    ${base}/automaton
  An assistant    claude mcp add --transport http visual-degrees ${base}/mcp

`);
}

endAllOnSignals(() => say('\nEnding everything ... (Ctrl-C again kills at once)'));
try {
  await start(process.argv.slice(2));
} catch (error) {
  // After a signal, failures are only its consequences, and its handler sets the exit code.
  if (!isEnding()) {
    sayFailure(error);
    await endAll();
    process.exit(1);
  }
}
