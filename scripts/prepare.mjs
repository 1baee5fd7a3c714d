// All that a start needs. What does not need each other is made at once, where that saves time.
import { buildWorker, isWorkerBuilt, WORKER } from './build.mjs';
import { buildPage } from './page.mjs';
import { arePackagesInstalled, ensurePackages, PACKAGES } from './packages.mjs';
import { ensureClippy, ensureTools, missingTools } from './rust.mjs';
import { isEnding } from './processes.mjs';
import { announce, sayFailure } from './say.mjs';
import { buildSandbox, SANDBOX } from './services.mjs';
import { buildVerifier } from './verifier.mjs';

/**
 * Makes what is missing; gives the sandbox's program, or `null` where none is wanted. `begin` begins what needs nothing
 * of this: at once where everything is there, and otherwise when nothing is compiled any more.
 */
export async function prepare({ withSandbox, begin }) {
  const [lacking] = await Promise.all([missing(withSandbox), withSandbox && ensureClippy()]);
  announce(lacking);
  if (lacking.length === 0) begin();
  await Promise.all([ensurePackages(), ensureTools()]);
  // The last minute and a half of the Worker's build keeps one processor busy; the tools all there are.
  const sandbox = withSandbox ? buildSandbox() : Promise.resolve(null);
  const [program] = await Promise.all([sandbox, lacking.length > 0 ? buildWorker() : buildPage()]);
  if (lacking.length > 0) begin();
  buildBeside();
  return program;
}

/** Nobody waits for it: a start goes on without, and a failure is told when it comes. */
function buildBeside() {
  buildVerifier({ isWaitedFor: false }).catch((error) => isEnding() || sayFailure(error));
}

/** Only cargo knows whether the sandbox is up to date: it is named where more is missing. */
async function missing(withSandbox) {
  const tools = await missingTools();
  const packages = (await arePackagesInstalled()) ? [] : [PACKAGES];
  const isBuilt = tools.length + packages.length === 0 && (await isWorkerBuilt());
  if (isBuilt) return [];
  return [...packages, ...tools, ...(withSandbox ? [SANDBOX] : []), WORKER];
}
