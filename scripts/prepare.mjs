// Prepares all that a start needs. Independent parts are built concurrently, if that saves time.
import { buildWorker, isWorkerBuilt, WORKER } from './build.mjs';
import { buildPage } from './page.mjs';
import { arePackagesInstalled, ensurePackages, PACKAGES } from './packages.mjs';
import { ensureClippy, ensureTools, missingTools } from './rust.mjs';
import { isEnding } from './processes.mjs';
import { announce, sayFailure } from './say.mjs';
import { buildSandbox, SANDBOX } from './services.mjs';
import { buildVerifier } from './verifier.mjs';

/**
 * Builds what is missing; returns the sandbox's program, or `null` if not requested. `begin` starts what needs no
 * build: at once if everything is up to date, otherwise after the last compilation.
 */
export async function prepare({ withSandbox, begin }) {
  const [lacking] = await Promise.all([missing(withSandbox), withSandbox && ensureClippy()]);
  announce(lacking);
  if (lacking.length === 0) begin();
  await Promise.all([ensurePackages(), ensureTools()]);
  // The sandbox is built at the same time as the Worker, whose build uses only one processor in its last minute and a
  // half. All tools are installed by now.
  const sandbox = withSandbox ? buildSandbox() : Promise.resolve(null);
  const [program] = await Promise.all([sandbox, lacking.length > 0 ? buildWorker() : buildPage()]);
  if (lacking.length > 0) begin();
  buildBeside();
  return program;
}

/** Builds the verifier in the background. A start does not wait for it, and a failure is reported when it happens. */
function buildBeside() {
  buildVerifier({ isWaitedFor: false }).catch((error) => isEnding() || sayFailure(error));
}

/**
 * The names of what must be built. Only cargo knows whether the sandbox is up to date, so it is listed if anything else
 * is.
 */
async function missing(withSandbox) {
  const tools = await missingTools();
  const packages = (await arePackagesInstalled()) ? [] : [PACKAGES];
  const isBuilt = tools.length + packages.length === 0 && (await isWorkerBuilt());
  if (isBuilt) return [];
  return [...packages, ...tools, ...(withSandbox ? [SANDBOX] : []), WORKER];
}
